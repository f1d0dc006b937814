#pragma once

#include <cstdint>
#include <vector>

#include "graphs/pdag.hpp"

namespace dagscape {

/// In how many ways each undirected part of an essential graph can be directed without a cycle or a further
/// v-structure; the product is the number of networks of the class. One number for each connected part with
/// edges, by lowest variable.
///
/// He, Jia and Yu, Counting and exploring sizes of Markov equivalence classes of directed acyclic graphs,
/// JMLR 2015: each variable in turn as the only source, which directs edges and leaves smaller undirected
/// parts. Trees and cliques have formulas; elsewhere it can take long with more than some thirty variables in
/// a part. Throws where a part has more than 64 variables, or a number does not fit 64 bits.
std::vector<std::uint64_t> class_size(const Pdag& essential_graph);

}  // namespace dagscape
