#pragma once

#include <string>
#include <string_view>

#include "graphs/pdag.hpp"

namespace dagscape {

/// A graph in a few bytes, the same for equal graphs: what many optima are told apart, kept and stored by.
///
/// Its edges as pairs of two-byte numbers, low byte first, in ascending order. A directed edge is the pair
/// (from, to), an undirected one both (a, b) and (b, a).
std::string encode(const Pdag& graph);

/// The graph of a code. Throws where it is not the code of a graph, or of one with so many variables.
Pdag decode(std::size_t variables, std::string_view code);

}  // namespace dagscape
