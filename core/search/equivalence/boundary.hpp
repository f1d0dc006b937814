#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "search/equivalence/essential.hpp"
#include "search/equivalence/family_scores.hpp"

namespace dagscape {

/// From a class to one in its inclusion boundary: Insert(x, y, T) or Delete(x, y, H).
template <typename Set>
struct Step {
    Var x, y;
    bool insert;
    Set turned;  // T or H
    double gain;

    void take(Essential<Set>& graph) const {
        if (insert)
            graph.insert(x, y, turned);
        else
            graph.remove(x, y, turned);
    }
};

/// The inclusion boundary of a class: the classes reached by adding or removing one arc in any of its
/// networks, each once (Chickering, Optimal structure identification with greedy search, JMLR 2002,
/// theorems 15 and 17). Keeps the steps that gain; after a move only those near it are made again.
///
/// Two steps lead to the same class in two cases only. Different T make different v-structures x → y ← t,
/// and so do different H. What is left are the two ends of an edge. Insert(x, y, T) and Insert(y, x, T')
/// agree if the edge becomes part of no v-structure, neither in y nor in x: T and T' are empty, and each
/// variable's parents are adjacent to the other. Delete(x, y, H) and Delete(y, x, H) agree if the edge is
/// undirected. Of two such steps the one with the lower x is kept.
template <typename Set>
class Boundary {
  public:
    struct Limits {
        std::size_t max_parents = max_variables;
        std::size_t most_sets = 4096;  // T or H of one pair that are looked at
        bool inserts = true, deletes = true;
        /// Gains up to this are rounding: following them could go in circles.
        double least_gain = 1e-9;
    };

    /// Empty, until steps are made. Once the control is stopped some are missing.
    Boundary(const Essential<Set>& graph, FamilyScores<Set>& scores, const Limits& limits,
             Control* control = nullptr)
        : graph_(graph), scores_(scores), limits_(limits), control_(control), steps_(graph.variables()) {}

    void make_all() {
        large_ = false;
        for (std::size_t y = 0; y < graph_.variables(); ++y) make(static_cast<Var>(y));
    }
    /// After the graph made a step from `before`.
    void make_near(const Essential<Set>& before, const Step<Set>& step) {
        for (std::size_t v = 0; v < graph_.variables(); ++v) {
            const Var y = static_cast<Var>(v);
            // A pair's steps are about y's parents and neighbours, and who of them is adjacent to whom or to
            // x.
            const bool near = y == step.x || y == step.y || graph_.neighbors(y).contains(step.x) ||
                              graph_.neighbors(y).contains(step.y) ||
                              graph_.parents(y) != before.parents(y) ||
                              graph_.neighbors(y) != before.neighbors(y);
            if (near) make(y);
        }
    }

    /// Steps that add or remove x → y alone.
    void make_pair(Var x, Var y) {
        steps_[y].clear();
        make(x, y);
    }

    /// Whether some pair has more sets T or H than can be looked at, so that classes are missing.
    bool large() const { return large_; }
    /// Steps that gain, by their y; not all of them are valid.
    const std::vector<Step<Set>>& steps(Var y) const { return steps_[y]; }
    /// Whether a step leads to a class, and is the one to be counted for it.
    bool valid(const Step<Set>& step) const {
        if (!step.insert) return true;  // made only if valid, and once
        if (!open(step.x, step.y, step.turned)) return false;
        const bool second = step.y < step.x && step.turned.empty() &&
                            graph_.parents(step.y).subset_of(graph_.adjacent(step.x)) &&
                            graph_.parents(step.x).subset_of(graph_.adjacent(step.y));
        return !second || !insertable(step.y, step.x);
    }

  private:
    Set common(Var x, Var y) const { return graph_.neighbors(y) & graph_.adjacent(x); }
    /// Whether adding x → y to a network of the class cannot close a cycle.
    bool open(Var x, Var y, const Set& turned) const { return graph_.blocked(y, x, common(x, y) | turned); }
    bool insertable(Var x, Var y) const {
        const Set shared = common(x, y);
        const bool fits = (shared | graph_.parents(y)).size() < limits_.max_parents;
        return fits && graph_.clique(shared) && graph_.blocked(y, x, shared);
    }

    void make(Var y) {
        steps_[y].clear();
        look_up();
        for (std::size_t x = 0; x < graph_.variables(); ++x)
            if (x != y) make(static_cast<Var>(x), y);
    }
    void make(Var x, Var y) {
        if (stopped_) return;
        if (!graph_.adjacent(x).contains(y)) {
            if (limits_.inserts) make_inserts(x, y);
        } else if (graph_.parents(y).contains(x) || (x < y && graph_.neighbors(y).contains(x))) {
            if (limits_.deletes) make_deletes(x, y);
        }
    }
    void make_inserts(Var x, Var y) {
        const Set shared = common(x, y);
        if (!graph_.clique(shared)) return;
        std::size_t left = limits_.most_sets;
        grow(shared, graph_.neighbors(y) - shared, left, [&](const Set& clique) {
            const Set before = clique | graph_.parents(y);
            if (before.size() >= limits_.max_parents) return false;
            const double gain = scores_(y, before | x) - scores_(y, before);
            if (gain > limits_.least_gain) steps_[y].push_back({x, y, true, clique - shared, gain});
            return true;
        });
    }
    void make_deletes(Var x, Var y) {
        const Set shared = common(x, y);
        std::size_t left = limits_.most_sets;
        grow(Set(), shared, left, [&](const Set& clique) {
            const Set after = (clique | graph_.parents(y)) - x;
            const double gain = scores_(y, after) - scores_(y, after | x);
            if (gain > limits_.least_gain) steps_[y].push_back({x, y, false, shared - clique, gain});
            return true;
        });
    }
    /// Calls `with` for the clique and all larger ones with some of the candidates; those larger than one it
    /// refuses are left out.
    template <typename With>
    void grow(const Set& clique, Set candidates, std::size_t& left, const With& with) {
        if (left == 0) {
            large_ = true;
            return;
        }
        --left;
        if (++looked_ % 64 == 0) look_up();
        if (stopped_) return;
        if (!with(clique)) return;
        for (const Var v : Set(candidates)) {
            candidates = candidates - v;
            if (clique.subset_of(graph_.adjacent(v)))
                grow(clique | v, candidates & graph_.adjacent(v), left, with);
        }
    }

    /// A set of many variables may take a millisecond to count, and a pair have millions of sets.
    void look_up() { stopped_ = stopped_ || (control_ && control_->stopped()); }

    const Essential<Set>& graph_;
    FamilyScores<Set>& scores_;
    Limits limits_;
    Control* control_;
    std::uint64_t looked_ = 0;                   // sets T or H
    std::vector<std::vector<Step<Set>>> steps_;  // by y
    bool large_ = false;
    bool stopped_ = false;
};

}  // namespace dagscape
