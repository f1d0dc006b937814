#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "counts/row_partition.hpp"
#include "scores/penalized_likelihood.hpp"
#include "scores/scorer.hpp"
#include "varset/wide_set.hpp"

namespace dagscape {

/// Rules that leave out parent sets which cannot be the best among any allowed parents. Each is sound on its
/// own: whatever a rule leaves out has a subset that scores at least as high and has all required parents.
struct PruningRules {
    bool limit = true;      // no set with more parents than the score can pay for
    bool bound = true;      // no superset of a set where none can score higher
    bool entropy = true;    // no superset that adds a parent which cannot tell enough
    bool dominance = true;  // no set that scores no higher than a subset
};

/// Whether a score is higher than another by more than the rounding of the sums behind them: a parent that
/// changes nothing, such as one with a single state, must not seem to help.
inline bool beats(double score, double other) { return score - other > 1e-12 * std::abs(score); }

/// Sets that each rule left out. What several rules would leave out counts for the first that did.
struct PruningCounts {
    std::uint64_t limit = 0, bound = 0, entropy = 0, dominance = 0;

    PruningCounts& operator+=(const PruningCounts& other) {
        limit += other.limit;
        bound += other.bound;
        entropy += other.entropy;
        dominance += other.dominance;
        return *this;
    }
};

/// What is known of a score on a table beyond its values: how high larger parent sets can score.
class ScoreBounds {
  public:
    explicit ScoreBounds(const Scorer& scorer);

    /// The most parents a set can have and still beat the required ones alone; variables less one if unknown.
    ///
    /// A set pays (r − 1)(q − q_R) parameters more than the required R, and gains at most N·H(child | R).
    /// With k more parents q is at least q_R times the product of the k lowest arities of others (Theorem 3
    /// of Wu 2010, made exact).
    std::size_t most_parents(Var child, const WideSet& required) const;

    /// No proper superset of these parents scores higher.
    ///
    /// For penalized likelihoods (Suzuki 1996; Tian 2000; de Campos and Ji 2011; Theorems 5 and 6 of
    /// Wu 2010): the superset pays for at least r_min times as many configurations, and explains no
    /// more than all variables together do. For BDeu (de Campos and Ji 2011): at most −q⁺ ln r, with q⁺
    /// the configurations that occur. In each of them the first case has the probability 1/r, whatever
    /// the ess, no further case one above 1, and a superset has no fewer of them.
    double superset_bound(Var child, Members parents) const;

    /// Whether adding y to these parents, or to any superset of them, never pays for itself
    /// (de Campos, Scanagatta, Corani and Zaffalon 2018): what it can tell is at most the lesser of
    /// N·H(child | parents) and N·H(y | parents), what it costs grows with the parents.
    bool never_pays(Var child, Var y, double cases_entropy_child, double cases_entropy_y,
                    double combinations) const;
    /// The score is a penalized likelihood with a price, so that `never_pays` can say yes.
    bool has_price() const { return price_ > 0; }
    double price() const { return price_; }
    /// N·H(child | parents), from the local score of a penalized likelihood.
    double cases_entropy(Var child, double local_score, double combinations) const {
        return -local_score - price_ * (arity(child) - 1) * combinations;
    }
    /// Whether `superset_bound` says something without counting anything.
    bool bounds_quickly() const { return price_ > 0; }

  private:
    double arity(Var v) const { return scorer_.table().arity(v); }

    const Scorer& scorer_;
    RowPartition counter_;  // any set, however the scorer counts
    double price_ = 0;      // of a parameter, for penalized likelihoods
    bool bdeu_ = false;
    std::vector<double> arities_;  // of variables that can tell anything, ascending
    double least_arity_ = 2;
    std::vector<double> least_entropy_;  // N·H(child | all others)
};

}  // namespace dagscape
