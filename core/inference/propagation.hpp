#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "inference/messages.hpp"
#include "inference/wide_number.hpp"

namespace dagscape {

/// Passes messages in a tree of cliques: first to the root, then, if all variables are asked for, back. To be
/// used again for other states of the same observed variables.
///
/// Messages are scaled to sum to one (or to have the greatest value one). Where a product leaves the range of
/// doubles all the same, all is done again in numbers with room for any exponent, and so from then on.
/// Answers in which nothing leaves the range are the same to the bit either way.
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
    /// Sends all messages back, after `collect` of the same evidence.
    void distribute(const Evidence& evidence);

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
    template <typename Collect>
    double collect_by(const Collect& collect);
    void widen();

    const TableNetwork& network_;
    const CliqueTree& tree_;
    std::optional<Messages<double>> plain_;  // until they do not suffice
    std::optional<Messages<WideNumber>> wide_;
};

}  // namespace dagscape
