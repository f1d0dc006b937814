#pragma once

#include <cstdint>
#include <vector>

#include "parents/parent_lists.hpp"
#include "search/exact/candidate_sets.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

/// Arcs that are required and arcs that are forbidden. A path of required arcs forbids every arc that would
/// close it to a cycle, since no network has both.
class ArcDecisions {
  public:
    using Word = BitRows::Word;

    explicit ArcDecisions(std::size_t variables);

    void clear();
    void forbid(Var parent, Var child) { forbidden_.insert(child, parent); }
    /// False if the arc is forbidden: no network obeys.
    bool require(Var parent, Var child);

    /// Whether the arc is required or forbidden.
    bool decided(Var parent, Var child) const {
        return required_.has(child, parent) || forbidden_.has(child, parent);
    }
    bool is_required(Var parent, Var child) const { return required_.has(child, parent); }
    const Word* required(Var child) const { return required_[child]; }
    const Word* forbidden(Var child) const { return forbidden_[child]; }

  private:
    std::size_t variables_;
    BitRows required_, forbidden_;  // parents, by child
    BitRows above_, below_;         // along required arcs, with the variable itself
};

/// Candidate sets of any number of variables, and what each loses against the best of its list.
class DecidedRegrets {
  public:
    using Word = BitRows::Word;

    /// Lists must be sorted.
    explicit DecidedRegrets(const ParentLists& parents);
    /// What it will take.
    static std::size_t bytes(const ParentLists& parents);

    std::size_t variables() const { return children_.size(); }
    const Word* set(Var child, std::uint32_t place) const { return children_[child].sets[place]; }
    /// Infinite beyond the last set.
    double regret(Var child, std::uint32_t place) const { return children_[child].regrets[place]; }
    /// The place of the best set, from a place on, that has all of `required` and none of `forbidden`; the
    /// number of sets if there is none.
    std::uint32_t place(Var child, const Word* required, const Word* forbidden, std::uint32_t from) const;

  private:
    std::vector<WideCandidateSets> children_;  // one regret more than sets: infinity, where none fits
};

}  // namespace dagscape
