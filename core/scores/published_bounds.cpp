#include "scores/published_bounds.hpp"

#include <cmath>

namespace dagscape {

std::size_t PublishedBounds::most_parents(Var child, Members required, double lead) const {
    const double cases = function_.cases();
    if (cases < 2) return FamilyBounds::most_parents(child, required, lead);  // parameters cost nothing
    return static_cast<std::size_t>(std::log2(2 * cases / std::log(cases)));
}

double PublishedBounds::superset_bound(Var child, Members parents, std::size_t /*most*/) const {
    const Table& table = function_.table();
    return -function_.score().price() * (table.arity(child) - 1) * table.combinations(parents);
}

}  // namespace dagscape
