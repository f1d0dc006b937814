#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/row_groups.hpp"
#include "scores/scorer.hpp"

namespace dagscape {

/// A score's function of all subsets of a few variables, the base, and of these with one more variable: for
/// searches that try one variable after another beside the same few.
///
/// Rows are grouped by the base once. One pass over them then counts the groups with the variable that is
/// tried, and every subset's counts are sums of these. Each value is a function of its set alone, to the last
/// bit, whatever the base was. For one thread.
class SubsetScores {
  public:
    /// A subset of the base: bit i stands for its i-th variable.
    using Subset = std::uint32_t;

    explicit SubsetScores(const Scorer& scorer) : scorer_(scorer) {}

    /// Ascending. Cells of all subsets are kept; if they were to take too much memory, or the variables are
    /// too many, there is no base and the answer is no.
    bool set_base(Members base);
    /// The score's function of a subset.
    double value(Subset subset);

    /// The variable to be tried, not in the base.
    void set_tried(Var tried);
    /// The function of a subset and the variable that is tried. Subsets are best asked for with the larger
    /// ones first: the counts of a superset asked for before are what it is summed from.
    double value_with_tried(Subset subset);

  private:
    /// The value combinations of a subset that occur.
    struct Cells {
        std::vector<std::uint32_t> of_group;  // empty where nobody asked yet
        std::vector<std::uint32_t> group;     // one that lies in it, by cell
        double combinations = 1;
        std::vector<std::uint32_t> counts;  // of the cells, by state of the variable tried
        std::uint64_t tried = 0;            // when they were counted
    };
    static constexpr std::size_t most_variables = 11;
    static constexpr std::size_t most_cells = std::size_t{1} << 23;

    Cells& cells(Subset subset);
    Subset all() const { return (Subset{1} << base_.size()) - 1; }
    void sum(const Cells& from, Cells& to) const;

    const Scorer& scorer_;
    std::vector<Var> base_;
    RowGroups rows_;
    std::vector<std::uint32_t> codes_;  // by place in the base and group
    std::vector<std::uint32_t> sizes_;  // of the groups
    std::vector<Cells> subsets_;
    std::vector<std::uint32_t> numbers_;  // of cells, while they are made
    std::size_t states_ = 1;              // of the variable tried
    std::uint64_t trial_ = 0;
    std::vector<std::uint32_t> totals_;
};

}  // namespace dagscape
