#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "counts/bit_kernels.hpp"
#include "counts/items.hpp"
#include "counts/set_block.hpp"
#include "uninitialized.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

/// Counts every set of a size in one walk over the tree of sets.
///
/// A set is a path that adds ever lower positions. For every choice of items of its variables the
/// walk holds the bitmap of the rows that have them all; popcounts of that with each lower item's
/// bitmap count all sets one larger. Where enough sets lie below, the lower bitmaps are packed to
/// the rows that are left, so deep sets cost little; where none is left, nothing is counted.
/// Counts of item choices become full tables by subtraction along each variable, done for all last
/// variables at once, with the counts of smaller sets kept from their own walks.
class BitmapWalk final : public SetWalk {
  public:
    BitmapWalk(const ItemBitmaps& items, Instructions instructions);

    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             BlockVisitor& visitor) override;
    std::size_t bytes() const override;

  private:
    class Worker;
    struct Task {
        std::size_t top;       // highest position of the sets
        std::size_t from, to;  // second highest positions
        double share;          // of all sets
    };
    std::vector<Task> tasks(std::size_t size, std::size_t threads) const;
    void lay_out_slices(std::size_t size);
    std::uint32_t* slice(std::size_t size, std::uint64_t rank) {
        return kept_[size].counts.data() + kept_[size].offsets[rank];
    }

    /// For sets of one size, by rank: their counts with each lower item, for each choice of their own items.
    struct Kept {
        std::vector<std::uint64_t> offsets;
        UninitializedVector<std::uint32_t> counts;
    };
    const ItemBitmaps& bitmaps_;
    const ItemOrder& items_;
    const BitKernels& kernels_;
    Ranks ranks_;
    std::vector<Kept> kept_;  // by size
};

}  // namespace dagscape
