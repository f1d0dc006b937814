#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "control.hpp"
#include "search/exact/dual_bound/cut_multipliers.hpp"
#include "search/exact/order_graph/choices.hpp"
#include "search/exact/order_graph/order_costs.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

struct HeuristicWork {
    std::uint64_t pattern_sets = 0;  // in pattern databases
    std::uint64_t clusters = 0;      // with a price
    std::size_t bytes = 0;
};

/// The heuristic of a search over orders: a lower bound of what it costs to place the variables that are
/// left, after all others. It is never below 0.
///
/// It must be consistent, so that a node is expanded once: placing a variable lowers the bound by no more
/// than that costs.
template <typename Set>
class Heuristic {
  public:
    using Cost = typename OrderCosts<Set>::Cost;

    virtual ~Heuristic() = default;
    virtual Cost bound(const Set& left) const = 0;

    /// What is left at a node that is going to be expanded. Returns, by variable, what the others cost at
    /// least after it: of heuristics that can tell of all variables together; empty otherwise.
    virtual std::span<const Cost> expand(const Set&) { return {}; }
    /// The bound of what is left of this node when the child is placed, and those that cost nothing then.
    virtual Cost bound_after(Var, const Set& left) const { return bound(left); }

    virtual HeuristicWork work() const { return {}; }
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
    template <typename Set>
    struct Given {
        const OrderCosts<Set>& costs;
        const Numbering& numbering;
        const CutMultipliers* multipliers;  // none, unless the search has some
        Control& control;
    };
    template <typename Set>
    using Made = std::unique_ptr<Heuristic<Set>>;

    virtual ~HeuristicKind() = default;
    virtual std::string_view name() const = 0;
    /// Whether it is made from multipliers of cuts.
    virtual bool from_multipliers() const { return false; }
    /// As they are, unless the heuristic has groups.
    virtual Numbering numbering(const Choices& choices, Control& control) const;
    /// Ends early, with a bound that holds but is lower, if the control is stopped.
    virtual Made<VarSet> on(const Given<VarSet>& given) const = 0;
    virtual Made<FixedSet<2>> on(const Given<FixedSet<2>>& given) const = 0;
    virtual Made<FixedSet<4>> on(const Given<FixedSet<4>>& given) const = 0;
};

/// A kind whose member template `make` serves sets of any width.
template <typename Kind>
class AnyWidth : public HeuristicKind {
  public:
    Made<VarSet> on(const Given<VarSet>& given) const final { return kind().make(given); }
    Made<FixedSet<2>> on(const Given<FixedSet<2>>& given) const final { return kind().make(given); }
    Made<FixedSet<4>> on(const Given<FixedSet<4>>& given) const final { return kind().make(given); }

  private:
    const Kind& kind() const { return static_cast<const Kind&>(*this); }
};

}  // namespace dagscape
