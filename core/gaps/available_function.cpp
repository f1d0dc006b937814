#include "gaps/available_function.hpp"

#include <cmath>

#include "scores/score.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

/// Σ n ln n of a set over the rows that have all that is to be known, as if all rows were such.
double AvailableFunction::value(Members set, Members known) const {
    const double combinations = table_->combinations(set);
    WeightedCells cells(*table_, set);
    cells.add_known(known);
    double rows = 0, sum = 0;
    for (const double n : cells.weights()) {
        rows += n;
        sum += n_log_n(n);
    }
    const double likelihood = rows > 0 ? sum / rows : -std::log(combinations);
    return likelihood * cases() - price_ * combinations;
}

double AvailableFunction::joint(Members set) const { return value(set, set); }

double AvailableFunction::given(Var child, Members parents) const {
    return value(parents, Inserted(parents, {child}));
}

}  // namespace dagscape
