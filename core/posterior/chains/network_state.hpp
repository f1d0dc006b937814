#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posterior/chains/weighted_lists.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

/// A network that changes: for each variable the place of its parent set, and rows of bits for its children.
/// Whoever changes it sees to it that there is no cycle.
class NetworkState {
  public:
    using Word = BitRows::Word;

    /// The lists must outlive it.
    NetworkState(const WeightedLists& lists, std::span<const std::uint32_t> places);

    std::size_t variables() const { return places_.size(); }
    const std::vector<std::uint32_t>& places() const { return places_; }
    std::uint32_t place(Var v) const { return places_[v]; }
    /// The log of its weight, summed up anew.
    double log_weight() const;
    void put(Var v, std::uint32_t place);
    template <typename Visit>
    void for_each_child(Var v, const Visit& visit) const {
        children_.for_each(v, visit);
    }
    /// The row of a variable and its descendants, by paths that enter no variable of `cut`.
    void below(Var from, const Word* cut, Word* found) const;

  private:
    const WeightedLists& lists_;
    std::vector<std::uint32_t> places_;
    BitRows children_;
};

}  // namespace dagscape
