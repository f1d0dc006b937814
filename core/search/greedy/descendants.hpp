#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "varset/bit_rows.hpp"

namespace dagscape {

/// Who can be reached from whom along the arcs of a network that changes arc by arc.
class Descendants {
  public:
    explicit Descendants(std::size_t variables)
        : variables_(variables), below_(variables, variables), one_(1, variables) {}

    bool reaches(Var from, Var to) const { return below_.has(from, to); }
    const BitRows::Word* of(Var v) const { return below_[v]; }

    void add(Var from, Var to) {
        if (reaches(from, to)) return;
        one_.copy(0, below_[to]);
        one_.insert(0, to);
        below_.unite(from, one_[0]);
        for (std::size_t v = 0; v < variables_; ++v)
            if (reaches(static_cast<Var>(v), from)) below_.unite(v, one_[0]);
    }

    /// After the arc is gone from `children`: makes the rows of its tail and of all above it anew, and calls
    /// `changed` for them.
    template <typename Changed>
    void remove(Var from, Var to, const BitRows& children, const Changed& changed) {
        // Another way from the tail to the head may be left, and then nothing changes.
        bool other_way = false;
        children.for_each(from, [&](Var child) { other_way = other_way || reaches(child, to); });
        if (other_way) return;
        above_.clear();
        for (std::size_t v = 0; v < variables_; ++v)
            if (v == from || reaches(static_cast<Var>(v), from))
                above_.emplace_back(size(v), static_cast<Var>(v));
        // Whoever is below another has fewer below itself: that one's row is made before.
        std::sort(above_.begin(), above_.end());
        for (const auto& [size, v] : above_) {
            one_.clear();
            children.for_each(v, [&](Var child) {
                one_.unite(0, below_[child]);
                one_.insert(0, child);
            });
            below_.copy(v, one_[0]);
            changed(v);
        }
    }

  private:
    std::size_t size(std::size_t v) const {
        std::size_t members = 0;
        for (std::size_t i = 0; i < below_.width(); ++i)
            members += static_cast<std::size_t>(std::popcount(below_[v][i]));
        return members;
    }

    std::size_t variables_;
    BitRows below_;
    BitRows one_;
    std::vector<std::pair<std::size_t, Var>> above_;
};

}  // namespace dagscape
