#pragma once

#include <cstdint>

#include "graphs/dag.hpp"
#include "graphs/pdag.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

/// How the classes next to one are found: all of them listed, some drawn at random, or listed unless there
/// are too many.
enum class Neighborhood { exact, sampled, automatic };

/// Where a search over equivalence classes ended.
struct ClassSearch {
    Pdag graph;  // essential
    Dag dag;     // of the class
    double score = 0;
    std::uint64_t steps = 0;
    std::uint64_t classes = 0;  // that scored higher, summed over all steps
    bool sampled = false;       // whether neighbors were drawn, not listed, somewhere
    bool done = true;           // whether no neighbor scores higher, as far as was looked
};

/// Throws unless the graph is an essential one on so many variables.
void check_essential(const Pdag& graph, std::size_t variables);
/// Says which class a search is at: its graph, a network of it and the score of that.
void end_at(ClassSearch& search, Pdag graph, const Scorer& scorer);
void end_at(ClassSearch& search, const Dag& dag, const Scorer& scorer);

}  // namespace dagscape
