#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "control.hpp"
#include "same_score.hpp"
#include "search/equivalence/essential.hpp"
#include "search/equivalence/family_scores.hpp"
#include "search/equivalence/insert_gains.hpp"
#include "search/equivalence/reach.hpp"

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
///
/// Insert(x, y, T) looks at y's score with its parents and a clique of its undirected neighbors, T and those
/// adjacent to x. So all x with the same neighbors in common with y have the same cliques, and for a clique
/// the gains of all of them are found at once.
///
/// Chickering's letters, and what they are here: Pa_y `parents(y)`, N_y `neighbors(y)`, NA_yx `common(x, y)`
/// or `shared`; T and H `turned`; NA_yx ∪ T for an Insert, and NA_yx \ H for a Delete, `clique`.
template <typename Set>
class Boundary {
  public:
    struct StepRules {
        std::size_t max_parents = max_variables;
        std::size_t most_sets = 4096;  // T or H of one pair that are looked at
        bool inserts = true, deletes = true;
        /// Gains up to this are rounding: following them could go in circles.
        double least_gain = same_score;
    };
    /// A step without what it shares with others of the same y: small, since they are many.
    struct Move {
        double gain;         // off by no more than `slack()` / 2
        std::uint32_t turn;  // which of the y's T or H
        Var x, y;
    };

    /// Empty, until steps are made. Once the control is stopped some are missing.
    Boundary(const Essential<Set>& graph, FamilyScores<Set>& scores, const StepRules& limits,
             Control* control = nullptr)
        : graph_(graph),
          scores_(scores),
          gains_(scores),
          limits_(limits),
          control_(control),
          steps_of_(graph.variables()),
          reach_(graph) {
        for (std::size_t v = 0; v < graph.variables(); ++v) everything_ = everything_ | static_cast<Var>(v);
    }

    void make_all() {
        large_ = false;
        slack_ = 0;
        for (std::size_t y = 0; y < graph_.variables(); ++y) make(static_cast<Var>(y));
    }
    /// After the graph made a step from `before`.
    void make_near(const Essential<Set>& before, const Step<Set>& step) {
        for (std::size_t v = 0; v < graph_.variables(); ++v) {
            const Var y = static_cast<Var>(v);
            // A pair's steps are about y's parents and neighbors, and who of them is adjacent to whom or to
            // x.
            const bool near = y == step.x || y == step.y || graph_.neighbors(y).contains(step.x) ||
                              graph_.neighbors(y).contains(step.y) ||
                              graph_.parents(y) != before.parents(y) ||
                              graph_.neighbors(y) != before.neighbors(y);
            if (near) make(y);
        }
        stale_ = true;
    }

    /// Steps that add or remove x → y alone, with their gains as the scores say.
    void make_pair(Var x, Var y) {
        clear(y);
        if (graph_.adjacent(x).contains(y))
            make_deletes(x, y);
        else
            make_inserts(y, Set() | x, common(x, y));
    }

    /// Whether some pair has more sets T or H than can be looked at, so that classes are missing.
    bool large() const { return large_; }
    /// Moves whose gains are farther apart than this are in the order of their steps' gains.
    double slack() const { return slack_; }

    /// Moves that gain, by their y; not all of them are valid. In order of x.
    const std::vector<Move>& moves(Var y) const { return steps_of_[y].moves; }
    /// The most that one of them gains.
    double most(Var y) const { return steps_of_[y].most; }
    /// Whether a move leads to a class, and is the one to be counted for it.
    bool valid(const Move& move) {
        const Var y = move.y;
        const Turn& turn = steps_of_[y].turns[move.turn];
        if (!turn.insert) return true;  // made only if valid, and once
        update();
        if (reach_.without(y, turn.clique).contains(move.x)) return false;
        return move.x < y || !turn.alone || !beside_parents(y).contains(move.x) || !second(move.x, y);
    }
    /// Calls `with` for each valid move, in order of y and x.
    template <typename With>
    void each_valid(const With& with) {
        update();
        for (std::size_t v = 0; v < graph_.variables(); ++v) {
            const Var y = static_cast<Var>(v);
            const StepsOf& own = steps_of_[y];
            if (own.moves.empty()) continue;
            if (v % 64 == 63) look_up();
            if (stopped_) return;
            closed_.clear();
            for (const Turn& turn : own.turns)
                closed_.push_back(turn.insert ? reach_.without(y, turn.clique) : Set());
            const Set beside = beside_parents(y);
            for (const Move& move : own.moves) {
                if (closed_[move.turn].contains(move.x)) continue;
                if (move.x > y && own.turns[move.turn].alone && beside.contains(move.x) && second(move.x, y))
                    continue;
                with(move);
            }
        }
    }
    /// The whole of it.
    Step<Set> step(const Move& move) const {
        const Turn& turn = steps_of_[move.y].turns[move.turn];
        return {move.x, move.y, turn.insert, turn.turned, move.gain};
    }
    /// With the gain as the scores say.
    Step<Set> scored_step(const Move& move) {
        const Turn& turn = steps_of_[move.y].turns[move.turn];
        const double gain =
            turn.insert ? insert_gain(move.x, move.y, turn.clique) : delete_gain(move.x, move.y, turn.clique);
        return {move.x, move.y, turn.insert, turn.turned, gain};
    }

  private:
    struct Turn {
        Set turned;  // T or H
        Set clique;  // NA_yx ∪ T or NA_yx \ H: those of y's undirected neighbors that are parents beside x
        bool insert;
        bool alone;  // an arc is inserted and nothing is turned
    };
    struct StepsOf {
        std::vector<Move> moves;
        std::vector<Turn> turns;
        double most = -std::numeric_limits<double>::infinity();
    };

    /// NA_yx: the undirected neighbors of y that are adjacent to x.
    Set common(Var x, Var y) const { return graph_.neighbors(y) & graph_.adjacent(x); }
    void update() {
        if (!stale_) return;
        stale_ = false;
        reach_.update();
        orphans_ = lonely_ = Set();
        for (std::size_t v = 0; v < graph_.variables(); ++v) {
            if (graph_.parents(static_cast<Var>(v)).empty()) orphans_ = orphans_ | static_cast<Var>(v);
            if (graph_.neighbors(static_cast<Var>(v)).empty()) lonely_ = lonely_ | static_cast<Var>(v);
        }
    }
    /// The variables that are adjacent to all parents of one.
    Set beside_parents(Var y) const {
        Set beside = everything_;
        for (const Var parent : graph_.parents(y)) beside = beside & graph_.adjacent(parent);
        return beside;
    }
    /// Whether Insert(x, y, ∅), with x beside y's parents, leads where Insert(y, x, ∅) does.
    bool second(Var x, Var y) const {
        if (!orphans_.contains(x) && !graph_.parents(x).subset_of(graph_.adjacent(y))) return false;
        const Set shared = lonely_.contains(x) ? Set() : common(y, x);
        if (limits_.max_parents < graph_.variables() &&
            (shared | graph_.parents(x)).size() >= limits_.max_parents)
            return false;
        if (shared.empty()) return !reach_.all(x).contains(y);
        return graph_.clique(shared) && !reach_.without(x, shared).contains(y);
    }

    /// s(y, NA_yx ∪ T ∪ Pa_y ∪ {x}) − s(y, NA_yx ∪ T ∪ Pa_y): Chickering's corollary 16.
    double insert_gain(Var x, Var y, const Set& clique) {
        const Set before = clique | graph_.parents(y);
        return scores_(y, before | x) - scores_(y, before);
    }
    /// s(y, NA_yx \ H ∪ Pa_y \ {x}) − s(y, NA_yx \ H ∪ Pa_y ∪ {x}): corollary 18.
    double delete_gain(Var x, Var y, const Set& clique) {
        const Set after = (clique | graph_.parents(y)) - x;
        return scores_(y, after) - scores_(y, after | x);
    }

    void clear(Var y) {
        steps_of_[y].moves.clear();
        steps_of_[y].turns.clear();
        steps_of_[y].most = -std::numeric_limits<double>::infinity();
        stale_ = true;
    }
    void make(Var y) {
        clear(y);
        look_up();
        if (limits_.inserts) make_inserts(y);
        if (limits_.deletes)
            for (const Var x : graph_.adjacent(y))
                if (!stopped_) make_deletes(x, y);
        std::vector<Move>& moves = steps_of_[y].moves;
        const auto lower = [](const Move& a, const Move& b) { return a.x < b.x; };
        if (!std::is_sorted(moves.begin(), moves.end(), lower))
            std::stable_sort(moves.begin(), moves.end(), lower);
        for (const Move& move : moves) steps_of_[y].most = std::max(steps_of_[y].most, move.gain);
    }
    /// Those of all x, together where they share the same of y's neighbors.
    void make_inserts(Var y) {
        Set left = everything_ - graph_.adjacent(y) - y;
        if (graph_.parents(y).size() >= limits_.max_parents) return;
        Set sharing;
        for (const Var t : graph_.neighbors(y)) sharing = sharing | graph_.adjacent(t);
        sharing = sharing & left;
        make_inserts(y, left - sharing, Set());
        while (!sharing.empty() && !stopped_) {
            const Set shared = common(*sharing.begin(), y);
            Set same;
            for (const Var x : sharing)
                if (common(x, y) == shared) same = same | x;
            sharing = sharing - same;
            make_inserts(y, same, shared);
        }
    }
    /// Those of x that have the same neighbors of y in common with it.
    void make_inserts(Var y, const Set& all_x, const Set& shared) {
        if (all_x.empty() || !graph_.clique(shared)) return;
        StepsOf& own = steps_of_[y];
        const bool one_by_one = all_x.size() < fewest_at_once;
        std::size_t left = limits_.most_sets;
        grow(shared, graph_.neighbors(y) - shared, left, [&](const Set& clique) {
            const Set before = clique | graph_.parents(y);
            if (before.size() >= limits_.max_parents) return false;
            const auto row = one_by_one ? std::nullopt : gains_(y, before);
            const double error = row ? row->error() : 0;
            const std::size_t moves = own.moves.size();
            const auto turn = static_cast<std::uint32_t>(own.turns.size());
            for (const Var x : all_x) {
                double gain = row ? (*row)[x] : insert_gain(x, y, clique);
                if (gain <= limits_.least_gain - error) continue;
                if (gain <= limits_.least_gain + error) {
                    gain = insert_gain(x, y, clique);
                    if (gain <= limits_.least_gain) continue;
                }
                own.moves.push_back({gain, turn, x, y});
            }
            if (own.moves.size() == moves) return true;
            const Set turned = clique - shared;
            own.turns.push_back({turned, clique, true, turned.empty()});
            slack_ = std::max(slack_, 2 * error);
            return true;
        });
    }
    void make_deletes(Var x, Var y) {
        if (!graph_.parents(y).contains(x) && !(x < y && graph_.neighbors(y).contains(x))) return;
        StepsOf& own = steps_of_[y];
        const Set shared = common(x, y);
        std::size_t left = limits_.most_sets;
        grow(Set(), shared, left, [&](const Set& clique) {
            const double gain = delete_gain(x, y, clique);
            if (gain <= limits_.least_gain) return true;
            own.moves.push_back({gain, static_cast<std::uint32_t>(own.turns.size()), x, y});
            own.turns.push_back({shared - clique, clique, false, false});
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
        if (++looked_ % 4 == 0) look_up();
        if (stopped_) return;
        if (!with(clique)) return;
        for (const Var v : Set(candidates)) {
            candidates = candidates - v;
            if (clique.subset_of(graph_.adjacent(v)))
                grow(clique | v, candidates & graph_.adjacent(v), left, with);
        }
    }

    /// A set of many variables may take milliseconds to count, and a pair have millions of sets.
    void look_up() { stopped_ = stopped_ || (control_ && control_->stopped()); }

    /// Fewer are sooner scored one by one than all variables at once.
    static constexpr std::size_t fewest_at_once = 4;

    const Essential<Set>& graph_;
    FamilyScores<Set>& scores_;
    InsertGains<Set> gains_;
    StepRules limits_;
    Set everything_;
    Control* control_;
    std::uint64_t looked_ = 0;       // sets T or H
    std::vector<StepsOf> steps_of_;  // by y
    double slack_ = 0;
    bool large_ = false;
    bool stopped_ = false;
    Reach<Set> reach_;
    bool stale_ = true;        // the graph may have changed since it was made
    Set orphans_, lonely_;     // variables without parents, and without undirected neighbors
    std::vector<Set> closed_;  // by turn, x that a path from y leads to
};

}  // namespace dagscape
