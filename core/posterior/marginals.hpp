#pragma once

#include <vector>

#include "control.hpp"
#include "posterior/network_sums.hpp"

namespace dagscape {

/// What the sums over the networks of a component say about its pairs of variables.
struct Marginals {
    std::vector<double> arcs;       // of arcs u→v at u × n + v
    std::vector<double> ancestors;  // of paths u→…→v likewise
    /// By how much the probabilities of all sets of non-descendants of a variable miss 1, at most: what
    /// rounding has done to the sums, as far as that can be seen.
    double rounding = 0;
};

/// With Q_v(R) the probability that R is what does not descend from v,
///
///     P(u→v) = Σ_{R∋u} Q_v(R) (1 − A_v(R∖u) / A_v(R)),    P(v→…→u) = Σ_{R∌u} Q_v(R):
///
/// given R, the parents of v are drawn from its sets among R, whatever the rest of the network is.
Marginals marginals(const ParentSums& parents, const NetworkSums& sums, std::size_t threads,
                    Control& control);

/// The probability of every set of parents of v, as in the component's list of its sets.
std::vector<double> parent_set_probabilities(const WeightedComponent& component, const ParentSums& parents,
                                             const NetworkSums& sums, std::size_t v);

}  // namespace dagscape
