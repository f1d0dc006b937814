#include "scores/count_extender.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dagscape {

namespace {

/// Far below where a function refuses a set.
constexpr double most_combinations = 1e100;

/// Every variable by itself.
SetBlock each_alone(const ItemOrder& order) {
    return {{}, order.positions(), 1, &order.cases, order.count.data(), order.items()};
}

}  // namespace

CountExtender::Shared::Shared(const CountFunction& of, ExtensionWay way)
    : function(of), counts(of.table(), best_instructions(), way), scores(counts.order(), of.score()) {
    for (std::size_t v = 0; v < of.variables(); ++v)
        largest_arity = std::max(largest_arity, of.table().arity(static_cast<Var>(v)));
}

CountExtender::CountExtender(const CountFunction& function, ExtensionWay way)
    : shared_(std::make_shared<const Shared>(function, way)),
      counts_(shared_->counts),
      joint_(function.variables()),
      given_(function.variables()) {
    assert(suits(function.table()));
}

void CountExtender::extend(SetExtension& extension) {
    double combinations = 1;
    for (const Var v : extension.set) combinations *= shared_->function.table().arity(v);
    if (combinations > most_combinations) return;
    if (extension.set.empty()) {
        fill(extension, each_alone(counts_.order()), combinations);
    } else if (counts_.count(extension.set.front(), Members(extension.set).subspan(1))) {
        fill(extension, counts_.family(), combinations);
    }
}

void CountExtender::fill(SetExtension& extension, const SetBlock& block, double combinations) {
    const ItemOrder& order = counts_.order();
    shared_->scores.joint(block, joint_.data());
    extension.value = shared_->scores.prefix(block);
    extension.with.resize(order.positions());
    for (std::size_t position = 0; position < joint_.size(); ++position)
        extension.with[order.variable[position]] = joint_[position];
    extension.error = error_of(combinations);
}

/// A sum of m terms is off by at most m roundings of the sum of their sizes. Terms are at most those of m
/// single cases and of all cases together: a likelihood's grow with the cases, a marginal likelihood's are
/// negative for the first case of a cell alone. Here and in the function terms are added in other orders.
double CountExtender::error_of(double combinations) const {
    const auto cases = static_cast<double>(counts_.order().cases);
    double most = 0;
    const auto raise = [&](const Score& score, double q, double constant) {
        const double cells = std::min(cases, q) + 8;
        const double size =
            std::abs(constant) + cells * std::abs(score.cell(1, q)) + std::abs(score.cell(cases, q));
        most = std::max(most, std::ldexp(cells * size, -51));
    };
    const Score& score = shared_->function.score();
    for (const double q : {combinations, combinations * shared_->largest_arity}) {
        raise(score, q, shared_->scores.constant(q));
        for (const auto& alternative : score.alternatives(1))
            raise(*alternative, q, alternative->constant(q));
    }
    return most;
}

bool CountExtender::extend_family(Var child, Members parents, std::span<const Var> candidates,
                                  std::span<double> scores) {
    check_combinations(child, parents, candidates);
    const ItemOrder& order = counts_.order();
    places_.clear();
    positions_.clear();
    if (2 * candidates.size() <= order.positions()) {
        for (std::size_t i = 0; i < candidates.size(); ++i)
            places_.emplace_back(order.position_of[candidates[i]], i);
        std::sort(places_.begin(), places_.end());
        for (const auto& [position, i] : places_) positions_.push_back(position);
        if (counts_.count_some(child, parents, positions_)) {
            const std::vector<double>& joint = joint_of_family();
            const std::vector<double>& given = joint_of_given(child, parents, true);
            for (std::size_t at = 0; at < places_.size(); ++at)
                scores[places_[at].second] = joint[at] - given[at];
            return true;
        }
    }
    if (!counts_.count(child, parents)) return false;
    const std::vector<double>& joint = joint_of_family();
    const std::vector<double>& given = joint_of_given(child, parents, false);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::size_t position = order.position_of[candidates[i]];
        scores[i] = joint[position] - given[position];
    }
    return true;
}

/// Of the child and its parents as counted, with each further variable: by position among these.
const std::vector<double>& CountExtender::joint_of_family() {
    shared_->scores.joint(counts_.family(), joint_.data());
    return joint_;
}

/// Of the parents alone. Without any it is the same for all children, and found once.
const std::vector<double>& CountExtender::joint_of_given(Var child, Members parents, bool some) {
    const std::uint32_t kind = shared_->function.given_kind(child);
    if (kind == 0 && parents.empty() && !some) {
        if (alone_.empty()) {
            alone_.resize(given_.size());
            shared_->scores.joint(each_alone(counts_.order()), alone_.data());
        }
        return alone_;
    }
    if (kind == 0) {
        shared_->scores.joint(counts_.given(), given_.data());
    } else {
        shared_->scores.given(counts_.given(), kind, given_.data());
    }
    return given_;
}

/// Refuses sets beyond the range of doubles, as the function does.
void CountExtender::check_combinations(Var child, Members parents, std::span<const Var> candidates) const {
    const Table& table = shared_->function.table();
    std::vector<Var> set(parents.begin(), parents.end());
    set.push_back(child);
    set.push_back(*std::max_element(candidates.begin(), candidates.end(),
                                    [&](Var a, Var b) { return table.arity(a) < table.arity(b); }));
    static_cast<void>(table.combinations(set));
}

}  // namespace dagscape
