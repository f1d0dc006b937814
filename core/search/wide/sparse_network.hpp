#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "random.hpp"
#include "search/greedy/family_gains.hpp"
#include "search/greedy/greedy_state.hpp"

namespace dagscape {

using ManyGains = std::vector<std::shared_ptr<const FamilyGains>>;  // by child

/// A part of a network that changes while the rest stays as it is: the families of some children, with what
/// every change of an arc would gain. It takes memory by variable, and none by pair. For one thread.
class SparseNetwork {
  public:
    /// `rest`: the families of all children, which must not change meanwhile.
    SparseNetwork(const GreedyProblem& problem, FamilyGainsMaker& gains, const ManyGains& rest);

    /// Lets go of the part, and begins with another: the children that may change.
    void begin(const std::vector<Var>& part);
    const std::vector<Var>& part() const { return part_; }

    bool free(Var v) const { return place_[v] != nowhere; }
    const std::shared_ptr<const FamilyGains>& family(Var v) const {
        return free(v) ? own_[place_[v]] : rest_[v];
    }
    const std::vector<Var>& parents(Var v) const { return family(v)->parents; }
    /// Those of the part.
    const std::vector<Var>& children(Var v) const { return children_[place_[v]]; }

    /// The move into or out of a child's parents that gains most, more than `least`, where it is allowed and
    /// makes no cycle. Ties go to additions, then to removals, then to the lower parent.
    std::optional<ArcMove> best_move(Var child, double least);
    /// Makes a move that `best_move` gave.
    void take(const ArcMove& move);
    /// Turns an arc round if that leads to an equivalent network (it is covered, Chickering 1995).
    bool turn_if_covered(Var from, Var to);
    /// Takes all arcs of a variable away that may go.
    void cut_off(Var v);
    /// Adds an arc, unless it is there, is not allowed or would close a cycle.
    bool add_if_possible(Var from, Var to);

    /// What has changed since the last mark: a child, as often as it changed, with its family before.
    struct Change {
        Var child;
        std::shared_ptr<const FamilyGains> before;
    };
    const std::vector<Change>& changes() const { return changes_; }
    void mark() { changes_.clear(); }
    void undo();
    /// What the changes have gained.
    double gained() const;

    std::uint64_t taken() const { return taken_; }
    const GreedyProblem& problem() const { return problem_; }

  private:
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    void set_family(Var child, std::shared_ptr<const FamilyGains> family);
    void insert(Var from, Var to);
    void erase(Var from, Var to);
    bool has_room(Var v) const { return parents(v).size() < problem_.constraints().max_parents[v]; }
    bool reaches(Var from, Var to);
    bool may_turn(Var from, Var to);
    double add_gain(Var from, Var to) const;

    const GreedyProblem& problem_;
    FamilyGainsMaker& gains_;
    const ManyGains& rest_;
    std::vector<Var> part_;
    std::vector<std::uint32_t> place_;  // by variable
    ManyGains own_;                     // by place
    std::vector<std::vector<Var>> children_;
    std::vector<Change> changes_;
    std::vector<std::vector<Var>> below_;  // by variable: its children, those outside the part too
    /// By variable: the last look at what is above something, or below it, that came by.
    std::vector<std::uint32_t> seen_above_, seen_below_;
    std::uint32_t look_ = 0;
    std::vector<Var> above_, beneath_, set_;
    std::uint64_t taken_ = 0;
};

}  // namespace dagscape
