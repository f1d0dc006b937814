#pragma once

#include <cstddef>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// P(child | parents): one axis for each parent, in this order, and the child's last.
struct FamilyTable {
    std::vector<Var> parents;
    std::vector<double> values;
};

/// A Bayesian network with its tables, one for each variable.
struct TableNetwork {
    std::vector<std::size_t> arities;
    std::vector<FamilyTable> families;

    std::size_t variables() const { return arities.size(); }
    /// The variables of a family: its parents, then the child, as the axes of its table are.
    std::vector<Var> scope(Var child) const {
        std::vector<Var> all = families[child].parents;
        all.push_back(child);
        return all;
    }
};

/// What is known of a case: the state of some variables, and of others how likely the observation is in each
/// of their states (weights, not all of them zero).
struct Evidence {
    static constexpr int unknown = -1;

    std::vector<int> states;                       // of every variable, or unknown
    std::vector<std::vector<double>> likelihoods;  // of every variable; empty where nothing is known

    bool observed(Var v) const { return states[v] != unknown; }
};

}  // namespace dagscape
