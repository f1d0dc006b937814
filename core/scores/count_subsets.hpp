#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/row_groups.hpp"
#include "scores/count_function.hpp"

namespace dagscape {

/// Values of the subsets of a few variables, and of these with one more, from counts.
///
/// Rows are grouped by the base once. One pass over them then counts the groups with the variable that is
/// tried, and every subset's counts are sums of these.
class CountSubsets final : public SubsetValues {
  public:
    explicit CountSubsets(const CountFunction& function)
        : function_(function), tolerance_(function.tolerance()) {}

    /// Cells of all subsets are kept, so there must not be too many.
    bool set_base(Members base) override;
    double value(Subset subset) override;
    void set_tried(Var tried) override;
    /// The counts of a superset asked for before are what a subset's are summed from.
    double value_with_tried(Subset subset) override;
    double most_gain(Subset subset) override;

  private:
    /// The value combinations of a subset that occur.
    struct Cells {
        std::vector<std::uint32_t> of_group;  // empty where nobody asked yet
        std::vector<std::uint32_t> group;     // one that lies in it, by cell
        double combinations = 1;
        std::vector<std::uint32_t> counts;  // of the cells, by state of the variable tried
        std::uint64_t tried = 0;            // when they were counted
    };
    void set_expense();
    double told();

    static constexpr std::size_t most_variables = 11;
    static constexpr std::size_t most_cells = std::size_t{1} << 23;

    Cells& cells(Subset subset);
    Subset all() const { return (Subset{1} << base_.size()) - 1; }
    void sum(const Cells& from, Cells& to) const;

    const CountFunction& function_;
    double tolerance_;
    std::vector<Var> base_;
    RowGroups rows_;
    std::vector<std::uint32_t> codes_;  // by place in the base and group
    std::vector<std::uint32_t> sizes_;  // of the groups
    std::vector<Cells> subsets_;
    // For scores with a price, see `most_gain`: by subset, and the values of the empty one and the base.
    std::vector<double> expense_;
    double value_of_none_ = 0, value_of_base_ = 0;
    std::vector<std::uint32_t> numbers_;  // of cells, while they are made
    std::size_t states_ = 1;              // of the variable tried
    std::uint64_t trial_ = 0;
    std::optional<double> told_;  // of the variable tried; see `most_gain`
    std::vector<std::uint32_t> totals_;
};

}  // namespace dagscape
