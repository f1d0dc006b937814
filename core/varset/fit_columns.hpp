#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Many sets of variables, to find the first that fits: for each variable a bit for every set that has it,
/// blocks of 512 sets at a time.
///
/// Where few variables are absent, sets that have one are struck out, a block at once. Where few are
/// available, these are counted down from the sizes of the sets, and what is left over is struck out. So a
/// set costs about a bit for each of the fewer, where comparing it costs its words.
class FitColumns {
  public:
    static constexpr std::size_t block = 512;
    static constexpr std::size_t most_variables = 256;

    FitColumns() = default;
    /// For so many sets of variables that occur, each of up to `largest` of them.
    FitColumns(std::size_t variables, std::span<const Var> occurring, std::size_t largest, std::size_t sets);
    /// An upper limit.
    static std::size_t bytes_for(std::size_t occurring, std::size_t sets);

    bool empty() const { return words_.empty(); }
    /// To be called once for each set, in any order.
    void put(std::uint32_t set, std::span<const Var> members);
    bool contains(std::uint32_t set, Var v) const {
        return has(v) && (words_[at(set, slots_[v])] >> (set % 64) & 1) != 0;
    }
    /// The first set from `from` on and before `end` whose members are all available; `end` if none is.
    std::uint32_t first(std::uint32_t from, std::uint32_t end, const std::uint64_t* available) const;
    /// Likewise, of the sets that have a variable, which must be available.
    std::uint32_t first_with(Var needed, std::uint32_t from, std::uint32_t end,
                             const std::uint64_t* available) const;

  private:
    static constexpr std::size_t block_words = block / 64;

    bool has(Var v) const { return (occurring_[v / 64] >> (v % 64) & 1) != 0; }
    std::size_t at(std::uint32_t set, std::size_t column) const {
        return (set / block * columns_ + column) * block_words + set % block / 64;
    }
    std::uint32_t first_with_column(std::size_t needed, std::uint32_t from, std::uint32_t end,
                                    const std::uint64_t* available) const;

    std::size_t columns_ = 0;    // of variables, then of sizes
    std::size_t size_bits_ = 0;  // sizes as binary numbers, lowest bit first
    std::size_t occurring_count_ = 0;
    std::vector<std::uint64_t> occurring_;
    std::vector<std::uint16_t> slots_;  // by variable, of those that occur
    std::vector<std::uint64_t> words_;  // by block, then column
};

}  // namespace dagscape
