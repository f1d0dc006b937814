#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "control.hpp"
#include "search/exact/order_graph/whole_costs.hpp"
#include "search/exact/regrets.hpp"

namespace dagscape {

/// The heuristic of a search over orders: a lower bound of what it costs to place the variables that are
/// left, after all others.
///
/// It must be consistent, so that a node is expanded once: placing a variable lowers the bound by no more
/// than that costs.
class Heuristic {
  public:
    virtual ~Heuristic() = default;
    virtual WholeCosts::Cost bound(VarSet left) const = 0;

    struct Work {
        std::uint64_t pattern_sets = 0;  // in pattern databases
        std::uint64_t clusters = 0;      // with a price
        std::size_t bytes = 0;
    };
    virtual Work work() const { return {}; }
};

/// What a heuristic is before it knows the costs. Each has a file in this folder, its function in
/// heuristics.hpp and its place in the list of heuristics.cpp; Python takes the names from that list. The
/// docstring of `ds.exact` and the help of `--heuristic` describe each by hand, and a test misses none.
class HeuristicKind {
  public:
    /// The order in which the search numbers variables, with those of a group one after the other.
    struct Numbering {
        std::vector<Var> variables;
        std::vector<std::size_t> group_sizes;  // none, if the heuristic has no groups
    };

    virtual ~HeuristicKind() = default;
    virtual std::string_view name() const = 0;
    /// As they are, unless the heuristic has groups.
    virtual Numbering numbering(const Regrets& regrets) const;
    /// Ends early, with a bound that holds but is lower, if the control is stopped.
    virtual std::unique_ptr<Heuristic> on(const WholeCosts& costs, const Numbering& numbering,
                                          Control& control) const = 0;
};

}  // namespace dagscape
