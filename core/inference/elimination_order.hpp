#pragma once

#include <vector>

#include "varset/bit_rows.hpp"

namespace dagscape {

/// An undirected graph on variables with numbers of states.
struct JoinedVariables {
    std::vector<Var> members;          // those that are in the graph, in ascending order
    std::vector<std::size_t> arities;  // of all variables
    BitRows joined;                    // rows of all variables; symmetric, nobody joined with itself
};

/// Variables in the order in which they are summed out, and the table that each needs for that: itself and
/// those joined with it by then, in ascending order.
struct Elimination {
    std::vector<Var> order;
    std::vector<std::vector<Var>> tables;
    double cells = 0;  // of all these tables
};

/// A good order; the best is hard to find. Those of `last` come last.
///
/// Of two orders the one whose tables are smaller in sum: always summing out the variable that joins the
/// fewest pairs (min-fill), or the one with the smallest table (min-weight). Ties go to the smaller table,
/// then to the lower number. Source: Kjærulff, Triangulation of graphs, 1990.
///
/// Cost: for each variable, pairs of its neighbors at that time, times the words of a row.
Elimination elimination(const JoinedVariables& graph, const std::vector<Var>& last);

}  // namespace dagscape
