#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "set_functions/family_bounds.hpp"
#include "set_functions/set_extender.hpp"
#include "set_functions/subset_values.hpp"
#include "set_functions/value_walk.hpp"
#include "varset/var.hpp"

namespace dagscape {

/// All that a search may see of the data and the score: values of sets of variables.
///
/// Every score of a child X with parents P, a natural log, is a difference of two of them,
///
///     local(X | P) = joint(P ∪ {X}) − given(X, P).
///
/// Where given(X, P) is joint(P), one value per set serves all its members as children, and equivalent
/// networks score the same. Sets are ascending. Safe to use from several threads.
///
/// What a function must say comes first. The rest has defaults that are right for every function and slow,
/// or weak, for most: a function that knows better says so in a class of its own.
class SetFunction {
  public:
    virtual ~SetFunction() = default;

    virtual std::size_t variables() const = 0;
    /// Rows, each as often as it counts; need not be whole.
    virtual double cases() const = 0;
    virtual double joint(Members set) const = 0;
    /// Free parameters of the joint distribution of a set.
    virtual double parameters(Members set) const = 0;

    /// Children of one kind share `given`; for kind 0 it is `joint`.
    virtual std::uint32_t given_kind(Var /*child*/) const { return 0; }
    virtual double given(Var /*child*/, Members parents) const { return joint(parents); }
    /// Whether equivalent networks score the same: all children are of kind 0.
    virtual bool equivalent() const { return true; }

    /// Where children are of several kinds, each has an ordinary function of its own, and `joint` is not the
    /// same for all: see `KindsFunction`.
    virtual std::uint32_t kinds() const { return 1; }
    virtual std::uint32_t kind(Var /*child*/) const { return 0; }
    /// Null where there is only this one.
    virtual std::shared_ptr<const SetFunction> of_kind(std::uint32_t /*kind*/) const { return nullptr; }
    /// Whether turning a covered arc between the two changes no score.
    virtual bool exchangeable(Var /*a*/, Var /*b*/) const { return equivalent(); }

    /// What a set pays whatever the rows say, up to a constant. With an exact cost, joint(S) + cost(S) is a
    /// maximized log-likelihood; without, the BIC's price of the parameters stands in, to guide searches.
    virtual double cost(Members set) const;
    virtual bool has_exact_cost() const { return false; }
    /// costs[i] = cost(Pxy) − cost(Px) − cost(Py) + cost(P) with y = candidates[i]: what y must tell x as one
    /// more parent beside P to be worth its cost.
    virtual void parent_costs(Var x, Members parents, std::span<const Var> candidates,
                              std::span<double> costs) const;
    /// Degrees of freedom of the dependence of x and y given a set, as far as the rows leave them free. By
    /// default all of them.
    virtual double adjusted_freedom(Var x, Var y, Members given) const;

    /// A power of two: no value is off by more than this.
    virtual double rounding() const;
    /// Local scores that differ by less are the same score.
    double tolerance() const;

    /// How high larger parent sets can score. The function must outlive it, as it must all that follow.
    virtual std::unique_ptr<FamilyBounds> bounds() const;
    /// The same by the rules of Wu 2010 as printed, for comparisons, where they are about this function.
    virtual std::unique_ptr<FamilyBounds> published_bounds() const { return bounds(); }
    /// Values of a set with every one more variable; null where they are as well had one by one.
    virtual std::unique_ptr<SetExtender> extender(ExtensionWay /*way*/ = ExtensionWay::cheaper) const {
        return nullptr;
    }
    /// Memory that extenders share.
    virtual std::size_t extender_bytes() const { return 0; }
    /// Values of all subsets of a few variables; null where they are as well had one by one.
    virtual std::unique_ptr<SubsetValues> subsets() const { return nullptr; }
    /// Values of all sets of a size.
    virtual std::unique_ptr<ValueWalk> walk(const WalkOptions& options = {}) const;
};

/// parameters(Pxy) − parameters(Px) − parameters(Py) + parameters(P): the degrees of freedom of the
/// dependence of x and y given P.
double freedom(const SetFunction& function, Var x, Var y, Members given);

}  // namespace dagscape
