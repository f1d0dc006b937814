#pragma once

#include "counts/counter.hpp"
#include "data/table.hpp"

namespace dagscape {

/// Counts by splitting the rows, one variable of the set after another.
///
/// Rows are numbered by the cell they lie in. While the cells of the set so far are few, the number
/// is the mixed-radix value of the row's codes; before it would outgrow the table, the cells that
/// occur are numbered anew, and those are never more than the rows. So any set of any size costs
/// O(rows) per variable.
class RowPartition final : public Counter {
  public:
    /// Keeps a copy of the table with equal rows collapsed where that makes it much shorter.
    explicit RowPartition(const Table& table);

    void count(Members set, std::vector<std::uint32_t>& counts) const override;
    /// Rows that are walked for each set.
    std::size_t rows() const { return table_.rows(); }

  private:
    Table table_;
};

}  // namespace dagscape
