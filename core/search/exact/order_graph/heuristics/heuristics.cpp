#include "search/exact/order_graph/heuristics/heuristics.hpp"

#include <array>
#include <numeric>

namespace dagscape {

HeuristicKind::Numbering HeuristicKind::numbering(const Choices& choices, Control&) const {
    Numbering made;
    made.variables.resize(choices.variables());
    std::iota(made.variables.begin(), made.variables.end(), Var{0});
    return made;
}

std::span<const HeuristicKind* const> heuristics() {
    static const std::array all{&cluster_heuristic(), &pattern_heuristic(), &simple_heuristic(),
                                &cut_heuristic()};
    return all;
}

}  // namespace dagscape
