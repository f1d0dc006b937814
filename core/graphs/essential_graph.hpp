#pragma once

#include <cstdint>
#include <span>

#include "graphs/pdag.hpp"

namespace dagscape {

/// The essential graph (CPDAG) of the class of networks equivalent to this one: an arc is directed
/// if and only if all of the class have it that way.
Pdag essential_graph(const Dag& dag);

/// The same of the smaller class of networks that also agree in the arcs between variables of different
/// kinds, where scores tell their directions. Where rows come from experiments, it is the interventional
/// essential graph (Hauser and Bühlmann, JMLR 13, 2012), with variables of one kind if no set of targets has
/// one of the two alone.
Pdag essential_graph(const Dag& dag, std::span<const std::uint32_t> kinds);

}  // namespace dagscape
