#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/mixed_table.hpp"
#include "set_functions/set_function.hpp"
#include "sharded_memo.hpp"

namespace dagscape {

/// BIC of a Gaussian for every combination of states (Andrews, Ramsey and Cooper 2018): with the states D and
/// the numbers C of a set, and the rows n_c of each cell of D,
///
///     joint(S) = Σ_c n_c ln (n_c / N) + Σ_c ln Gaussian(C in c; mean and covariance of c) − price ·
///     parameters.
///
/// The score of a family is a difference of two such, so any variable may be the parent of any other. Rows of
/// cells with fewer than 2 (|C| + 2) rows are held against the mean and covariance of all rows. In no cell
/// has a variable less than one part in 10⁹ of its variance over all rows.
class ConditionalGaussian final : public SetFunction {
  public:
    explicit ConditionalGaussian(std::shared_ptr<const MixedTable> table);

    std::size_t variables() const override { return table_->variables(); }
    double cases() const override { return table_->cases(); }
    double joint(Members set) const override;
    double parameters(Members set) const override;
    double cost(Members set) const override { return price_ * parameters(set); }
    double rounding() const override;

  private:
    using Triangle = std::vector<double>;  // lower, row by row

    /// Rows by the cell of a set of states that they lie in.
    struct Cells {
        std::vector<Var> set;
        std::vector<std::uint32_t> of_row;
        std::vector<std::uint32_t> counts;
        // Of all numbers, cell by cell; empty where that would be too much to keep.
        std::vector<double> means, moments;
    };
    std::shared_ptr<const Cells> cells(Members states) const;
    void add_moments(Cells& cells, const std::vector<std::size_t>& chosen) const;
    double fit(const Cells& cells, const std::vector<std::size_t>& chosen) const;
    double combinations(Members set) const;

    std::shared_ptr<const MixedTable> table_;
    double price_;
    std::vector<std::size_t> place_;            // of a variable among those of numbers
    std::vector<std::vector<double>> numbers_;  // standardized
    std::vector<double> log_deviation_;         // 0 for those that never change
    std::vector<double> ridge_;
    Triangle overall_;  // covariance of all rows
    mutable ShardedMemo<Cells> memo_;
};

}  // namespace dagscape
