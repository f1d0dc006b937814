#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "varset/bit_rows.hpp"

namespace dagscape {

/// The parent sets of one child, word by word: first the first words of all sets, then their second words.
/// One question is so asked of many sets at once, and words that the question does not touch cost nothing.
class SetColumns {
  public:
    using Word = BitRows::Word;

    SetColumns() = default;
    /// The first so many rows.
    SetColumns(const BitRows& rows, std::size_t count);

    std::size_t size() const { return size_; }
    std::size_t width() const { return words_.size(); }
    bool has(std::size_t at, Var v) const { return (words_[v / 64][at] >> (v % 64) & 1) != 0; }
    bool apart(std::size_t at, const Word* mask) const {
        Word common = 0;
        for (std::size_t i = 0; i < width(); ++i) common |= words_[i][at] & mask[i];
        return common == 0;
    }
    void copy(std::size_t at, Word* to) const {
        for (std::size_t i = 0; i < width(); ++i) to[i] = words_[i][at];
    }
    /// Keeps only the sets at these places, ascending.
    void keep(std::span<const std::uint32_t> places);

    /// Takes so much off the costs of the first so many sets, where a set has nothing in common with the
    /// mask.
    void take_apart(const Word* mask, double amount, std::span<double> costs) const;
    /// The least of the costs of such sets; infinite if there is none.
    double least_apart(const Word* mask, std::span<const double> costs) const;
    /// Takes so much off where a set has fewer than `least` members in common with the mask.
    void take_fewer(const Word* mask, std::uint32_t least, double amount, std::span<double> costs) const;
    /// Takes an amount that depends on which of the members a set has: bit i of the place in the table is the
    /// i-th.
    void take_by_members(std::span<const Var> members, std::span<const double> table, double times,
                         std::span<double> costs) const;

  private:
    std::size_t size_ = 0;
    std::vector<std::vector<Word>> words_;  // by number of the word, then by set
};

}  // namespace dagscape
