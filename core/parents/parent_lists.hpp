#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "control.hpp"
#include "varset/wide_set.hpp"

namespace dagscape {

/// Scored parent sets of one child, best first.
///
/// Ties go to the smaller set, then to the one whose members come first.
class ParentList {
  public:
    ParentList() = default;
    /// `begins`: where each set's members begin, and the end of the last.
    ParentList(std::vector<double> scores, std::vector<std::uint64_t> begins, std::vector<Var> members);

    std::size_t size() const { return scores_.size(); }
    double score(std::size_t at) const { return scores_[at]; }
    Members parents(std::size_t at) const {
        return Members(members_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
    }
    /// Parents that the first so many sets have, all counted.
    std::size_t members(std::size_t sets) const { return begins_[sets]; }
    std::span<const double> scores() const { return scores_; }
    /// Of one set after another.
    Members all_members() const { return members_; }
    std::size_t bytes() const;
    /// What a set of so many parents takes.
    static constexpr std::size_t bytes_of(std::size_t parents) {
        return sizeof(double) + sizeof(std::uint64_t) + parents * sizeof(Var);
    }

    /// Members ascending. The list is in order again after `sort`, which does nothing where it is.
    void append(double score, Members parents);
    void reserve(std::size_t sets, std::size_t members);
    /// Adds another list's sets, and leaves that one empty.
    void take(ParentList& other);
    void sort() {
        Control unlimited;
        sort(unlimited);
    }
    /// Leaves the list as it is where `control` stops it.
    void sort(Control& control);
    /// At most so many sets, and one more: the best ones, and the best of those with the fewest parents; in
    /// order, though the list is not.
    ParentList best_few(std::size_t most) const;
    /// Of the sets of each size at most so many, the best ones; in order, though the list is not.
    ParentList best_of_each_size(std::size_t most) const;

  private:
    /// Whether a set comes before another, both given by their scores and places.
    bool before(double score, std::size_t at, double other_score, std::size_t other) const;
    bool before(std::size_t at, std::size_t other) const {
        return before(scores_[at], at, scores_[other], other);
    }

    bool sorted_ = true;
    std::vector<double> scores_;
    std::vector<std::uint64_t> begins_ = {0};
    std::vector<Var> members_;
};

/// Finds the best set among allowed parents in a sorted list, however long: for each parent, one bit for
/// every set that has it. Sets with a parent that is not allowed are struck out a word of sets at a time.
class ParentIndex {
  public:
    ParentIndex(const ParentList& list, std::size_t variables);
    /// The place of the first set whose members are all allowed.
    std::optional<std::size_t> best(const WideSet& allowed) const;

  private:
    std::size_t sets_;
    std::vector<Var> parents_;                        // those that occur
    std::vector<std::vector<std::uint64_t>> having_;  // by place in parents_
};

/// Candidate parent sets of every variable, and how far they can be trusted to hold the best.
struct ParentLists {
    std::vector<ParentList> lists;  // by child
    /// Every set of up to so many parents was scored or ruled out for good.
    std::size_t exhaustive_to = 0;
    /// No larger set can be better for any child, so that an optimum over the lists is one over all sets.
    bool exhaustive = false;

    std::size_t variables() const { return lists.size(); }
    /// Puts all lists in order, which a selection that was stopped leaves to whoever reads them: with tens of
    /// millions of sets it takes seconds.
    void sort(std::size_t threads = 1) {
        Control unlimited;
        sort(threads, unlimited);
    }
    void sort(std::size_t threads, Control& control);
    /// A few of each child's sets, for what must be quick: see `ParentList::best_few`.
    ParentLists best_few(std::size_t most, std::size_t threads) const;
    /// See `ParentList::best_of_each_size`. Exhaustive up to the size before the first of which some child
    /// has so many sets: there might have been more.
    ParentLists best_of_each_size(std::size_t most, std::size_t threads) const;
    std::size_t sets() const;
    std::size_t bytes() const;
};

/// The best of each child's sets among allowed parents; what that needs is made when first asked for.
class BestParents {
  public:
    /// The lists must outlive it.
    explicit BestParents(const ParentLists& lists) : lists_(lists), indexes_(lists.variables()) {}
    const ParentLists& lists() const { return lists_; }
    /// The place in the child's list. Safe to call from several threads.
    std::optional<std::size_t> best(Var child, const WideSet& allowed);

  private:
    const ParentLists& lists_;
    std::mutex making_;
    std::vector<std::unique_ptr<const ParentIndex>> indexes_;
};

}  // namespace dagscape
