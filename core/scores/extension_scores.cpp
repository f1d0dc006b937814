#include "scores/extension_scores.hpp"

#include <algorithm>
#include <cassert>

namespace dagscape {

ExtensionScores::ExtensionScores(const Scorer& scorer, ExtensionWay way) : scorer_(scorer) {
    if (!ExtensionCounts::suits(scorer.table())) return;
    counts_.emplace(scorer.table(), best_instructions(), way);
    block_scores_ = std::make_shared<const BlockScores>(counts_->order(), scorer.score());
    joint_.resize(scorer.table().variables());
    given_.resize(scorer.table().variables());
}

void ExtensionScores::operator()(Var child, Members parents, std::span<const Var> candidates,
                                 std::span<double> scores) {
    assert(std::is_sorted(parents.begin(), parents.end()) && candidates.size() == scores.size());
    if (candidates.empty()) return;
    check_combinations(child, parents, candidates);
    if (!counts_ || !counts_->count(child, parents)) {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            set_.assign(parents.begin(), parents.end());
            set_.insert(std::lower_bound(set_.begin(), set_.end(), candidates[i]), candidates[i]);
            scores[i] = scorer_.local(child, set_);
        }
        return;
    }
    block_scores_->joint(counts_->family(), joint_.data());
    if (scorer_.score().equivalent()) {
        block_scores_->joint(counts_->given(), given_.data());
    } else {
        block_scores_->given(counts_->given(), scorer_.table().arity(child), given_.data());
    }
    const ItemOrder& order = counts_->order();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::size_t position = order.position_of[candidates[i]];
        scores[i] = joint_[position] - given_[position];
    }
}

/// Refuses sets beyond the range of doubles, as the scorer does.
void ExtensionScores::check_combinations(Var child, Members parents, std::span<const Var> candidates) const {
    const Table& table = scorer_.table();
    std::vector<Var> set(parents.begin(), parents.end());
    set.push_back(child);
    set.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                    [&](Var a, Var b) { return table.arity(a) < table.arity(b); }));
    static_cast<void>(table.combinations(set));
}

}  // namespace dagscape
