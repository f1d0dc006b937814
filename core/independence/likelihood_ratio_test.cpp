#include "independence/likelihood_ratio_test.hpp"

#include <algorithm>

#include "independence/chi_square.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

Dependence LikelihoodRatioTest::operator()(Var x, Var y, Members given) const {
    if (y < x) std::swap(x, y);  // the same numbers, added in the same order
    const SetFunction& function = likelihood_.function();
    const Inserted both(given, {x, y}), with_x(given, {x}), with_y(given, {y});
    Dependence result;
    result.done = function.cases() >= rows_per_cell_ * (function.parameters(both) + 1);
    if (!result.done) return result;
    count_test();
    result.freedom = degrees_ == Degrees::adjusted ? function.adjusted_freedom(x, y, given)
                                                   : freedom(function, x, y, given);
    const double joint = likelihood_.joint(both) - likelihood_.joint(with_x);
    const double apart = likelihood_.joint(with_y) - likelihood_.joint(given);
    result.statistic = std::max(0.0, 2 * (joint - apart));
    result.log_p = log_chi_square_tail(result.statistic, result.freedom);
    return result;
}

}  // namespace dagscape
