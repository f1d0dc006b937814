#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "counts/items.hpp"
#include "counts/set_block.hpp"
#include "instructions.hpp"
#include "scores/count_table.hpp"
#include "scores/fitted_blocks.hpp"
#include "scores/keyed.hpp"
#include "scores/score.hpp"

namespace dagscape {

/// The score's set functions for whole blocks of sets, from tables of the formula at every count.
/// Safe to use from several threads.
class BlockScores {
  public:
    static constexpr std::size_t most_table_bytes = std::size_t{256} << 20;

    BlockScores(const ItemOrder& items, const Score& score, Instructions instructions = best_instructions());

    /// joint(prefix ∪ {v}) for every position v of the block.
    void joint(const SetBlock& block, double* values) const;
    /// joint(prefix) itself.
    double prefix(const SetBlock& block) const;
    /// The score's constant of a set with so many value combinations.
    double constant(double combinations) const;
    /// given(prefix ∪ {v}, child arity) likewise, for scores that are not equivalent.
    void given(const SetBlock& block, std::uint32_t child_arity, double* values) const;

  private:
    using Table = std::vector<double>;
    /// The values of `term` at every count, kept by key; null where no more tables may be kept.
    template <typename Term>
    const Table* table(double key, const Term& term) const;
    template <typename Lookup>
    void add(const SetBlock& block, std::size_t from, std::size_t to, const Lookup& lookup,
             double* values) const;
    template <typename Term>
    void add(const SetBlock& block, std::size_t from, std::size_t to, double key, const Term& term,
             double* values) const;

    const ItemOrder& last_of(const SetBlock& block) const { return block.last ? *block.last : items_; }

    const ItemOrder& items_;
    const Score& score_;
    std::uint32_t cases_;
    Keyed<Table> cell_tables_;
    Keyed<CountTable> given_tables_;
    Keyed<double> constants_;
    mutable std::atomic<std::size_t> kept_ = 0;
    std::optional<FittedBlocks> fitted_;  // for scores that choose among alternatives
};

}  // namespace dagscape
