#pragma once

#include <vector>

#include "counts/items.hpp"
#include "counts/set_block.hpp"

namespace dagscape {

/// Counts every set of a size by splitting the rows, cell by cell, along the tree of sets.
///
/// Rows are parted by the variables of the prefix, one after another; the last variable is only
/// counted. A cell of one row cannot be parted any more and is set aside with its weight. So a
/// set costs no more than the rows left, whatever its arities: the way for few distinct rows.
class RowWalk final : public SetWalk {
  public:
    /// Equal rows should have been collapsed into weights.
    RowWalk(const Table& table, const ItemOrder& order);

    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             BlockVisitor& visitor) override;
    std::size_t bytes() const override;

  private:
    class Worker;

    const ItemOrder& order_;
    std::size_t rows_;
    std::vector<std::uint32_t> weights_;
    // By position, for each row: its item among those of the position; past the last for the state without.
    std::vector<std::vector<std::uint16_t>> states_;
};

}  // namespace dagscape
