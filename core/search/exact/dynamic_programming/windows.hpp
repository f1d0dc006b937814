#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

struct ImprovedOrder {
    std::vector<Var> order;
    std::vector<std::uint32_t> places;  // of each variable's best set in it
    std::uint64_t windows = 0;          // that were solved
    std::uint64_t gains = 0;            // of these, in how many a better order was found
};

/// Makes an order better by solving windows of it exactly: so many variables that follow each other are put
/// in their best order by dynamic programming, those before them being available and those after them not.
/// Windows overlap by half, and are gone through until none gains, or time is over.
///
/// Lists must be sorted, and the order must make a network with them.
ImprovedOrder improve_windows(const ParentLists& parents, std::vector<Var> order, std::size_t width,
                              Control& control);

}  // namespace dagscape
