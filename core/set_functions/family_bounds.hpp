#pragma once

#include <cstddef>
#include <limits>

#include "varset/var.hpp"

namespace dagscape {

/// What is known of larger parent sets before they are scored. This one knows nothing, which is always right.
class FamilyBounds {
  public:
    virtual ~FamilyBounds() = default;

    /// The most parents that a set with the required ones can have and still beat them alone, if it were
    /// scored `lead` higher than it is.
    virtual std::size_t most_parents(Var /*child*/, Members /*required*/, double /*lead*/ = 0) const {
        return max_variables;
    }

    /// No proper superset of these parents with at most `most` of them scores higher than this, unless all
    /// that it adds is idle.
    virtual double superset_bound(Var /*child*/, Members /*parents*/, std::size_t /*most*/) const {
        return std::numeric_limits<double>::infinity();
    }
    /// Whether `superset_bound` says something without looking at the rows.
    virtual bool bounds_quickly() const { return false; }
    /// Whether there may be variables that tell nothing and cost nothing: as parents they change no score.
    virtual bool has_idle_variables() const { return true; }

    /// Whether the next two say something. Where a variable's gain is at most its least cost, adding it to
    /// these parents, or to more, never pays for itself.
    virtual bool weighs_members() const { return false; }
    /// What all other variables together can still tell of v beside these parents, with which it scores
    /// `local`; and, as that is mutual, what it can tell of any of them.
    virtual double most_gain(Var /*v*/, Members /*parents*/, double /*local*/) const {
        return std::numeric_limits<double>::infinity();
    }
    /// What a parent y costs the child at least, beside these parents or any more, up to `most` in all.
    virtual double least_cost(Var /*child*/, Var /*y*/, Members /*parents*/, std::size_t /*most*/) const {
        return -std::numeric_limits<double>::infinity();
    }
};

}  // namespace dagscape
