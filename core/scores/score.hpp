#pragma once

#include "counts/counter.hpp"

namespace dagscape {

/// A score of a child given its parents: natural log, higher is better.
///
/// Every score here is a difference of two functions of one variable set's counts each:
///
///     local(X | P) = joint(P ∪ {X}) − given(P, arity of X)
///
/// Where `given` is `joint` again, one value per set serves all its members as children, and
/// equivalent networks score the same.
class Score {
  public:
    virtual ~Score() = default;

    /// `combinations`: how many value combinations the set has, occurring or not.
    virtual double joint(Counts counts, double combinations) const = 0;
    virtual double given(Counts counts, double combinations, std::uint32_t /*child_arity*/) const {
        return joint(counts, combinations);
    }
    /// Whether `given` is `joint`, and with it whether equivalent networks score the same.
    virtual bool equivalent() const { return true; }
};

}  // namespace dagscape
