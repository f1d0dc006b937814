#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "varset/var.hpp"

namespace dagscape {

/// A set out of at most 64 variables, in one word.
class VarSet {
  public:
    static constexpr std::size_t most = 64;

    constexpr VarSet() = default;
    constexpr explicit VarSet(std::uint64_t bits) : bits_(bits) {}
    static constexpr VarSet of(Members members) {
        VarSet set;
        for (const Var v : members) set = set | v;
        return set;
    }
    /// The variables 0 to `variables` - 1.
    static constexpr VarSet first(std::size_t variables) {
        return VarSet(variables == 0 ? 0 : ~std::uint64_t{0} >> (most - variables));
    }

    constexpr std::uint64_t bits() const { return bits_; }
    constexpr const std::uint64_t* words() const { return &bits_; }
    constexpr std::uint64_t* words() { return &bits_; }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr std::size_t size() const { return static_cast<std::size_t>(std::popcount(bits_)); }
    constexpr bool contains(Var v) const { return (bits_ >> v & 1) != 0; }
    constexpr bool subset_of(VarSet other) const { return (bits_ & ~other.bits_) == 0; }
    constexpr bool intersects(VarSet other) const { return (bits_ & other.bits_) != 0; }
    constexpr std::uint64_t hash() const { return bits_ * 0x9e3779b97f4a7c15; }
    /// The lowest member of a set that has one.
    constexpr Var lowest() const { return static_cast<Var>(std::countr_zero(bits_)); }

    friend constexpr VarSet operator|(VarSet a, VarSet b) { return VarSet(a.bits_ | b.bits_); }
    friend constexpr VarSet operator&(VarSet a, VarSet b) { return VarSet(a.bits_ & b.bits_); }
    friend constexpr VarSet operator-(VarSet a, VarSet b) { return VarSet(a.bits_ & ~b.bits_); }
    friend constexpr VarSet operator|(VarSet a, Var v) { return VarSet(a.bits_ | std::uint64_t{1} << v); }
    friend constexpr VarSet operator-(VarSet a, Var v) { return VarSet(a.bits_ & ~(std::uint64_t{1} << v)); }
    friend constexpr auto operator<=>(VarSet, VarSet) = default;

    /// Members in ascending order.
    class Iterator {
      public:
        using value_type = Var;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;
        using reference = Var;
        using pointer = void;

        constexpr Iterator() = default;
        constexpr explicit Iterator(std::uint64_t rest) : rest_(rest) {}
        constexpr Var operator*() const { return static_cast<Var>(std::countr_zero(rest_)); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        constexpr Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

      private:
        std::uint64_t rest_ = 0;
    };
    constexpr Iterator begin() const { return Iterator(bits_); }
    constexpr Iterator end() const { return Iterator(); }

  private:
    std::uint64_t bits_ = 0;
};

}  // namespace dagscape
