#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "control.hpp"
#include "parents/constraints.hpp"
#include "search/order/order_state.hpp"
#include "set_functions/extension_scores.hpp"
#include "varset/wide_set.hpp"

namespace dagscape {

/// What the parents of one child grow to among the variables before it (Andrews, Ramsey, Sanchez Romero,
/// Camchong and Kummerfeld, Fast scalable and accurate discovery of DAGs using the best order score search
/// and grow-shrink trees, NeurIPS 2023).
///
/// From its required parents the child takes the variable that gains most, again and again, until none gains;
/// then it drops the parent without which it scores most, again and again, as long as that gains. Of
/// variables whose scores differ by rounding alone the first is taken, or dropped.
///
/// A node is what the child has grown to; it keeps all variables that gain there, best first, whether they
/// were before the child or not. So asking is walking: at each node on to the first that is before the child.
/// Any thread may walk; nodes once made stay as they are.
class GrowShrinkTree {
  public:
    class Node {
      public:
        /// The parents as shrunk, ascending, and the child's score with them.
        Members parents() const { return shrunk() ? Members(kept_) : Members(grown_); }
        double score() const { return shrunk() ? kept_score_ : grown_score_; }
        /// The parents as grown, ascending: the walk here would be another if one of them were not there.
        Members grown() const { return grown_; }
        /// Variables that would gain at this node; the walk may be another if one of them, or of those that
        /// would gain at a node above, were there.
        const std::uint64_t* gaining() const { return done() ? gaining_set_.data() : nullptr; }
        const Node* above() const { return above_; }

      private:
        friend class GrowShrinkTree;
        bool done() const { return grown_done_.load(std::memory_order_acquire); }
        bool shrunk() const { return shrunk_done_.load(std::memory_order_acquire); }

        const Node* above_ = nullptr;
        std::vector<Var> grown_;
        double grown_score_ = 0;
        std::atomic<bool> grown_done_ = false, shrunk_done_ = false;
        // Once grown:
        std::vector<Var> gaining_;                    // best first
        std::vector<double> scores_;                  // with each of them
        std::unique_ptr<std::atomic<Node*>[]> next_;  // where they lead, as far as anybody went
        std::vector<std::uint64_t> gaining_set_;
        // Once shrunk:
        std::vector<Var> kept_;
        double kept_score_ = 0;
    };

    /// What nodes take of memory is added to `bytes`.
    GrowShrinkTree(const Scorer& scorer, const Constraints& constraints, Var child,
                   std::atomic<std::size_t>& bytes);

    /// Where the child ends with these variables before it, of which none is the child. When `control` stops,
    /// the node it had come to.
    const Node* walk(const WideSet& before, ExtensionScores& extend, Control& control);
    /// Forgets all nodes but the first; nobody may walk meanwhile, or use nodes from before.
    void clear();

    /// Nodes at which variables were tried, those forgotten included.
    std::uint64_t grown() const { return grown_.load(std::memory_order_relaxed); }

    static constexpr double least_gain = OrderState::least_gain;

  private:
    void grow(Node& node, ExtensionScores& extend);
    void shrink(Node& node);
    Node* follow(Node& node, std::size_t branch);
    std::size_t bytes_of(const Node& node) const;

    const Scorer& scorer_;
    const Constraints& constraints_;
    Var child_;
    std::mutex making_;
    Node root_;
    std::deque<Node> nodes_;
    std::atomic<std::size_t>& bytes_;
    std::size_t own_bytes_ = 0;
    std::atomic<std::uint64_t> grown_ = 0;
};

}  // namespace dagscape
