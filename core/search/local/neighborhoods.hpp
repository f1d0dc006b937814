#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "search/local/local_method.hpp"

namespace dagscape {

/// Learns neighbors and spouses of some variables, or all, by a method; what one needs of others is learned
/// once and kept (Niinimäki and Parviainen, UAI 2012, Algorithms 2 and 4 and section 3.3).
///
/// Two variables are neighbors if each is among the other's potential ones. Rounds of searches that do not
/// depend on each other run in parallel, so threads change nothing. When the control stops it, what is known
/// so far can be read; `done` says of whom it is final.
class Neighborhoods final : public Surroundings {
  public:
    Neighborhoods(const LocalMethod& method, std::size_t variables, std::size_t threads, Control& control);

    /// Takes over what was learned elsewhere, by the same method on the same data.
    void know(Var v, Potential potential) { potential_[v] = std::move(potential); }
    void know(Var v, PotentialSpouses spouses) { spouses_[v] = std::move(spouses); }

    /// The potential neighbors of these variables alone.
    void learn_potential(const std::vector<Var>& targets);
    void learn_neighbors(const std::vector<Var>& targets);
    /// Neighbors too. With `either`, those whose own search finds the target as well.
    void learn_spouses(const std::vector<Var>& targets, bool either);

    const Potential* potential(Var v) const { return potential_[v] ? &*potential_[v] : nullptr; }
    const PotentialSpouses* potential_spouses(Var v) const { return spouses_[v] ? &*spouses_[v] : nullptr; }
    /// Potential spouses but for those without a common child that is a neighbor of both, where the method
    /// checks that.
    std::vector<Spouse> checked_spouses(Var v) const;
    /// Potential neighbors but for those known to disagree.
    std::vector<Var> agreed(Var v) const;
    bool neighbors_done(Var v) const { return neighbors_[v].has_value(); }
    /// Of what is known; `either` as when they were learned.
    std::vector<Var> spouses(Var v, bool either) const;
    bool spouses_done(Var v, bool either) const;
    /// How many searches there were, for neighbors and for spouses.
    std::uint64_t searches() const { return searches_; }

    const std::vector<Var>& neighbors(Var v) const override { return *neighbors_[v]; }
    const std::vector<Var>* separator(Var v, Var other) const override;

  private:
    /// Whether two are neighbors, by as many of their searches as the method asks for, as far as is known.
    bool near(Var one, Var other) const;
    bool potential_done(Var v) const { return potential_[v] && potential_[v]->done; }
    bool surroundings_done(Var v) const;
    std::vector<Var> around(const std::vector<Var>& targets) const;

    const LocalMethod& method_;
    std::size_t threads_;
    Control& control_;
    std::vector<std::optional<Potential>> potential_;
    std::vector<std::optional<std::vector<Var>>> neighbors_;  // that agree, where that is known
    std::vector<std::optional<PotentialSpouses>> spouses_;
    std::uint64_t searches_ = 0;
};

}  // namespace dagscape
