#include "scores/count_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scores/entropy_given_others.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

CountBounds::CountBounds(const CountFunction& function)
    : function_(function),
      price_(function.score().price()),
      charges_(function.score().charges_combinations()),
      even_(function.score().new_states_are_even()) {
    if (!charges_) return;
    for (std::size_t v = 0; v < function.variables(); ++v)
        if (const double r = arity(static_cast<Var>(v)); r > 1) arities_.push_back(r);
    std::sort(arities_.begin(), arities_.end());
    if (!arities_.empty()) least_arity_ = arities_.front();
}

const RowPartition& CountBounds::counter() const {
    std::call_once(counting_, [&] { counter_.emplace(function_.table()); });
    return *counter_;
}

double CountBounds::entropy_given_others_of(Var child) const {
    std::call_once(looking_, [&] { least_entropy_ = entropy_given_others(function_.table()); });
    return least_entropy_[child] * function_.score().unit();
}

double CountBounds::entropy_sum(Members set) const {
    std::vector<std::uint32_t> counts;
    counter().count(set, counts);
    double sum = 0;
    for (const std::uint32_t n : counts) sum += n_log_n(n);
    return sum * function_.score().unit();
}

double CountBounds::charge(Var child, double combinations) const {
    if (price_ > 0) return price_ * (arity(child) - 1) * combinations;
    const ScoreTables& tables = function_.tables();
    return tables.constant(combinations) - tables.constant(arity(child) * combinations);
}

std::size_t CountBounds::most_parents(Var child, Members required, double lead) const {
    if (!charges_) return FamilyBounds::most_parents(child, required, lead);
    std::vector<double> others = arities_;  // variables of one state tell nothing, and cost nothing
    const auto leave_out = [&](Var v) {
        if (const auto at = std::find(others.begin(), others.end(), arity(v)); arity(v) > 1) others.erase(at);
    };
    leave_out(child);
    for (const Var v : required) leave_out(v);
    const double most_gain = entropy_sum(required) - entropy_sum(Inserted(required, {child})) + lead;
    double combinations = function_.table().combinations(required);
    const double paid = charge(child, combinations);
    std::size_t most = required.size();
    for (const double r : others) {
        combinations *= r;
        if (charge(child, combinations) - paid >= most_gain) break;
        ++most;
    }
    // Variables of one state cost nothing: a set that is ahead for its size may have them all.
    return lead > 0 ? most + function_.variables() - arities_.size() : most;
}

double CountBounds::superset_bound(Var child, Members parents, std::size_t most) const {
    if (charges_)
        return -charge(child, function_.table().combinations(parents) * least_arity_) -
               entropy_given_others_of(child);
    if (!even_) return FamilyBounds::superset_bound(child, parents, most);
    std::vector<std::uint32_t> counts;
    counter().count(Inserted(parents, {child}), counts);
    return std::min(-static_cast<double>(counts.size()) * function_.score().unit() * std::log(arity(child)),
                    -entropy_given_others_of(child));
}

/// N·H(v | parents): minus the likelihood, which the score lowers by the price.
double CountBounds::most_gain(Var v, Members parents, double local) const {
    if (price_ <= 0) return FamilyBounds::most_gain(v, parents, local);
    return -local - price_ * (arity(v) - 1) * function_.table().combinations(parents);
}

double CountBounds::least_cost(Var child, Var y, Members parents, std::size_t most) const {
    if (price_ <= 0) return FamilyBounds::least_cost(child, y, parents, most);
    return price_ * (arity(child) - 1) * (arity(y) - 1) * function_.table().combinations(parents);
}

}  // namespace dagscape
