#pragma once

#include <vector>

#include "inference/aligned_walk.hpp"
#include "inference/relevant.hpp"
#include "inference/tables.hpp"

namespace dagscape {

/// Sets of variables (cliques) in a tree such that every family has one that holds all of it, and cliques
/// with a common variable are joined through cliques that have it too. What is observed is in none of them,
/// and families that have no bearing on the question are left out.
///
/// Sources: Lauritzen and Spiegelhalter 1988; Shachter 1998 for what has no bearing.
class CliqueTree {
  public:
    /// A family's table, multiplied into a clique: only the cells that agree with what is observed.
    struct Placed {
        Var child;
        AlignedWalk walk;
        /// What a state of an observed member adds to the place of the first cell.
        std::vector<std::pair<Var, std::size_t>> offsets;
    };

    struct Clique {
        static constexpr std::size_t none = static_cast<std::size_t>(-1);

        std::vector<Var> members;  // in ascending order
        std::size_t cells = 1;
        std::size_t parent = none;
        std::vector<Var> separator;  // what it has in common with its parent
        std::size_t separator_cells = 1;
        AlignedWalk to_separator;
        AlignedWalk parent_to_separator;
        std::vector<Placed> families;
    };

    /// Throws an error where a table would have more than `most_cells`.
    CliqueTree(const TableNetwork& network, const Question& question, std::size_t most_cells)
        : CliqueTree(network, question, relevant(network, question), most_cells) {}
    /// Of what bears on the question, where that is known.
    CliqueTree(const TableNetwork& network, const Question& question, const Relevant& part,
               std::size_t most_cells);

    /// Children come before their parents; the root is the last.
    const std::vector<Clique>& cliques() const { return cliques_; }
    /// The cells of all cliques and separators.
    std::size_t cells() const;
    /// The smallest clique that has a variable; none if nothing does.
    std::size_t home(Var v) const { return homes_[v]; }
    /// The walk over its clique beside its states.
    AlignedWalk beside(Var v) const;

  private:
    void build(const std::vector<Var>& order, std::vector<std::vector<Var>> tables, std::size_t most_cells);
    void place(const TableNetwork& network, Var child, const std::vector<bool>& observed);

    std::vector<std::size_t> arities_;
    std::vector<Clique> cliques_;
    std::vector<std::size_t> homes_;
};

/// The cells that the largest clique would have, and all of them together: what a question costs.
struct TreeCost {
    double largest = 0, cells = 0;
};
TreeCost tree_cost(const TableNetwork& network, const Question& question);

}  // namespace dagscape
