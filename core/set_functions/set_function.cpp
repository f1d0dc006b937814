#include "set_functions/set_function.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "same_score.hpp"
#include "set_functions/plain_walk.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

namespace {

/// What remains of a function of sets when all that x and y add singly is taken out.
template <typename Function>
double together(Var x, Var y, Members given, const Function& function) {
    const double both = function(Inserted(given, {x, y})), first = function(Inserted(given, {x}));
    return (both - first) - (function(Inserted(given, {y})) - function(given));
}

}  // namespace

double freedom(const SetFunction& function, Var x, Var y, Members given) {
    return together(x, y, given, [&](Members set) { return function.parameters(set); });
}

double SetFunction::cost(Members set) const { return std::log(cases()) / 2 * parameters(set); }

void SetFunction::parent_costs(Var x, Members parents, std::span<const Var> candidates,
                               std::span<double> costs) const {
    for (std::size_t i = 0; i < candidates.size(); ++i)
        costs[i] = together(x, candidates[i], parents, [&](Members set) { return cost(set); });
}

double SetFunction::adjusted_freedom(Var x, Var y, Members given) const {
    return freedom(*this, x, y, given);
}

/// Values are sums of about N ln N, whose rounding errors grow with N.
double SetFunction::rounding() const {
    const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(1.0, cases())));
    return std::ldexp(static_cast<double>(std::bit_ceil(whole)), -44);
}

double SetFunction::tolerance() const { return same_score_at(joint({})); }

std::unique_ptr<FamilyBounds> SetFunction::bounds() const { return std::make_unique<FamilyBounds>(); }

std::unique_ptr<ValueWalk> SetFunction::walk(const WalkOptions& /*options*/) const {
    return std::make_unique<PlainWalk>(*this);
}

}  // namespace dagscape
