#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "instructions.hpp"
#include "scores/score.hpp"
#include "uninitialized.hpp"

namespace dagscape {

/// The values of a score's alternatives at every count up to a limit, those of one count side by side: so
/// that one pass over the counts of a set sums them by all alternatives. All sums add in the order of the
/// counts, so that nothing depends on the machine.
class SideBySide {
  public:
    /// Alternatives there may be; what is missing is never the best.
    static constexpr std::size_t width = 8;
    /// A value by each alternative: a line of the cache, and of the widest registers.
    struct alignas(64) Row {
        std::array<double, width> of;
    };
    static constexpr std::size_t bytes_of(std::size_t counts) { return counts * sizeof(Row); }

    /// For sets of several variables with so many value combinations, and counts below `counts`.
    SideBySide(const Score& score, double combinations, std::size_t counts, Instructions instructions);

    /// The constants, with which sums begin.
    const Row& constants() const { return constants_; }

    /// Counts in cells, as a `SetBlock` has them, from the first item of the first variable on.
    struct Cells {
        const std::uint32_t* totals;
        const std::uint32_t* items;
        std::size_t stride, cells;
    };
    /// Adds to the sum of each of these variables, which have so many states: over the counts of its states.
    void add(const Cells& cells, std::size_t states, std::size_t variables, Row* sums) const;
    /// Adds what so many cells of one count have.
    void add(std::uint32_t count, double times, Row& sum) const;

  private:
    /// Of a count beyond the limit, made now.
    void make(std::uint32_t count, Row& row) const;
    void add_large(const std::uint32_t* counts, std::uint32_t total, std::size_t states,
                   std::size_t variables, Row* sums) const;

    using AddCell = void (*)(Row* sums, const std::uint32_t* counts, std::size_t states,
                             std::size_t variables, std::uint32_t total, const Row* rows);

    const Score& score_;
    double combinations_;
    AddCell add_cell_;
    UninitializedVector<Row> rows_;  // by count
    Row constants_;
};

}  // namespace dagscape
