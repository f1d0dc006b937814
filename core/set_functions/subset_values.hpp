#pragma once

#include <cstdint>

#include "varset/var.hpp"

namespace dagscape {

/// Values of all subsets of a few variables, the base, and of these with one more variable: for searches that
/// try one variable after another beside the same few.
///
/// Each value is a function of its set alone, to the last bit, whatever the base was. For one thread.
class SubsetValues {
  public:
    /// A subset of the base: bit i stands for its i-th variable.
    using Subset = std::uint32_t;

    virtual ~SubsetValues() = default;

    /// Ascending. Where the variables are too many, or would take too much memory, there is no base and the
    /// answer is no.
    virtual bool set_base(Members base) = 0;
    /// joint(subset).
    virtual double value(Subset subset) = 0;

    /// The variable to be tried, not in the base.
    virtual void set_tried(Var tried) = 0;
    /// joint(subset ∪ {tried}). Subsets are best asked for with the larger ones first.
    virtual double value_with_tried(Subset subset) = 0;
    /// No member of the subset gains more by the variable tried as one more parent beside the others,
    /// rounding included; unless it gains as much beside fewer of them, which tell nothing.
    virtual double most_gain(Subset subset) = 0;
};

}  // namespace dagscape
