#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "graphs/dag.hpp"
#include "search/greedy/descendants.hpp"
#include "search/greedy/family_gains.hpp"
#include "search/greedy/tabu_list.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

/// A change of one arc, and what it gains.
struct ArcMove {
    enum class Kind { add, remove, reverse };
    Kind kind = Kind::add;
    Var from = 0;  // the arc as it is, or will be when it is added
    Var to = 0;
    double gain = 0;
};

/// A network on its way: its arcs, who reaches whom, and what every change of an arc would gain.
class GreedyState {
  public:
    /// The network must obey the problem's constraints.
    GreedyState(const GreedyProblem& problem, FamilyGainsMaker& gains, const std::vector<Arc>& arcs);
    /// The same network, for another thread.
    GreedyState(GreedyState other, FamilyGainsMaker& gains) : GreedyState(std::move(other)) {
        gains_ = &gains;
    }

    /// The move that gains most, be it less than nothing, among those that obey the constraints, make no
    /// cycle and lead to no network of the list. Ties go to additions, then to removals, then to the lower
    /// head of the arc, then to its lower tail.
    std::optional<ArcMove> best_move(const TabuList& tabu, std::uint64_t& looked_at);
    void take(const ArcMove& move);

    /// Single moves, where they are allowed and make no cycle. The arc must be there, or for an addition not.
    std::optional<ArcMove> addition(Var from, Var to) const;
    std::optional<ArcMove> removal(Var from, Var to) const;
    std::optional<ArcMove> reversal(Var from, Var to) const;

    const SetFunction& function() const { return problem_->scorer().function(); }
    std::size_t variables() const { return families_.size(); }
    const std::vector<Var>& parents(Var child) const { return families_[child]->parents; }
    std::vector<Var> children(Var parent) const;
    bool has(Var from, Var to) const { return parent_rows_.has(to, from); }
    std::vector<Arc> arcs() const;

    /// Of the network, whatever way led to it.
    double score() const { return score_; }
    std::uint64_t key() const { return key_; }

    /// Memory of one state, less its families.
    static std::size_t bytes_for(std::size_t variables) {
        return variables * (3 * BitRows::width(variables) * sizeof(BitRows::Word) + 48);
    }

  private:
    bool has_room(Var child) const {
        return parents(child).size() < problem_->constraints().max_parents[child];
    }
    bool may_remove(Var from, Var to) const { return !problem_->constraints().required[to].contains(from); }
    bool may_reverse(Var from, Var to) const;
    double add_gain(Var from, Var to) const { return families_[to]->add[problem_->place(to, from)]; }
    double remove_gain(Var from, Var to) const;
    std::uint64_t key_after(const ArcMove& move) const;

    double most_addition(Var child) const;
    double most_change(Var child) const;
    void renew(Var child);
    void look_at_arcs(Var child, ArcMove::Kind kind, const TabuList& tabu, std::optional<ArcMove>& best,
                      std::uint64_t& looked_at) const;
    std::optional<ArcMove> best_addition(Var child, double least, const TabuList& tabu,
                                         std::uint64_t& looked_at);

    void insert(Var from, Var to);
    void erase(Var from, Var to);
    void add_up();

    const GreedyProblem* problem_;
    FamilyGainsMaker* gains_;
    std::vector<std::shared_ptr<const FamilyGains>> families_;  // by child
    BitRows parent_rows_, child_rows_;
    Descendants descendants_;
    std::vector<double> scores_;  // by child
    // By child, what additions and what removals and reversals may gain at most: those whose gain is less
    // than the best move's are not looked at.
    std::vector<double> most_addition_, most_change_;
    std::vector<std::uint32_t> cyclic_;  // by child, how many of the first candidates would close a cycle
    double score_ = 0;
    std::uint64_t key_ = 0;
    std::vector<Var> changed_;
};

}  // namespace dagscape
