#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "control.hpp"
#include "random.hpp"
#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// A cluster and what it adds to the bound.
struct RaisedCluster {
    std::vector<Var> members;  // ascending
    double by;
};

struct Ascent {
    std::vector<RaisedCluster> clusters;  // each once, in the order in which they were found
    double gain = 0;
    bool impossible = false;  // a cluster's members all need a parent in it: there is no network
};

/// Greedy dual ascent over clusters (Trösser, de Givry and Katsirelos, Improved acyclicity reasoning for
/// Bayesian network structure learning with constraint programming, IJCAI 2021).
///
/// Begins at the reduced costs of the last pricing. As long as the sets that cost nothing make no network,
/// some variables are stuck: none of them has such a set without a parent among them. Of a smallest such
/// cluster, one member must take a set without a parent in it, so that the least reduced cost of these is due
/// in any case. It is added to the bound and taken off all of them, and the search goes on. No linear program
/// is solved: a cluster takes a pass over the sets of its members. Any number of variables.
///
/// Stops early, with what it has, when `control` does.
Ascent dual_ascent(const Families& families, std::uint64_t seed, Control& control);

}  // namespace dagscape
