#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "search/exact/arc_decisions.hpp"

namespace dagscape {

/// A lower bound on what networks lose beyond the relaxed optimum, from clusters: among any variables of a
/// network, one has no parent among the others.
///
/// Each candidate set has a cost, its regret at first. While sets that cost nothing make no network, there
/// is a cluster all of whose sets without a parent in it cost something: the least of these costs is due in
/// any case. It is added to the bound and taken off each of them, so that nothing counts twice: of a
/// network's sets those within the cost so far pay for it (the dual ascent of Trösser, de Givry and
/// Katsirelos, Improved acyclicity reasoning for Bayesian network structure learning with constraint
/// programming, IJCAI 2021). In the end sets that cost nothing make a network, a good one as a rule.
class ClusterBound {
  public:
    using Word = BitRows::Word;

    explicit ClusterBound(const DecidedRegrets& sets);
    /// What the costs of so many sets can take.
    static std::size_t bytes(std::size_t all_sets) { return all_sets * (sizeof(Priced) + sizeof(Word*)); }

    /// The bound for networks that obey the decisions and lose less than `most`; infinite if there is none.
    /// `places`: the best set of each variable that obeys. Lower than it could be if stopped.
    double raise(const ArcDecisions& decisions, const std::vector<std::uint32_t>& places, double most,
                 Control& control);

    /// Afterwards: what a child's cheapest set without this parent adds to the bound, infinite if it has
    /// none.
    double cost_without(Var parent, Var child) const;
    /// Afterwards: an order in which every variable has a set for nothing. Lacks variables if the bound is
    /// infinite or the ascent was stopped.
    const std::vector<Var>& order() const { return order_; }

    std::uint64_t clusters() const { return found_; }

  private:
    struct Priced {
        double cost;
        const Word* set;
    };

    void price(const ArcDecisions& decisions, const std::vector<std::uint32_t>& places, double most);
    /// Takes variables out of the row that have a set for nothing and without a parent in it.
    void peel(std::size_t row);
    /// Leaves a cluster in its row, as small as taking out variables one by one makes it; false if none.
    bool find_cluster(Control& control);
    /// Adds what a cluster costs, and takes it off.
    void charge(const Word* cluster);

    const DecidedRegrets& sets_;
    std::vector<std::vector<Priced>> priced_;     // by child
    std::vector<std::vector<const Word*>> free_;  // those that cost nothing
    BitRows rows_;                                // all variables; the cluster; one to try
    std::vector<Word> known_;                     // clusters found before, which serve again
    std::vector<Var> order_;
    double bound_ = 0;
    std::uint64_t found_ = 0;
};

}  // namespace dagscape
