#include "search/exact/order_graph/heuristics/heuristics.hpp"

#include <array>
#include <numeric>

namespace dagscape {

HeuristicKind::Numbering HeuristicKind::numbering(const Regrets& regrets) const {
    Numbering made;
    made.variables.resize(regrets.variables());
    std::iota(made.variables.begin(), made.variables.end(), Var{0});
    return made;
}

std::span<const HeuristicKind* const> heuristics() {
    static const std::array all{&cluster_heuristic(), &pattern_heuristic(), &simple_heuristic()};
    return all;
}

}  // namespace dagscape
