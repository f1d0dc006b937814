#pragma once

#include <algorithm>
#include <vector>

#include "parents/bounded_list.hpp"
#include "parents/constraints.hpp"
#include "parents/family_log.hpp"
#include "parents/parent_lists.hpp"
#include "parents/pruning.hpp"
#include "set_functions/scorer.hpp"
#include "uninitialized.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

/// Scores all parent sets of one size after another, for all children at once.
///
/// A walk shows the values of every set S of variables; each X in S is then a child with the parents
/// S − X. Values of sets, and for each child the best score among a set's subsets, lie in arrays by
/// rank. With the set's lowest variable v running, all of these are read side by side.
///
/// Variables are positions here, in the walk's order; lists come out with their own numbers.
class DenseLevels final : private ValueVisitor {
  public:
    /// `limits`: the most parents worth scoring, by child; larger sets are counted as cut by the rule.
    /// `children`: whose lists are wanted. The others are scored like them as long as larger sizes follow if
    /// `watch_all`, for what `for_each_best` says of them. `share`: of the largest size, all children's sets
    /// are listed instead, but only a part of the sets is looked at.
    DenseLevels(const Scorer& scorer, const std::vector<Var>& order, const Constraints& constraints,
                const std::vector<std::size_t>& limits, Members children, Part share, bool watch_all,
                const PruningRules& prune, std::size_t largest, std::size_t threads);

    /// All parent sets of this size; sizes in turn from 0. `keep`: larger ones will follow. Otherwise only
    /// sets with a child whose list is wanted are counted.
    void run(std::size_t parents, bool keep, ValueWalk& walk, Control& control);

    /// Calls `see(parents, best)` for every parent set of the last size that was run and kept, with
    /// the best score among its subsets and itself. For children that are watched.
    template <typename See>
    void for_each_best(Var child, const See& see) const;

    /// The lists so far, unsorted. `finished`: nothing else will be asked for, and its memory can go.
    std::vector<ParentList> take_lists(bool finished);

    std::uint64_t families_scored() const;
    PruningCounts pruned() const;
    /// What will be kept of so many sets, when parent sets of this size are done.
    double kept_bytes(double sets, std::size_t parents) const {
        return sizeof(double) * sets * static_cast<double>(values_.size() + parents + 1);
    }

  private:
    using Values = UninitializedVector<double>;  // every set of a size writes its own before any is read
    struct Worker {
        FamilyLog* log = nullptr;
        // In its place, where only the best sets of a child are kept.
        std::vector<ParentList> lists;
        std::vector<BoundedList> bounded;
        std::vector<double> joint, score, below;
        // Ranks of the block's sets: of the prefix, of the sets with the last variable at 0, and of those
        // without one member of the prefix.
        std::uint64_t prefix_rank = 0, first_rank = 0;
        std::vector<std::uint64_t> rank_without;
        std::vector<Var> members;
        std::uint64_t scored = 0;
        PruningCounts pruned;
    };
    void visit(const ValueBlock& block, std::size_t worker) override;
    void forget_below(std::size_t parents, Control& control);
    void find_ranks(const ValueBlock& block, Worker& worker) const;
    void store(const ValueBlock& block, Worker& worker);
    /// Every set of the block with its member at this place, counted from the lowest, as the child; with the
    /// last variable among these positions.
    void visit_child(const ValueBlock& block, std::size_t place, std::size_t from, std::size_t to,
                     Worker& worker);
    /// Keeps or drops one parent set, and returns the best of it and its subsets.
    double offer(std::size_t child, Members parents, double score, double below, Worker& worker);

    const Scorer& scorer_;
    const std::vector<Var>& order_;         // by position
    std::vector<std::size_t> position_of_;  // by variable
    const Constraints& constraints_;
    std::vector<std::size_t> limits_;  // by position
    PruningRules prune_;
    Ranks ranks_;
    std::vector<std::uint32_t> kinds_;   // of `given`, other than 0
    std::vector<std::size_t> function_;  // of a child's `given`, by position: 0, or the kind's place plus 1
    // By function, size and rank; function 0 is the joint one.
    std::vector<std::vector<Values>> values_;
    // The best score of a child with parents among a set's others: by number of those, the child's place in
    // the set counted from the lowest member, and the set's rank.
    std::vector<std::vector<Values>> best_;
    std::vector<Worker> workers_;
    std::vector<FamilyLog> logs_;  // by worker; here, children have their own numbers
    std::size_t size_ = 0;         // of parent sets, at present
    bool keep_ = false;
    std::vector<bool> free_;             // children that any parent set of the present size is fine for
    WantedSets all_, chosen_, shared_;   // sets of all, of the children whose lists are wanted, of the share
    const WantedSets* watched_ = &all_;  // children that are scored at present
    const WantedSets* listed_ = &all_;   // those of them whose sets are kept
    bool in_shares_, watch_all_;
    Control* control_ = nullptr;
};

template <typename See>
void DenseLevels::for_each_best(Var child, const See& see) const {
    const std::size_t x = position_of_[child];
    const std::size_t n = order_.size() - 1;
    if (size_ > n) return;
    std::vector<std::size_t> set(size_);  // numbered without the child
    for (std::size_t i = 0; i < size_; ++i) set[i] = i;
    std::vector<Var> parents(size_);
    do {
        std::size_t place = 0;
        while (place < size_ && set[place] < x) ++place;
        std::uint64_t rank = ranks_.choose(x, place + 1);
        for (std::size_t i = 0; i < size_; ++i) {
            const std::size_t position = set[i] + (i >= place ? 1 : 0);
            rank += ranks_.choose(position, i + 1 + (i >= place ? 1 : 0));
            parents[i] = order_[position];
        }
        std::sort(parents.begin(), parents.end());
        see(Members(parents), best_[size_][place][rank]);
    } while (next_set(set, n));
}

}  // namespace dagscape
