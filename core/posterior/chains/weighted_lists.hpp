#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// One variable's parent sets with their log weights, the heaviest first, as chains look at them.
///
/// For each variable a bit for every set that has it, 512 sets at a time: which of 512 sets have a parent
/// among many variables is told by uniting their columns. And for every place the log weight of all
/// sets from there on, which says when a look at the list has seen enough.
class WeightedList {
  public:
    static constexpr std::size_t block_words = 8;
    static constexpr std::size_t block = 64 * block_words;
    using Block = std::array<std::uint64_t, block_words>;

    /// The list must be in order, and outlive it.
    WeightedList(const ParentList& list, std::size_t variables);
    static double bytes_for(std::size_t sets, std::size_t variables);

    std::size_t size() const { return list_.size(); }
    std::size_t blocks() const { return (size() + block - 1) / block; }
    Members parents(std::size_t place) const { return list_.parents(place); }
    double log_weight(std::size_t place) const { return list_.score(place); }
    /// The log of the weight of all sets from a place on; of none, −∞.
    double log_tail(std::size_t place) const { return log_tails_[place]; }
    /// The sets of a block that have one of these parents.
    void unite(std::size_t block_number, std::span<const Var> having, Block& found) const;
    /// A set from a place on, drawn by weight: `unit` is from 0 up to but not 1.
    std::size_t drawn_from(std::size_t place, double unit) const;
    /// The first place of a set that has a parent, or has not; `size()` if there is none.
    std::uint32_t first_with(Var parent) const { return first_with_[parent]; }
    std::uint32_t first_without(Var parent) const { return first_without_[parent]; }

  private:
    const ParentList& list_;
    std::size_t variables_;
    std::vector<std::uint64_t> columns_;  // by block, then variable
    std::vector<double> log_tails_;
    std::vector<std::uint32_t> first_with_, first_without_;  // by parent
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
