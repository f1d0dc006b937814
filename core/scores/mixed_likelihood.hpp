#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "scores/determinant_function.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

/// A score of states and numbers: that of the states of a set, and the marginal likelihood of its numbers
/// given them.
///
///     joint(D ∪ C) = states(D) + ln p(C | indicators of D)
///
/// Numbers are lines in the indicators of the states, with noise of one covariance, under the conjugate
/// prior: that of BGe for the covariance, and coefficients that are normal about 0. So a set of states scores
/// as without numbers in the table, a set of numbers as without states, and nothing is ever counted in cells
/// of several columns of states but these states themselves. With d numbers, and M the matrix of sums of
/// squares and products of the columns of indicators and numbers, the prior's diagonal added,
///
///     ln p(C | D) = constant[d] + d/2 (ln det K_D − ln det M_D) − weight[d]/2 (ln det M_DC − ln det M_D),
///
/// with K_D the prior's diagonal. The r − 1 columns of a variable with r states have (r − 1) / 2 there: its
/// states together explain as much, before the rows are seen, as any other variable, however many they are.
class MixedLikelihood final : public SetFunction {
  public:
    /// A function of the table's variables of states, in their order, and blocks of normal scores and states.
    MixedLikelihood(std::shared_ptr<const SetFunction> states, std::vector<bool> is_number,
                    ColumnBlocks blocks);

    std::size_t variables() const override { return is_number_.size(); }
    double cases() const override { return columns_.cases(); }
    double joint(Members set) const override;
    double parameters(Members set) const override;
    double rounding() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::unique_ptr<ValueWalk> walk(const WalkOptions& options) const override;

    // What the extender and the walk need.
    bool is_number(Var v) const { return is_number_[v]; }
    const SetFunction& states() const { return *states_; }
    /// Of a variable of states, among these.
    Var among_states(Var v) const { return place_[v]; }
    const DeterminantFunction& columns() const { return columns_; }

    /// A set as sums over its members.
    struct Parts {
        std::size_t numbers = 0;           // columns of numbers
        double log_prior = 0;              // ln det K_D
        double of_states = 0, of_all = 0;  // ln det M_D and M_DC
        double states = 0;                 // states(D)
    };
    double value(const Parts& parts) const;
    /// Counts a variable's numbers, or its part of the prior.
    void add(Var v, Parts& parts) const;
    /// The function of the states alone.
    double states_of(Members states) const;
    /// How far it may be off, where no column has less of its own than this.
    double error(std::size_t columns, double least_pivot) const {
        return 2 * columns_.error(columns, least_pivot);
    }

  private:
    std::shared_ptr<const SetFunction> states_;
    std::vector<bool> is_number_;
    std::vector<Var> place_;
    DeterminantFunction columns_;
};

}  // namespace dagscape
