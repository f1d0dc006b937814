#pragma once

#include <cstdint>
#include <vector>

#include "data/table.hpp"

namespace dagscape {

/// Rows, each with the number of the group it lies in.
struct RowGroups {
    std::vector<std::uint32_t> group;  // one number per row
    std::size_t bound = 1;             // every number is below it; some numbers may be in no use

    /// All rows in one group.
    explicit RowGroups(std::size_t rows = 0) : group(rows, 0) {}

    /// Splits every group by the column's codes; numbers become group * arity + code.
    /// The caller sees to it that they fit 32 bits.
    void spread(const Column& column);
    /// Splits likewise, and numbers the groups that occur from 0: never more than there are rows.
    void split(const Column& column);
};

}  // namespace dagscape
