#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "control.hpp"
#include "counts/items.hpp"
#include "varset/wanted_sets.hpp"

namespace dagscape {

/// The counts of all sets that add one more variable to a prefix, side by side.
///
/// Walks over all sets take variables in an order of their own (`ItemOrder`); a position is a place in
/// it. Cells of the prefix that do not occur may be there or not, with zero counts.
struct SetBlock {
    std::span<const std::size_t> prefix;  // positions, descending
    std::size_t below;                    // the last variable takes every position below this one
    std::size_t cells;                    // value combinations of the prefix
    const std::uint32_t* totals;          // cases of each of them
    const std::uint32_t* items;           // items[cell * stride + item]: cases of the cell with the item
    std::size_t stride;
    /// Further cells, of rows that no variable can part: cases of such a cell, and how many there are.
    std::span<const std::pair<std::uint32_t, std::uint32_t>> settled = {};
    std::size_t from = 0;             // the last variable takes no position below this one
    const ItemOrder* last = nullptr;  // the order of the last variable, where it is not that of the prefix
};

/// Sees every block once, from several threads at a time.
class BlockVisitor {
  public:
    virtual ~BlockVisitor() = default;
    virtual void visit(const SetBlock& block, std::size_t worker) = 0;
};

/// Counts all sets of one size after another, the smaller sizes first.
class SetWalk {
  public:
    virtual ~SetWalk() = default;

    /// Shows the blocks of all sets of this size, or at least of those that are wanted; all smaller sizes
    /// must have been walked, and kept. `keep`: larger sizes will be asked for, and all sets are wanted.
    /// Which thread does what changes no number. Where `control` stops the walk, some blocks are not shown,
    /// and no larger size may be asked for.
    virtual void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads,
                     Control& control, BlockVisitor& visitor) = 0;
    /// Memory in use.
    virtual std::size_t bytes() const = 0;
};

}  // namespace dagscape
