#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Goes over the cells of a large table, last axis fastest, and knows for each the cell of a smaller one
/// whose variables are among its own. Axes that move alike in both are taken together, so that the inner loop
/// is long.
class AlignedWalk {
  public:
    /// An axis of the large table: its length, and how far one step moves in the small one.
    struct Axis {
        std::size_t length, step;
    };

    AlignedWalk() = default;
    explicit AlignedWalk(std::span<const Axis> axes) {
        for (const Axis& axis : axes) {
            if (axis.length == 1) continue;
            if (!axes_.empty() && axes_.back().step == axis.step * axis.length)
                axes_.back() = {axes_.back().length * axis.length, axis.step};
            else
                axes_.push_back(axis);
        }
    }

    /// `visit(large, small, count, step)` for stretches of cells: large + i goes with small + i × step.
    template <typename Visit>
    void for_each(const Visit& visit) const {
        if (axes_.empty()) {
            visit(std::size_t{0}, std::size_t{0}, std::size_t{1}, std::size_t{0});
            return;
        }
        const std::size_t outer = axes_.size() - 1;
        const auto [count, step] = axes_[outer];
        std::vector<std::size_t> at(outer, 0);
        std::size_t large = 0, small = 0;
        while (true) {
            visit(large, small, count, step);
            large += count;
            std::size_t axis = outer;
            while (axis > 0) {
                --axis;
                small += axes_[axis].step;
                if (++at[axis] < axes_[axis].length) break;
                small -= axes_[axis].step * axes_[axis].length;
                at[axis] = 0;
                if (axis == 0) return;
            }
            if (outer == 0) return;
        }
    }

  private:
    std::vector<Axis> axes_;  // the outermost first
};

/// The walk over a table of some variables beside one of some of them, both in ascending order of variables.
AlignedWalk walk_beside(std::span<const Var> large, std::span<const Var> small,
                        const std::vector<std::size_t>& arities);

/// large[i] *= small[the cell that belongs to i].
template <typename Number, typename Factor>
void multiply(std::span<Number> large, const AlignedWalk& walk, const Factor* small) {
    walk.for_each([&](std::size_t to, std::size_t from, std::size_t count, std::size_t step) {
        Number* cells = large.data() + to;
        const Factor* factors = small + from;
        if (step == 0) {
            const Number factor = *factors;
            for (std::size_t i = 0; i < count; ++i) cells[i] *= factor;
        } else if (step == 1) {
            for (std::size_t i = 0; i < count; ++i) cells[i] *= factors[i];
        } else {
            for (std::size_t i = 0; i < count; ++i) cells[i] *= factors[i * step];
        }
    });
}

/// small[...] += large[i]; the small table must be cleared before.
template <typename Number>
void add_up(std::span<const Number> large, const AlignedWalk& walk, Number* small) {
    walk.for_each([&](std::size_t from, std::size_t to, std::size_t count, std::size_t step) {
        const Number* cells = large.data() + from;
        Number* sums = small + to;
        if (step == 0) {
            Number sum = 0;
            for (std::size_t i = 0; i < count; ++i) sum += cells[i];
            *sums += sum;
        } else {
            for (std::size_t i = 0; i < count; ++i) sums[i * step] += cells[i];
        }
    });
}

/// small[...] = max(small[...], large[i]); likewise.
template <typename Number>
void greatest(std::span<const Number> large, const AlignedWalk& walk, Number* small) {
    walk.for_each([&](std::size_t from, std::size_t to, std::size_t count, std::size_t step) {
        const Number* cells = large.data() + from;
        Number* most = small + to;
        for (std::size_t i = 0; i < count; ++i) most[i * step] = std::max(most[i * step], cells[i]);
    });
}

}  // namespace dagscape
