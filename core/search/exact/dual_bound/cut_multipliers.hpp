#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// Multipliers of cuts, none below zero: a dual solution of the linear program over the families.
///
/// Every network obeys every cut, Σ coefficients of its families ≥ right side. So no network has less regret
/// than Σ multiplier · right side + Σ over children of the least of regret - credit among its sets, where the
/// credit of a set is Σ multiplier · coefficient. Fix a child's set, and the same sum bounds all networks
/// that have it: with its own regret - credit in place of the child's least.
class CutMultipliers {
  public:
    /// The families must outlive it, and keep the cuts as long as they are here.
    explicit CutMultipliers(Families& families) : families_(&families) {}

    /// One more cut; a cluster that is here already gets more.
    void add(Cut cut, double multiplier);
    std::size_t size() const { return cuts_.size(); }
    const Families& families() const { return *families_; }
    /// Numbers in the families.
    std::span<const std::uint32_t> cuts() const { return cuts_; }
    std::span<const double> values() const { return values_; }
    std::span<double> values() { return values_; }
    /// Leaves out cuts whose multiplier is zero. The families keep them.
    void drop_idle();

    /// The bound, with what rounding may have added taken off; leaves reduced costs in the families.
    double price(std::size_t threads) const { return families_->price(cuts_, values_, threads); }
    /// Of any set, whether or not it is a candidate.
    double credit(Var child, Members parents) const;

  private:
    Families* families_;
    std::vector<std::uint32_t> cuts_;
    std::vector<double> values_;
    std::map<std::vector<Var>, std::size_t> clusters_;  // places, by members
};

}  // namespace dagscape
