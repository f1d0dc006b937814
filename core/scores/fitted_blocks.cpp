#include "scores/fitted_blocks.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dagscape {

namespace {

using Row = SideBySide::Row;

/// Counts that a table has while there is room, beyond that, and where it is not kept. Larger ones are rare:
/// n cases have at most n / 65536 cells of 65536 and more.
constexpr std::size_t most_counts = 65536, fewest_counts = 1024, unkept_counts = 64;

/// A count, and how many cells have it.
using Times = std::pair<std::uint32_t, std::uint32_t>;

/// For sets of one variable and none, which choose among more: they are few, and looked at once.
double by_formula(const Score& score, std::size_t size, double combinations, std::span<const Times> cells) {
    double most = -std::numeric_limits<double>::infinity();
    for (const auto& alternative : score.alternatives(size)) {
        double sum = alternative->constant(combinations);
        for (const auto& [n, times] : cells)
            if (n > 0) sum += times * alternative->cell(n, combinations);
        most = std::max(most, sum);
    }
    return most;
}

double largest(const Row& sum) { return *std::max_element(sum.of.begin(), sum.of.end()); }

}  // namespace

const SideBySide& FittedBlocks::table(double combinations) const {
    const std::size_t all = std::size_t{items_.cases} + 1;
    const auto make = [&] {
        const std::size_t most = std::min(all, most_counts);
        const std::size_t kept = kept_.fetch_add(SideBySide::bytes_of(most), std::memory_order_relaxed);
        return SideBySide(score_, combinations, kept < table_bytes_ ? most : std::min(most, fewest_counts),
                          instructions_);
    };
    if (const SideBySide* kept = tables_.get(combinations, make)) return *kept;
    thread_local std::optional<SideBySide> own;
    return own.emplace(score_, combinations, std::min(all, unkept_counts), instructions_);
}

void FittedBlocks::joint(const SetBlock& block, const ItemOrder& last, double* values) const {
    if (block.prefix.empty()) return joint_of_one(block, last, values);
    double above = 1;
    for (const std::size_t position : block.prefix) above *= static_cast<double>(items_.states(position));
    thread_local UninitializedVector<Row> sums;
    if (sums.size() < block.below) sums.resize(block.below);
    last.each_arity(block.from, block.below, [&](std::size_t from, std::size_t to) {
        const SideBySide& all = table(above * static_cast<double>(last.states(from)));
        std::fill(sums.begin() + from, sums.begin() + to, all.constants());
        all.add({block.totals, block.items + last.before(from), block.stride, block.cells}, last.states(from),
                to - from, &sums[from]);
        Row rest{};
        for (const auto& [count, times] : block.settled) all.add(count, times, rest);
        for (std::size_t v = from; v < to; ++v) {
            for (std::size_t i = 0; i < SideBySide::width; ++i) sums[v].of[i] += rest.of[i];
            values[v] = largest(sums[v]);
        }
    });
}

void FittedBlocks::joint_of_one(const SetBlock& block, const ItemOrder& last, double* values) const {
    std::vector<Times> cells;
    for (std::size_t v = block.from; v < block.below; ++v) {
        const std::size_t states = last.states(v);
        cells.assign(block.settled.begin(), block.settled.end());
        for (std::size_t cell = 0; cell < block.cells; ++cell) {
            std::uint32_t rest = block.totals[cell];
            for (std::size_t item = last.before(v); item + 1 < last.before(v) + states; ++item) {
                cells.emplace_back(block.items[cell * block.stride + item], 1);
                rest -= cells.back().first;
            }
            cells.emplace_back(rest, 1);
        }
        values[v] = by_formula(score_, 1, static_cast<double>(states), cells);
    }
}

double FittedBlocks::prefix(const SetBlock& block) const {
    double combinations = 1;
    for (const std::size_t position : block.prefix)
        combinations *= static_cast<double>(items_.states(position));
    if (block.prefix.size() < 2) {
        std::vector<Times> cells(block.settled.begin(), block.settled.end());
        for (std::size_t cell = 0; cell < block.cells; ++cell) cells.emplace_back(block.totals[cell], 1);
        return by_formula(score_, block.prefix.size(), combinations, cells);
    }
    const SideBySide& all = table(combinations);
    Row sum = all.constants(), rest{};
    for (std::size_t cell = 0; cell < block.cells; ++cell) all.add(block.totals[cell], 1, sum);
    for (const auto& [count, times] : block.settled) all.add(count, times, rest);
    for (std::size_t i = 0; i < SideBySide::width; ++i) sum.of[i] += rest.of[i];
    return largest(sum);
}

}  // namespace dagscape
