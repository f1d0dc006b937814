#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"
#include "varset/fit_columns.hpp"

namespace dagscape {

/// Candidate sets for searches over orders of any number of variables: the best set among the variables
/// before a child is the first of its list that fits.
///
/// A child that loses a candidate parent looks on from its present set; one that gains one looks only at sets
/// that have it, by an index, and that come before its present one. Sets far down a long list are looked at
/// by columns, many at once.
///
/// Lists may be cut short: a child then keeps its best sets, and the least one, which is within all others,
/// so that it always has a set where it had one. Lists without a least set stay whole, and have no tables
/// then: sets are read where they are, slowly. So it is with children whose tables a limit left unbuilt.
class OrderLists {
  public:
    static constexpr std::size_t whole = std::numeric_limits<std::uint32_t>::max();

    /// Lists must be sorted, and outlive this.
    explicit OrderLists(const ParentLists& parents);
    /// Keeps up to `longest` sets of a child; 0: all, and builds no tables.
    OrderLists(const ParentLists& parents, std::size_t longest, std::size_t threads, Control& control);

    std::size_t variables() const { return children_.size(); }
    /// Words of a set of variables.
    std::size_t words() const { return words_; }
    std::uint32_t sets(Var child) const { return children_[child].sets; }
    /// The place of a set in the whole list; of the place after the last set, the number of all sets.
    std::uint32_t listed(Var child, std::uint32_t place) const {
        const Child& lists = children_[child];
        return place < lists.sets ? lists.listed(place) : static_cast<std::uint32_t>(lists.list->size());
    }
    /// Of the place after the last set: what having no set at all counts. That is so little that nothing all
    /// others gain makes up for it, and not so little that it would drown them in rounding.
    double score(Var child, std::uint32_t place) const {
        const Child& lists = children_[child];
        return place < lists.sets ? lists.list->score(lists.listed(place)) : lists.none;
    }
    bool contains(Var child, std::uint32_t place, Var parent) const;
    /// The first place from `from` on whose set fits, or the number of sets.
    std::uint32_t first_fit(Var child, std::uint32_t from, const std::uint64_t* available) const;
    /// The first place before `present` whose set has the new parent and fits; `present` if none does.
    std::uint32_t better_with(Var child, Var parent, std::uint32_t present,
                              const std::uint64_t* available) const;
    /// Sets that were cut off.
    std::uint64_t left_out() const;

    /// What lists of up to so many sets take.
    static std::size_t bytes_for(const ParentLists& parents, std::size_t longest);
    /// How long lists may be that together have no more than so many sets and bytes; 0 if none may.
    static std::size_t longest_within(const ParentLists& parents, std::size_t sets, std::size_t bytes);

  private:
    struct Child {
        const ParentList* list;
        std::uint32_t sets;
        std::uint32_t last;  // the place of the last set in the whole list
        bool tables;
        double none;
        std::uint32_t head = 0;             // the first sets, which have rows and the index
        std::vector<std::uint64_t> rows;    // as rows of bits, where few words are enough
        std::vector<std::uint32_t> begins;  // by parent, in `having`
        std::vector<std::uint32_t> having;  // places of sets that have a parent, ascending
        FitColumns columns;                 // of all sets, where there are more

        std::uint32_t listed(std::uint32_t place) const { return place + 1 == sets ? last : place; }
        Members parents(std::uint32_t place) const { return list->parents(listed(place)); }
    };
    void build_tables(Child& child) const;
    /// Whether all parents of a set of the head, or any set where there are no tables, are available.
    bool fits(const Child& child, std::uint32_t place, const std::uint64_t* available) const;

    std::size_t words_;
    std::vector<Child> children_;
};

}  // namespace dagscape
