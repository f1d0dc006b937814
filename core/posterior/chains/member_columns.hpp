#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Many sets of variables, 512 at a time: for each variable a bit for every set that has it. Which of 512
/// sets have one of several variables is told by uniting their columns.
class MemberColumns {
  public:
    static constexpr std::size_t block_words = 8;
    static constexpr std::size_t block = 64 * block_words;
    using Block = std::array<std::uint64_t, block_words>;

    MemberColumns(std::size_t sets, std::size_t variables);
    static double bytes_for(std::size_t sets, std::size_t variables);

    void put(std::size_t set, Members members);
    /// The sets of a block that have one of these variables.
    void unite(std::size_t number, Members having, Block& found) const;
    /// The first set without a variable; the number of sets if there is none.
    std::size_t first_without(Var v) const;

    std::size_t size() const { return sets_; }
    std::size_t blocks() const { return (sets_ + block - 1) / block; }

  private:
    std::size_t sets_, variables_;
    std::vector<std::uint64_t> words_;  // by block, then variable
};

}  // namespace dagscape
