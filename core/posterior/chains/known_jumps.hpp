#pragma once

#include <cstdint>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"

namespace dagscape {

/// Variables whose parents two known networks join in different ways: the same variables twice, in an order
/// in which the arcs of the one go, and in which those of the other go.
struct Jump {
    std::vector<Var> one, other;
    bool operator==(const Jump&) const = default;
};

/// How many variables a jump may have.
struct JumpSizes {
    /// Smaller ones are done by `GroupMove`, without a rejection.
    std::size_t fewest = 5;
    /// The larger a block, the less often its present network obeys one order from end to end.
    std::size_t most = 16;
};

/// What chains may jump between, from networks that are known before they begin (the places of their parent
/// sets).
///
/// For each two of them: the variables whose parents differ fall into blocks, joined by the arcs of either
/// network between them. A block's order is that of ancestors in the whole network; where that leaves a
/// choice, lower numbers come first. Blocks that have the same order in both are left out: given
/// the order, each variable's parents are chosen for themselves, and small groups suffice. Each jump is there
/// once, however many pairs have it, and in whichever direction.
std::vector<Jump> known_jumps(const WeightedLists& lists,
                              const std::vector<std::vector<std::uint32_t>>& networks,
                              const JumpSizes& sizes = {});

}  // namespace dagscape
