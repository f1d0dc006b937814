#include "search/exact/integer_program/linear_program.hpp"

#include <map>
#include <utility>

namespace dagscape {

CutRows cut_rows(const Families& families, std::span<const std::uint32_t> cuts,
                 std::span<const Families::Column> columns) {
    CutRows rows;
    for (const std::uint32_t cut : cuts) {
        rows.begins.push_back(static_cast<std::int32_t>(rows.coefficients.size()));
        for (std::size_t at = 0; at < columns.size(); ++at) {
            const double coefficient = families.coefficient(cut, columns[at]);
            if (coefficient == 0) continue;
            rows.places.push_back(static_cast<std::int32_t>(at));
            rows.coefficients.push_back(coefficient);
        }
    }
    return rows;
}

ArcWeights arc_weights(const Families& families, std::span<const Families::Column> columns,
                       std::span<const double> x) {
    std::map<std::pair<Var, Var>, double> sums;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (x[c] <= 0) continue;
        const Var child = families.child(columns[c]);
        for (const Var parent : families.parents(columns[c])) sums[{parent, child}] += x[c];
    }
    ArcWeights arcs;
    for (const auto& [arc, weight] : sums) {
        arcs.parents.push_back(arc.first);
        arcs.children.push_back(arc.second);
        arcs.weights.push_back(weight);
    }
    return arcs;
}

}  // namespace dagscape
