#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "varset/var.hpp"

namespace dagscape {

/// A set out of at most 64 `Words` variables, without memory of its own; speaks like VarSet, which is the
/// one for a single word.
template <std::size_t Words>
class FixedSet {
  public:
    static constexpr std::size_t most = 64 * Words;

    constexpr FixedSet() = default;
    /// The variables 0 to `variables` - 1.
    static constexpr FixedSet first(std::size_t variables) {
        FixedSet set;
        for (std::size_t v = 0; v < variables; ++v) set = set | static_cast<Var>(v);
        return set;
    }

    constexpr const std::uint64_t* words() const { return words_.data(); }
    constexpr std::uint64_t* words() { return words_.data(); }
    constexpr bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    constexpr std::size_t size() const {
        std::size_t members = 0;
        for (const std::uint64_t word : words_) members += static_cast<std::size_t>(std::popcount(word));
        return members;
    }
    constexpr bool contains(Var v) const { return (words_[v / 64] >> (v % 64) & 1) != 0; }
    constexpr bool subset_of(const FixedSet& other) const { return (*this - other).empty(); }
    constexpr bool intersects(const FixedSet& other) const { return !(*this & other).empty(); }
    /// The lowest member of a set that has one.
    constexpr Var lowest() const {
        std::size_t word = 0;
        while (words_[word] == 0) ++word;
        return static_cast<Var>(word * 64 + static_cast<std::size_t>(std::countr_zero(words_[word])));
    }
    constexpr std::uint64_t hash() const {
        std::uint64_t mixed = 0;
        for (const std::uint64_t word : words_) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15;
        return mixed;
    }

    friend constexpr FixedSet operator|(FixedSet a, const FixedSet& b) {
        for (std::size_t i = 0; i < Words; ++i) a.words_[i] |= b.words_[i];
        return a;
    }
    friend constexpr FixedSet operator&(FixedSet a, const FixedSet& b) {
        for (std::size_t i = 0; i < Words; ++i) a.words_[i] &= b.words_[i];
        return a;
    }
    friend constexpr FixedSet operator-(FixedSet a, const FixedSet& b) {
        for (std::size_t i = 0; i < Words; ++i) a.words_[i] &= ~b.words_[i];
        return a;
    }
    friend constexpr FixedSet operator|(FixedSet a, Var v) {
        a.words_[v / 64] |= std::uint64_t{1} << (v % 64);
        return a;
    }
    friend constexpr FixedSet operator-(FixedSet a, Var v) {
        a.words_[v / 64] &= ~(std::uint64_t{1} << (v % 64));
        return a;
    }
    friend constexpr auto operator<=>(const FixedSet&, const FixedSet&) = default;
    friend constexpr bool operator==(const FixedSet& a, const FixedSet& b) {
        std::uint64_t different = 0;
        for (std::size_t i = 0; i < Words; ++i) different |= a.words_[i] ^ b.words_[i];
        return different == 0;
    }

    /// Members in ascending order. The set must not change while it is walked.
    class Iterator {
      public:
        using value_type = Var;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;
        using reference = Var;
        using pointer = void;

        constexpr Iterator() = default;
        constexpr Iterator(const FixedSet& set, std::size_t word) : set_(&set), word_(word) {
            if (word_ < Words) rest_ = set.words_[word_];
            skip();
        }
        constexpr Var operator*() const { return static_cast<Var>(word_ * 64 + std::countr_zero(rest_)); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            skip();
            return *this;
        }
        constexpr Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend constexpr bool operator==(const Iterator& a, const Iterator& b) {
            return a.word_ == b.word_ && a.rest_ == b.rest_;
        }

      private:
        constexpr void skip() {
            while (rest_ == 0 && word_ < Words)
                if (++word_ < Words) rest_ = set_->words_[word_];
        }
        const FixedSet* set_ = nullptr;
        std::size_t word_ = Words;
        std::uint64_t rest_ = 0;
    };
    constexpr Iterator begin() const { return Iterator(*this, 0); }
    constexpr Iterator end() const { return Iterator(*this, Words); }

  private:
    std::array<std::uint64_t, Words> words_{};
};

}  // namespace dagscape
