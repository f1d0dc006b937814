#pragma once

#include <functional>
#include <span>
#include <vector>

#include "inference/clique_tree.hpp"

namespace dagscape {

/// Passes messages in a tree of cliques: first to the root, then, if all variables are asked for, back.
/// Messages are scaled to sum to one (or to have the greatest value one), so that nothing underflows however
/// improbable the evidence is. To be used again for other states of the same observed variables.
///
/// Cost: each cell of the cliques a few times. Source: Jensen, Lauritzen and Olesen 1990.
class Propagation {
  public:
    Propagation(const TableNetwork& network, const CliqueTree& tree);

    /// Sends all messages to the root. Returns the log of the probability of the evidence (of the part that
    /// the tree has); minus infinity if it is impossible, and then there is nothing to ask.
    double collect(const Evidence& evidence);
    /// Likewise with the greatest in place of sums: the log of the probability of the most probable case.
    double collect_greatest(const Evidence& evidence);
    /// Sends all messages back, after `collect`.
    void distribute();

    /// P(v | evidence), after `distribute`.
    std::vector<double> marginal(Var v) const;
    /// The joint distribution of variables in ascending order that the root has, after `collect`.
    std::vector<double> joint(const std::vector<Var>& wanted) const;
    /// The most probable states of all variables of the tree, after `collect_greatest`; the others are kept.
    /// Ties go to the first cell.
    void decode(std::vector<int>& states) const;
    /// States of all variables of the tree, drawn from their joint distribution after `collect`; the others
    /// are kept. `unit` gives numbers from 0 up to but not 1.
    void draw(const std::function<double()>& unit, std::vector<int>& states) const;

  private:
    enum class By { sum, greatest };

    void fill(const Evidence& evidence);
    template <typename Choose>
    void settle(const Choose& choose, std::vector<int>& states) const;
    double collect(const Evidence& evidence, By by);

    const TableNetwork& network_;
    const CliqueTree& tree_;
    std::vector<std::vector<double>> tables_;    // of cliques
    std::vector<std::vector<double>> messages_;  // from cliques to their parents
    std::vector<double> ratio_;
};

}  // namespace dagscape
