#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Sets out of any number of variables as rows of bits, one after another in memory: millions of sets, or a
/// relation between variables.
class BitRows {
  public:
    using Word = std::uint64_t;

    BitRows(std::size_t rows, std::size_t variables) : width_(width(variables)), words_(rows * width_) {}

    /// Words in a row.
    std::size_t width() const { return width_; }
    static constexpr std::size_t width(std::size_t variables) { return (variables + 63) / 64; }

    Word* operator[](std::size_t row) { return words_.data() + row * width_; }
    const Word* operator[](std::size_t row) const { return words_.data() + row * width_; }

    bool has(std::size_t row, Var v) const { return ((*this)[row][v / 64] >> (v % 64) & 1) != 0; }
    void insert(std::size_t row, Var v) { (*this)[row][v / 64] |= Word{1} << (v % 64); }
    void erase(std::size_t row, Var v) { (*this)[row][v / 64] &= ~(Word{1} << (v % 64)); }
    void clear() { words_.assign(words_.size(), 0); }
    void clear(std::size_t row) {
        for (std::size_t i = 0; i < width_; ++i) (*this)[row][i] = 0;
    }

    void copy(std::size_t row, const Word* from) {
        for (std::size_t i = 0; i < width_; ++i) (*this)[row][i] = from[i];
    }
    void unite(std::size_t row, const Word* with) {
        for (std::size_t i = 0; i < width_; ++i) (*this)[row][i] |= with[i];
    }
    bool empty(std::size_t row) const {
        Word any = 0;
        for (std::size_t i = 0; i < width_; ++i) any |= (*this)[row][i];
        return any == 0;
    }
    /// Whether a row has nothing in common with another, of this or of other rows.
    bool apart(std::size_t row, const Word* other) const {
        Word common = 0;
        for (std::size_t i = 0; i < width_; ++i) common |= (*this)[row][i] & other[i];
        return common == 0;
    }

    /// Members in ascending order. Those removed meanwhile from the word at hand are visited all the same.
    template <typename Visit>
    void for_each(std::size_t row, const Visit& visit) const {
        for_each((*this)[row], width_, visit);
    }
    template <typename Visit>
    static void for_each(const Word* words, std::size_t width, const Visit& visit) {
        for (std::size_t i = 0; i < width; ++i)
            for (Word rest = words[i]; rest != 0; rest &= rest - 1)
                visit(static_cast<Var>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
    }

  private:
    std::size_t width_;
    std::vector<Word> words_;
};

}  // namespace dagscape
