#include "scores/side_by_side.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace dagscape {

namespace {

constexpr std::size_t width = SideBySide::width;
using Row = SideBySide::Row;

// Loops that only add, in one order: the same numbers whatever the instructions. GCC takes loops over a row
// apart before it can make vectors of them, unless it is told not to unroll them.
#if defined(__GNUC__) && !defined(__clang__)
#define DAGSCAPE_ROW_LOOP _Pragma("GCC unroll 1")
#else
#define DAGSCAPE_ROW_LOOP
#endif
#if defined(__GNUC__)
#define DAGSCAPE_INLINE inline __attribute__((always_inline))
#else
#define DAGSCAPE_INLINE inline
#endif

/// For variables of two states, which make two cells of each: sums += the rows of n and total − n.
DAGSCAPE_INLINE void add_halves(Row* sums, const std::uint32_t* counts, std::size_t variables,
                                std::uint32_t total, const Row* rows) {
    for (std::size_t v = 0; v < variables; ++v) {
        const Row& a = rows[counts[v]];
        const Row& b = rows[total - counts[v]];
        Row& sum = sums[v];
        DAGSCAPE_ROW_LOOP for (std::size_t i = 0; i < width; ++i) sum.of[i] += a.of[i] + b.of[i];
    }
}

/// The same for three states.
DAGSCAPE_INLINE void add_thirds(Row* sums, const std::uint32_t* counts, std::size_t variables,
                                std::uint32_t total, const Row* rows) {
    for (std::size_t v = 0; v < variables; ++v, counts += 2) {
        const Row& a = rows[counts[0]];
        const Row& b = rows[counts[1]];
        const Row& c = rows[total - counts[0] - counts[1]];
        Row& sum = sums[v];
        DAGSCAPE_ROW_LOOP for (std::size_t i = 0; i < width; ++i) sum.of[i] += a.of[i] + b.of[i] + c.of[i];
    }
}

/// The same for any number of states.
DAGSCAPE_INLINE void add_parts(Row* sums, const std::uint32_t* counts, std::size_t states,
                               std::size_t variables, std::uint32_t total, const Row* rows) {
    for (std::size_t v = 0; v < variables; ++v) {
        Row& sum = sums[v];
        std::uint32_t rest = total;
        for (std::size_t state = 1; state < states; ++state, ++counts) {
            const Row& a = rows[*counts];
            DAGSCAPE_ROW_LOOP for (std::size_t i = 0; i < width; ++i) sum.of[i] += a.of[i];
            rest -= *counts;
        }
        const Row& b = rows[rest];
        DAGSCAPE_ROW_LOOP for (std::size_t i = 0; i < width; ++i) sum.of[i] += b.of[i];
    }
}

/// The counts of one cell, all below the number of rows.
DAGSCAPE_INLINE void add_cell(Row* sums, const std::uint32_t* counts, std::size_t states,
                              std::size_t variables, std::uint32_t total, const Row* rows) {
    if (states == 2) return add_halves(sums, counts, variables, total, rows);
    if (states == 3) return add_thirds(sums, counts, variables, total, rows);
    add_parts(sums, counts, states, variables, total, rows);
}

void add_plain(Row* __restrict sums, const std::uint32_t* __restrict counts, std::size_t states,
               std::size_t variables, std::uint32_t total, const Row* __restrict rows) {
    add_cell(sums, counts, states, variables, total, rows);
}

#if defined(__x86_64__) && defined(__GNUC__)

__attribute__((target("avx2"))) void add_avx2(Row* __restrict sums, const std::uint32_t* __restrict counts,
                                              std::size_t states, std::size_t variables, std::uint32_t total,
                                              const Row* __restrict rows) {
    add_cell(sums, counts, states, variables, total, rows);
}

__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"))) void add_avx512(
    Row* __restrict sums, const std::uint32_t* __restrict counts, std::size_t states, std::size_t variables,
    std::uint32_t total, const Row* __restrict rows) {
    add_cell(sums, counts, states, variables, total, rows);
}

auto fastest(Instructions instructions) {
    if (instructions == Instructions::avx512) return add_avx512;
    return instructions == Instructions::avx2 ? add_avx2 : add_plain;
}

#else

auto fastest(Instructions /*instructions*/) { return add_plain; }

#endif

}  // namespace

SideBySide::SideBySide(const Score& score, double combinations, std::size_t counts, Instructions instructions)
    : score_(score), combinations_(combinations), add_cell_(fastest(instructions)), rows_(counts) {
    const auto alternatives = score.alternatives(2);
    assert(counts > 0 && !alternatives.empty() && alternatives.size() <= width);
    constants_.of.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < alternatives.size(); ++i)
        constants_.of[i] = alternatives[i]->constant(combinations);
    if (alternatives.size() < width) std::fill(rows_.begin(), rows_.end(), Row{});
    score.alternative_cells(combinations, counts, width, rows_.front().of.data());
}

void SideBySide::make(std::uint32_t count, Row& row) const {
    const auto alternatives = score_.alternatives(2);
    for (std::size_t i = 0; i < alternatives.size(); ++i)
        row.of[i] = alternatives[i]->cell(count, combinations_);
}

void SideBySide::add(const Cells& cells, std::size_t states, std::size_t variables, Row* sums) const {
    for (std::size_t cell = 0; cell < cells.cells; ++cell) {
        const std::uint32_t total = cells.totals[cell];
        const std::uint32_t* counts = cells.items + cell * cells.stride;
        if (total == 0) continue;
        if (total < rows_.size()) {
            add_cell_(sums, counts, states, variables, total, rows_.data());
        } else {
            add_large(counts, total, states, variables, sums);
        }
    }
}

void SideBySide::add_large(const std::uint32_t* counts, std::uint32_t total, std::size_t states,
                           std::size_t variables, Row* sums) const {
    for (std::size_t v = 0; v < variables; ++v) {
        std::uint32_t rest = total;
        for (std::size_t state = 1; state < states; ++state, ++counts) {
            add(*counts, 1, sums[v]);
            rest -= *counts;
        }
        add(rest, 1, sums[v]);
    }
}

void SideBySide::add(std::uint32_t count, double times, Row& sum) const {
    Row made{};
    if (count >= rows_.size()) make(count, made);
    const Row& row = count < rows_.size() ? rows_[count] : made;
    for (std::size_t i = 0; i < width; ++i) sum.of[i] += times * row.of[i];
}

}  // namespace dagscape
