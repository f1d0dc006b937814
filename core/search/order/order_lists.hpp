#pragma once

#include <cstdint>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Candidate sets as rows of bits, best first, for searches over orders of any number of variables: the best
/// set among the variables before a child is the first that fits.
class OrderLists {
  public:
    /// Lists must be sorted.
    explicit OrderLists(const ParentLists& parents);

    std::size_t variables() const { return children_.size(); }
    /// Words of a set.
    std::size_t words() const { return words_; }
    std::uint32_t sets(Var child) const {
        return static_cast<std::uint32_t>(children_[child].scores.size() - 1);
    }
    /// Of the place after the last set: what having no set at all counts, which is worse than anything.
    double score(Var child, std::uint32_t place) const { return children_[child].scores[place]; }
    bool contains(Var child, std::uint32_t place, Var parent) const {
        return place < sets(child) && (row(child, place)[parent / 64] >> (parent % 64) & 1) != 0;
    }
    /// The first place from `from` on, before `end`, whose set is within `available`; `end` if none is.
    std::uint32_t first_fit(Var child, std::uint32_t from, std::uint32_t end,
                            const std::uint64_t* available) const;
    static std::size_t bytes_for(const ParentLists& parents);

    static constexpr double no_set = -1e12;

  private:
    struct Child {
        std::vector<std::uint64_t> rows;
        std::vector<double> scores;
    };
    const std::uint64_t* row(Var child, std::uint32_t place) const {
        return children_[child].rows.data() + place * words_;
    }
    std::size_t words_;
    std::vector<Child> children_;
};

}  // namespace dagscape
