#include "search/greedy/family_gains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "infinity.hpp"

namespace dagscape {

namespace {

/// Candidates put in order of their gains. More are seldom asked for, and then looked for one by one.
constexpr std::size_t most_in_order = 32;

std::uint64_t key_of(Var child, const std::vector<Var>& parents) {
    std::uint64_t key = (std::uint64_t{child} + 1) * 0x9e3779b97f4a7c15;
    for (const Var parent : parents) {
        key = (key ^ parent) * 0xd6e8feb86659fd93;
        key ^= key >> 32;
    }
    return key;
}

}  // namespace

std::size_t FamilyGains::bytes_for(const Constraints& constraints) {
    std::size_t candidates = 0;
    for (const WideSet& allowed : constraints.allowed) candidates += allowed.size();
    const std::size_t each = candidates / constraints.allowed.size() + 1;
    return sizeof(FamilyGains) + 100 + each * sizeof(double) +
           std::min(each, most_in_order) * sizeof(std::uint32_t);
}

GreedyProblem::GreedyProblem(const Scorer& scorer, const Constraints& constraints)
    : scorer_(scorer),
      constraints_(constraints),
      extensions_(scorer),
      step_(1024 * scorer.function().rounding()) {
    for (const WideSet& allowed : constraints.allowed) candidates_.push_back(allowed.members());
}

std::size_t GreedyProblem::place(Var child, Var candidate) const {
    const std::vector<Var>& all = candidates_[child];
    if (all.size() + 1 == variables()) return candidate - (candidate > child ? 1u : 0u);
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), candidate) - all.begin());
}

double GreedyProblem::rounded(double gain) const { return std::nearbyint(gain / step_) * step_; }

std::shared_ptr<const FamilyGains> FamilyGainsMaker::operator()(Var child, const std::vector<Var>& parents) {
    const std::uint64_t key = key_of(child, parents);
    const auto same = [&](const FamilyGains& other) {
        return other.child == child && other.parents == parents;
    };
    if (auto known = memo_.find(key, same)) return known;
    auto family = std::make_shared<FamilyGains>();
    family->child = child;
    family->parents = parents;
    family->score = problem_.scorer().local(child, parents);
    add_gains(*family);
    remove_gains(*family);
    if (memo_.keep(key, family)) scored_ += 1 + scores_.size() + family->remove.size();
    return family;
}

void FamilyGainsMaker::add_gains(FamilyGains& family) {
    const std::vector<Var>& candidates = problem_.candidates(family.child);
    scores_.clear();
    if (family.parents.size() >= problem_.constraints().max_parents[family.child]) return;
    others_.clear();
    std::set_difference(candidates.begin(), candidates.end(), family.parents.begin(), family.parents.end(),
                        std::back_inserter(others_));
    scores_.resize(others_.size());
    extensions_(family.child, family.parents, others_, scores_);

    family.add.assign(candidates.size(), -infinity);
    std::vector<std::uint32_t>& order = family.most_gaining;
    std::size_t at = 0;
    for (std::size_t i = 0; i < others_.size(); ++i, ++at) {
        while (candidates[at] != others_[i]) ++at;
        family.add[at] = problem_.rounded(scores_[i] - family.score);
        order.push_back(static_cast<std::uint32_t>(at));
    }
    const auto gains_more = [&](std::uint32_t a, std::uint32_t b) {
        return family.add[a] > family.add[b] || (family.add[a] == family.add[b] && a < b);
    };
    if (order.size() > most_in_order) {
        std::nth_element(order.begin(), order.begin() + most_in_order, order.end(), gains_more);
        order.resize(most_in_order);
        order.shrink_to_fit();
        family.has_all = false;
    }
    std::sort(order.begin(), order.end(), gains_more);
}

void FamilyGainsMaker::remove_gains(FamilyGains& family) {
    for (const Var parent : family.parents) {
        fewer_.clear();
        std::remove_copy(family.parents.begin(), family.parents.end(), std::back_inserter(fewer_), parent);
        family.remove.push_back(
            problem_.rounded(problem_.scorer().local(family.child, fewer_) - family.score));
    }
}

}  // namespace dagscape
