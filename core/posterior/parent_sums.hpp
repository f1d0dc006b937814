#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "posterior/scaled.hpp"
#include "posterior/weighted_sets.hpp"
#include "uninitialized.hpp"

namespace dagscape {

/// A_v(U), the weight of all parent sets of v among U: for every variable v of a component and every set U of
/// the others. One zeta transform per variable (Koivisto and Sood, JMLR 2004).
///
/// Each sum has an exponent of its own. All are sums of positive numbers, so each is right to a few units in
/// the last place.
class ParentSums {
  public:
    /// Empty where `control` stopped it.
    ParentSums(const WeightedComponent& component, std::size_t threads, Control& control);
    static double bytes(std::size_t variables);

    std::size_t variables() const { return mantissas_.size(); }
    /// Relative to e^offset(v); the mantissa is zero or from 1 to 2.
    Scaled at(std::size_t v, std::uint32_t among) const {
        const std::size_t place = place_of(v, among);
        return {mantissas_[v][place], exponents_[v][place]};
    }
    /// The log weight of v's heaviest set, which has been taken out of all of its sums.
    double offset(std::size_t v) const { return offsets_[v]; }
    /// The share of the weight of v's sets among U that the sets among a part of U have; that of U must not
    /// be zero.
    double share(std::size_t v, std::uint32_t part, std::uint32_t among) const {
        return (at(v, part) / at(v, among)).value();
    }

    /// Where tables with a number for each set without v keep that of one: its bits without that of v.
    static std::size_t place_of(std::size_t v, std::uint32_t set) {
        const std::uint32_t below = (std::uint32_t{1} << v) - 1;
        return (set & below) | (set >> 1 & ~below);
    }
    /// The set at a place.
    static std::uint32_t set_at(std::size_t v, std::size_t place) {
        const std::uint32_t below = (std::uint32_t{1} << v) - 1, bits = static_cast<std::uint32_t>(place);
        return (bits & below) | (bits & ~below) << 1;
    }

  private:
    void fill(std::size_t v, const std::vector<WeightedSet>& sets, Control& control);

    std::vector<UninitializedVector<double>> mantissas_;
    std::vector<UninitializedVector<std::int32_t>> exponents_;
    std::vector<double> offsets_;
};

}  // namespace dagscape
