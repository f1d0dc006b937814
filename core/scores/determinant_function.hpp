#pragma once

#include <memory>
#include <vector>

#include "scores/column_blocks.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

/// How a score of numbers follows from a log determinant, by the number d of columns of a set:
///
///     joint(S) = constant[d] + Σ offset[v] − weight[d] / 2 · ln det Σ_S − price · parameters(d).
struct DeterminantTerms {
    std::vector<double> constant, weight;
    std::vector<double> offset;  // by variable
    double price = 0;            // of a parameter; 0 where the score is no penalized likelihood
    double own_share = least_own_share;
};

/// Gaussian BIC: −N/2 (d (1 + ln 2π) + ln det Σ_S) − (ln N / 2) d (d + 3) / 2. On columns that stand for
/// states or are polynomials it is the degenerate Gaussian, or the BIC on basis functions.
DeterminantTerms gaussian_bic_terms(const ColumnBlocks& blocks);

/// Log marginal likelihood of Gaussian networks (Geiger and Heckerman 2002, as corrected by Kuipers, Moffa
/// and Heckerman 2014), the prior mean at the mean of the rows. Changes the blocks' matrix and scale to those
/// of the posterior. Standardized: the prior is of variables of variance 1.
struct BgePrior {
    double iss_mu = 1, iss_w = 0;  // iss_w must be above the number of variables + 1; 0: that number + 2
    bool standardized = false;
};
DeterminantTerms bge_terms(ColumnBlocks& blocks, const BgePrior& prior);

/// The same with the usual parameters for normal scores, and blocks of states that they are conditioned on.
///
/// The variables whose ranks are known have a variance of 1; their covariances with others are less than what
/// ranks are correlated by, as `told_by_ranks` says. Without that few rows would say too much: the ranks of
/// four values agree in one table of 24. The prior adds ½ to the squares of each column of numbers, and
/// (r − 1) / 2 to those of the r − 1 columns of r states.
DeterminantTerms normal_score_terms(ColumnBlocks& blocks, const std::vector<bool>& is_number);
double log_prior_scatter(const ColumnBlocks& blocks, Var v, bool is_number);

/// A score of sets of variables that stand for columns of numbers, by the determinant of their covariance.
///
/// Correlations are lowered by a tiny share, one part in 10⁹ unless the terms say otherwise, so that no set
/// is without a finite score.
class DeterminantFunction final : public SetFunction {
  public:
    DeterminantFunction(ColumnBlocks blocks, DeterminantTerms terms);

    std::size_t variables() const override { return blocks_.variables(); }
    double cases() const override { return blocks_.cases; }
    double joint(Members set) const override;
    double parameters(Members set) const override { return parameters_of(columns_of(set)); }
    double cost(Members set) const override;
    bool has_exact_cost() const override { return terms_.price > 0; }
    double rounding() const override;

    std::unique_ptr<FamilyBounds> bounds() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::unique_ptr<ValueWalk> walk(const WalkOptions& options) const override;

    // What the extender, the walk and the bounds need.
    const ColumnBlocks& blocks() const { return blocks_; }
    const DeterminantTerms& terms() const { return terms_; }
    const double* row(std::size_t column) const { return blocks_.matrix.data() + column * blocks_.columns(); }
    std::size_t columns_of(Members set) const;
    /// Of the set's columns, scales included.
    double log_determinant(Members set) const;
    /// No pivot is less; the least that can be, if it were not for rounding.
    double least_pivot() const { return terms_.own_share / 2; }
    /// Scale and offset of a variable, as they enter a sum with the log determinant of its columns.
    double log_scale(Var v) const { return 2 * blocks_.log_scale[v]; }
    /// The value of a set from its number of columns, log determinant (scales included) and offsets.
    double value(std::size_t columns, double log_determinant, double offset) const {
        return terms_.constant[columns] + offset - terms_.weight[columns] / 2 * log_determinant -
               terms_.price * parameters_of(columns);
    }
    /// How far a value may be off, of a set of so many columns of which none has less of its own than this.
    double error(std::size_t columns, double least_pivot) const;
    static double parameters_of(std::size_t columns) {
        const auto d = static_cast<double>(columns);
        return d * (d + 3) / 2;
    }

  private:
    ColumnBlocks blocks_;
    DeterminantTerms terms_;
};

}  // namespace dagscape
