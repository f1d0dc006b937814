#pragma once

#include <atomic>
#include <cstddef>

#include "counts/items.hpp"
#include "counts/set_block.hpp"
#include "instructions.hpp"
#include "scores/keyed.hpp"
#include "scores/score.hpp"
#include "scores/side_by_side.hpp"

namespace dagscape {

/// Values of whole blocks of sets by a score that fits one of its alternatives to each: the largest of
/// theirs.
///
/// All alternatives are summed at once, from tables that have their values at a count side by side. Safe to
/// use from several threads.
class FittedBlocks {
  public:
    FittedBlocks(const ItemOrder& items, const Score& score, std::size_t table_bytes,
                 Instructions instructions)
        : items_(items), score_(score), table_bytes_(table_bytes), instructions_(instructions) {}

    /// joint(prefix ∪ {v}) for every position v of the block, numbered as in `last`.
    void joint(const SetBlock& block, const ItemOrder& last, double* values) const;
    /// joint(prefix) itself.
    double prefix(const SetBlock& block) const;

  private:
    const SideBySide& table(double combinations) const;
    void joint_of_one(const SetBlock& block, const ItemOrder& last, double* values) const;

    const ItemOrder& items_;
    const Score& score_;
    std::size_t table_bytes_;
    Instructions instructions_;
    Keyed<SideBySide> tables_;
    mutable std::atomic<std::size_t> kept_ = 0;
};

}  // namespace dagscape
