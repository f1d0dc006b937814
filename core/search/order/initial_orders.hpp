#pragma once

#include <vector>

#include "random.hpp"
#include "search/order/best_parent_graph.hpp"

namespace dagscape {

/// Where a search over orders begins (Perez and Mauá, JIDM 2016, section 5): at random, or informed by the
/// graph of best parents.
enum class InitialOrder { random, dfs, fas };

/// Makes initial orders, of which each draws its own random choices.
class InitialOrders {
  public:
    InitialOrders(const BestParentGraph& graph, InitialOrder kind, Control& control);
    std::vector<Var> make(Random& random) const;

  private:
    std::vector<Var> by_degree(Random& random) const;
    std::vector<Var> topological(Random& random) const;

    InitialOrder kind_;
    std::vector<std::vector<Var>> parents_, children_;  // for fas, without the feedback arcs
};

}  // namespace dagscape
