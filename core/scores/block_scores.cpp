#include "scores/block_scores.hpp"

#include <algorithm>

#include "clones.hpp"

namespace dagscape {

namespace {

/// values[i] += table[n_i] + table[total − n_i] for every cell: the two cells it falls into by a variable of
/// two states, for many such variables side by side.
DAGSCAPE_CLONES void add_halves(double* __restrict values, const std::uint32_t* __restrict items,
                                std::size_t stride, std::size_t lanes, const std::uint32_t* __restrict totals,
                                std::size_t cells, const double* __restrict table) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const double* from_total = table + totals[cell];
        const std::uint32_t* counts = items + cell * stride;
        if (totals[cell] > 0)
            for (std::size_t i = 0; i < lanes; ++i)
                values[i] += table[counts[i]] + *(from_total - static_cast<std::ptrdiff_t>(counts[i]));
    }
}

/// What the cells add that no variable can part.
template <typename Lookup>
double settled(const SetBlock& block, const Lookup& lookup) {
    double sum = 0;
    for (const auto& [cases, times] : block.settled) sum += times * lookup(cases);
    return sum;
}

}  // namespace

BlockScores::BlockScores(const ItemOrder& items, const Score& score, Instructions instructions)
    : items_(items), score_(score), cases_(items.cases) {
    if (!score.alternatives(1).empty()) fitted_.emplace(items, score, most_table_bytes, instructions);
}

template <typename Term>
const BlockScores::Table* BlockScores::table(double key, const Term& term) const {
    if ((kept_.load(std::memory_order_relaxed) + 1) * (std::size_t{cases_} + 1) * sizeof(double) >
        most_table_bytes)
        return nullptr;
    return cell_tables_.get(key, [&] {
        kept_.fetch_add(1, std::memory_order_relaxed);
        Table values(std::size_t{cases_} + 1, 0);
        for (std::size_t n = 1; n < values.size(); ++n) values[n] = term(static_cast<double>(n));
        return values;
    });
}

template <typename Lookup>
void BlockScores::add(const SetBlock& block, std::size_t from, std::size_t to, const Lookup& lookup,
                      double* values) const {
    const std::size_t items = last_of(block).states(from) - 1;
    const std::size_t first = last_of(block).before(from);
    for (std::size_t cell = 0; cell < block.cells; ++cell) {
        const std::uint32_t total = block.totals[cell];
        if (total == 0) continue;
        const std::uint32_t* counts = block.items + cell * block.stride + first;
        for (std::size_t v = from; v < to; ++v) {
            std::uint32_t rest = total;
            double sum = 0;
            for (std::size_t item = 0; item < items; ++item, ++counts) {
                sum += lookup(*counts);
                rest -= *counts;
            }
            // In this order, so that two states add up as `add_halves` does it.
            values[v] += sum + lookup(rest);
        }
    }
}

template <typename Term>
void BlockScores::add(const SetBlock& block, std::size_t from, std::size_t to, double key, const Term& term,
                      double* values) const {
    const Table* kept = table(key, term);
    if (kept && last_of(block).states(from) == 2) {
        add_halves(values + from, block.items + last_of(block).before(from), block.stride, to - from,
                   block.totals, block.cells, kept->data());
    } else if (kept) {
        add(block, from, to, [data = kept->data()](std::uint32_t n) { return data[n]; }, values);
    } else {
        add(block, from, to, [&](std::uint32_t n) { return n == 0 ? 0 : term(n); }, values);
    }
    const double rest = settled(block, [&](std::uint32_t n) { return kept ? (*kept)[n] : term(n); });
    for (std::size_t v = from; v < to; ++v) values[v] += rest;
}

void BlockScores::joint(const SetBlock& block, double* values) const {
    if (fitted_) return fitted_->joint(block, last_of(block), values);
    double above = 1;
    for (const std::size_t position : block.prefix) above *= static_cast<double>(items_.states(position));
    last_of(block).each_arity(block.from, block.below, [&](std::size_t from, std::size_t to) {
        const double combinations = above * static_cast<double>(last_of(block).states(from));
        const auto term = [&](double n) { return score_.cell(n, combinations); };
        std::fill(values + from, values + to, constant(combinations));
        add(block, from, to, score_.cell_uses_combinations() ? combinations : 0, term, values);
    });
}

double BlockScores::prefix(const SetBlock& block) const {
    if (fitted_) return fitted_->prefix(block);
    double combinations = 1;
    for (const std::size_t position : block.prefix)
        combinations *= static_cast<double>(items_.states(position));
    const auto term = [&](double n) { return score_.cell(n, combinations); };
    const Table* kept = table(score_.cell_uses_combinations() ? combinations : 0, term);
    const auto lookup = [&](std::uint32_t n) { return n == 0 ? 0 : kept ? (*kept)[n] : term(n); };
    double sum = constant(combinations) + settled(block, lookup);
    for (std::size_t cell = 0; cell < block.cells; ++cell) sum += lookup(block.totals[cell]);
    return sum;
}

double BlockScores::constant(double combinations) const {
    const auto make = [&] { return score_.constant(combinations); };
    const double* kept = constants_.get(combinations, make);
    return kept ? *kept : make();
}

void BlockScores::given(const SetBlock& block, std::uint32_t child_arity, double* values) const {
    const auto term = [&](double n) { return score_.given_cell(n, child_arity); };
    // Filled as counts are met: some of these formulas are too dear for every count there could be.
    const CountTable* kept = given_tables_.get(child_arity, [&] {
        return CountTable([this, child_arity](double n) { return score_.given_cell(n, child_arity); },
                          cases_);
    });
    const auto at = [&](std::uint32_t n) { return n == 0 ? 0 : kept ? (*kept)(n) : term(n); };
    last_of(block).each_arity(block.from, block.below, [&](std::size_t from, std::size_t to) {
        std::fill(values + from, values + to, settled(block, at));
        add(block, from, to, at, values);
    });
}

}  // namespace dagscape
