#pragma once

#include "graphs/pdag.hpp"

namespace dagscape {

/// The essential graph (CPDAG) of the class of networks equivalent to this one: an arc is directed
/// if and only if all of the class have it that way.
Pdag essential_graph(const Dag& dag);

}  // namespace dagscape
