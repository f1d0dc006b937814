#pragma once

#include <cmath>

#include "search/exact/integer_program/acyclic_packing.hpp"

namespace dagscape::few {

/// Coefficients of all families, from those of the families with weight.
inline std::vector<double> lifted(std::size_t size, const std::vector<std::vector<Weighted>>& families,
                                  const Packing& packing) {
    const std::size_t sets = std::size_t{1} << size;
    std::vector<double> table(size * sets, 1);
    std::vector<bool> known(size * sets, false);
    for (std::size_t v = 0; v < size; ++v)
        for (std::size_t f = 0; f < families[v].size(); ++f) {
            table[v * sets + families[v][f].parents] = packing.coefficient(v, f);
            known[v * sets + families[v][f].parents] = true;
        }
    // Least over all subsets: a family can always be replaced by one with fewer parents.
    std::vector<double> within(size * sets);
    const auto spread = [&](std::size_t v) {
        for (Set set = 0; set < sets; ++set) {
            double least = table[v * sets + set];
            for (Set rest = set; rest != 0; rest &= rest - 1)
                least = std::min(least, within[v * sets + (set & ~(rest & (~rest + 1)))]);
            within[v * sets + set] = least;
        }
    };
    for (std::size_t v = 0; v < size; ++v) spread(v);
    CheapestGraph graph(size);
    for (int parents = static_cast<int>(size) - 1; parents >= 0; --parents)
        for (std::size_t v = 0; v < size; ++v)
            for (Set set = 0; set < sets; ++set) {
                if ((set >> v & 1) != 0 || std::popcount(set) != parents || known[v * sets + set]) continue;
                const double others = graph.solve([&](std::size_t u, Set before) {
                    if (u != v) return within[u * sets + before];
                    return (set & ~before) == 0 ? 0.0 : std::numeric_limits<double>::infinity();
                });
                table[v * sets + set] = std::clamp(1 - others, 0.0, table[v * sets + set]);
                spread(v);
            }
    return table;
}

/// Whole numbers if they are multiples of a common share, and the right side that all acyclic graphs reach.
inline bool finish(std::size_t size, std::vector<double>& table, double& right) {
    const std::size_t sets = std::size_t{1} << size;
    for (int scale = 1; scale <= 12; ++scale) {
        const bool whole = std::all_of(table.begin(), table.end(), [&](double value) {
            return std::abs(value * scale - std::round(value * scale)) < 1e-6;
        });
        if (!whole) continue;
        for (double& value : table) value = std::round(value * scale);
        break;
    }
    CheapestGraph graph(size);
    right = graph.solve([&](std::size_t v, Set before) {
        double least = std::numeric_limits<double>::infinity();
        for (Set set = before;; set = (set - 1) & before) {
            least = std::min(least, table[v * sets + set]);
            if (set == 0) break;
        }
        return least;
    });
    if (right != std::round(right)) right -= 1e-9;
    return right > 1e-6;
}

}  // namespace dagscape::few
