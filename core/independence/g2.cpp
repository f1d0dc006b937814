#include "independence/g2.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "independence/chi_square.hpp"

namespace dagscape {

G2Test::G2Test(const Scorer& likelihood, double alpha, double rows_per_cell, Degrees degrees)
    : likelihood_(likelihood),
      log_alpha_(std::log(alpha)),
      rows_per_cell_(rows_per_cell),
      degrees_(degrees) {}

Dependence G2Test::operator()(Var x, Var y, Members given) const {
    const Table& table = likelihood_.table();
    const double configurations = table.combinations(given);
    const double rx = table.arity(x), ry = table.arity(y);
    Dependence result;
    result.freedom = (rx - 1) * (ry - 1) * configurations;
    result.done = table.cases() >= rows_per_cell_ * rx * ry * configurations;
    if (!result.done) return result;
    tests_.fetch_add(1, std::memory_order_relaxed);
    if (degrees_ == Degrees::adjusted) result.freedom = adjusted_freedom(table, x, y, given);
    if (y < x) std::swap(x, y);  // the same numbers, added in the same order
    thread_local std::vector<Var> set;
    const auto with = [&](std::initializer_list<Var> more) -> Members {
        set.assign(given.begin(), given.end());
        for (const Var v : more) set.insert(std::lower_bound(set.begin(), set.end(), v), v);
        return set;
    };
    const double joint = likelihood_.joint(with({x, y})) - likelihood_.joint(with({x}));
    const double apart = likelihood_.joint(with({y})) - likelihood_.joint(given);
    result.statistic = std::max(0.0, 2 * (joint - apart));
    result.log_p = log_chi_square_tail(result.statistic, result.freedom);
    return result;
}

}  // namespace dagscape
