#pragma once

#include "counts/bit_kernels.hpp"
#include "counts/counter.hpp"
#include "counts/items.hpp"

namespace dagscape {

/// Counts a single set from bitmaps of states: an intersection for every choice of states but the most
/// common ones, and the other cells by subtraction. The cost is the number of combinations times the
/// words of a bitmap, whatever the number of variables.
class BitmapCounter final : public Counter {
  public:
    /// The table's rows must count once each.
    BitmapCounter(const Table& table, Instructions instructions);

    void count(Members set, std::vector<std::uint32_t>& counts) const override;

  private:
    struct Query;
    void intersect(Query& query, std::size_t depth, const std::uint64_t* mask, std::size_t cell) const;

    ItemOrder order_;
    ItemBitmaps items_;
    const BitKernels& kernels_;
};

}  // namespace dagscape
