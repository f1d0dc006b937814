#pragma once

#include <cstdint>
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
    /// `start`, if there is one, is the order of the first restart, which draws as if it were not.
    InitialOrders(const BestParentGraph& graph, InitialOrder kind, Control& control,
                  std::vector<Var> start = {});
    std::vector<Var> make(Random& random, std::uint64_t restart) const;

  private:
    std::vector<Var> drawn(Random& random) const;
    std::vector<Var> by_degree(Random& random) const;
    std::vector<Var> topological(Random& random) const;

    InitialOrder kind_;
    std::vector<Var> start_;
    std::vector<std::vector<Var>> parents_, children_;  // for fas, without the feedback arcs
};

}  // namespace dagscape
