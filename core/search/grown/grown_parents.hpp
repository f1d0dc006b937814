#pragma once

#include <deque>

#include "search/grown/grow_shrink_tree.hpp"

namespace dagscape {

/// The grow-shrink trees of all variables, shared by all threads, within a limit of memory.
///
/// Trees hold nothing that could not be made again, so when they have outgrown the limit they are cut down to
/// their roots; that changes no answer.
class GrownParents {
  public:
    using Node = GrowShrinkTree::Node;

    GrownParents(const Scorer& scorer, const Constraints& constraints, std::size_t max_bytes);

    std::size_t variables() const { return trees_.size(); }
    const Scorer& scorer() const { return scorer_; }
    const Constraints& constraints() const { return constraints_; }
    /// Those that must come after a variable: its children by required arcs, ascending.
    const std::vector<Var>& must_follow(Var v) const { return must_follow_[v]; }

    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    /// Nodes at which variables were tried.
    std::uint64_t grown() const;
    std::uint64_t clearings() const { return clearings_; }

    /// Cuts the trees down if they have outgrown the limit; nodes of before are gone where `clearings` has
    /// changed. Stops where the roots alone are too much. Nobody may walk meanwhile.
    void trim(Control& control);

    /// One thread's way to the trees.
    class Visit {
      public:
        explicit Visit(GrownParents& parents) : parents_(parents), extend_(parents.extend_) {}

        /// Where the child's walk ends with these variables before it.
        const Node* walk(Var child, const WideSet& before, Control& control) {
            return parents_.trees_[child].walk(before, extend_, control);
        }
        const GrownParents& parents() const { return parents_; }

      private:
        GrownParents& parents_;
        ExtensionScores extend_;
    };

  private:
    const Scorer& scorer_;
    const Constraints& constraints_;
    ExtensionScores extend_;  // to be copied: each thread has its own
    std::size_t max_bytes_;
    std::atomic<std::size_t> bytes_ = 0;
    std::deque<GrowShrinkTree> trees_;
    std::vector<std::vector<Var>> must_follow_;
    std::uint64_t clearings_ = 0;
};

}  // namespace dagscape
