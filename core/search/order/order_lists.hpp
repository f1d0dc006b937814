#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Candidate sets for searches over orders of any number of variables: the best set among the variables
/// before a child is the first of its list that fits.
///
/// A child that loses a candidate parent looks on from its present set; one that gains one looks only at sets
/// that have it, by an index, and that come before its present one.
class OrderLists {
  public:
    /// Lists must be sorted, and outlive this.
    explicit OrderLists(const ParentLists& parents);

    std::size_t variables() const { return children_.size(); }
    /// Words of a set of variables.
    std::size_t words() const { return words_; }
    std::uint32_t sets(Var child) const {
        return static_cast<std::uint32_t>(children_[child].scores.size() - 1);
    }
    /// Of the place after the last set: what having no set at all counts. That is so little that nothing all
    /// others gain makes up for it, and not so little that it would drown them in rounding.
    double score(Var child, std::uint32_t place) const { return children_[child].scores[place]; }
    bool contains(Var child, std::uint32_t place, Var parent) const;
    /// Whether all parents are available.
    bool fits(Var child, std::uint32_t place, const std::uint64_t* available) const;
    /// The first place from `from` on whose set fits, or the number of sets.
    std::uint32_t first_fit(Var child, std::uint32_t from, const std::uint64_t* available) const;
    /// The first place before `present` whose set has the new parent and fits; `present` if none does.
    std::uint32_t better_with(Var child, Var parent, std::uint32_t present,
                              const std::uint64_t* available) const;
    static std::size_t bytes_for(const ParentLists& parents);

  private:
    struct Child {
        const ParentList* list;
        std::vector<std::uint64_t> rows;  // the sets as rows of bits, where few words are enough
        std::vector<double> scores;
        std::vector<std::uint32_t> begins;  // by parent, in `having`
        std::vector<std::uint32_t> having;  // places of sets that have a parent, ascending
    };
    std::size_t words_;
    std::vector<Child> children_;
};

}  // namespace dagscape
