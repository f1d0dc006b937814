#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "posterior/chains/member_columns.hpp"

namespace dagscape {

/// One variable's parent sets with their log weights, the heaviest first, as chains look at them.
///
/// For every place there is the log weight of all sets from there on, which says when a look at the list
/// has seen enough. Sets that weigh more than all their subsets are listed apart: the heaviest set without
/// some variables is one of them, and they are few.
class WeightedList {
  public:
    /// The list must be in order, and outlive it.
    WeightedList(const ParentList& list, std::size_t variables);
    static double bytes_for(std::size_t sets, std::size_t variables);

    std::size_t size() const { return list_.size(); }
    Members parents(std::size_t place) const { return list_.parents(place); }
    double log_weight(std::size_t place) const { return list_.score(place); }
    /// The log of the weight of all sets from a place on; of none, −∞.
    double log_tail(std::size_t place) const { return log_tails_[place]; }
    const MemberColumns& columns() const { return columns_; }
    /// Of the sets that weigh more than all their subsets, and where these are in the list.
    const MemberColumns& best_columns() const { return *best_columns_; }
    std::uint32_t best_place(std::size_t best) const { return best_places_[best]; }
    /// The first place of a set that has a parent; `size()` if there is none.
    std::uint32_t first_with(Var parent) const { return first_with_[parent]; }
    /// A set from a place on, drawn by weight: `unit` is from 0 up to but not 1.
    std::size_t drawn_from(std::size_t place, double unit) const;

  private:
    void find_best();

    const ParentList& list_;
    std::size_t variables_;
    MemberColumns columns_;
    std::vector<double> log_tails_;
    std::vector<std::uint32_t> first_with_;  // by parent
    std::vector<std::uint32_t> best_places_;
    std::optional<MemberColumns> best_columns_;
};

/// The weighted parent sets of all variables. Many chains read them at the same time.
class WeightedLists {
  public:
    /// Puts the lists in order. Throws where a variable has none. Not `complete` where `control` stopped it.
    WeightedLists(std::shared_ptr<ParentLists> lists, std::size_t threads, Control& control);

    bool complete() const { return complete_; }
    std::size_t variables() const { return lists_->variables(); }
    const ParentLists& lists() const { return *lists_; }
    const WeightedList& operator[](Var v) const { return *weighted_[v]; }

  private:
    std::shared_ptr<ParentLists> lists_;
    std::vector<std::unique_ptr<const WeightedList>> weighted_;
    bool complete_ = false;
};

}  // namespace dagscape
