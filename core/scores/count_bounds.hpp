#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "counts/row_partition.hpp"
#include "scores/count_function.hpp"

namespace dagscape {

/// How high larger parent sets can score, for scores of counts.
class CountBounds final : public FamilyBounds {
  public:
    explicit CountBounds(const CountFunction& function);

    /// A set pays the charge for q instead of q_R configurations, R being the required ones, which is
    /// (r − 1)(q − q_R) parameters where these have a price, and gains at most N·H(child | R).
    /// With k more parents q is at least q_R times the product of the k lowest arities of others (Theorem 3
    /// of Wu 2010, made exact).
    std::size_t most_parents(Var child, Members required, double lead) const override;

    /// For penalized likelihoods (Suzuki 1996; Tian 2000; de Campos and Ji 2011; Theorems 5 and 6 of
    /// Wu 2010) and qNML: the superset pays for at least r_min times as many configurations, and explains no
    /// more than all variables together do. For BDeu and K2: at most −c ln r, with c the combinations of the
    /// parents and the child that occur. In a configuration each state's first case has a probability of at
    /// most 1/r, whatever the ess, no further case one above 1, and a superset has no fewer combinations (de
    /// Campos and Ji 2011 count those of the parents alone; Correia, Cussens and de Campos 2020 have
    /// sharper bounds of this kind). And it is no more probable than its maximum likelihood.
    double superset_bound(Var child, Members parents, std::size_t most) const override;
    bool bounds_quickly() const override { return charges_; }
    bool has_idle_variables() const override { return arities_.size() < function_.variables(); }

    /// What y can tell is at most the lesser of N·H(child | parents) and N·H(y | parents), what it costs
    /// grows with the parents (de Campos, Scanagatta, Corani and Zaffalon 2018).
    bool weighs_members() const override { return price_ > 0; }
    double most_gain(Var v, Members parents, double local) const override;
    double least_cost(Var child, Var y, Members parents, std::size_t most) const override;

  private:
    double arity(Var v) const { return function_.table().arity(v); }
    /// What a child with so many parent configurations pays, for scores that charge for these.
    double charge(Var child, double combinations) const;
    // Passes over the rows that not every caller needs: made on first use.
    const RowPartition& counter() const;
    double entropy_given_others_of(Var child) const;
    double entropy_sum(Members set) const;

    const CountFunction& function_;
    double price_;                 // of a parameter, for penalized likelihoods
    bool charges_, even_;          // see Score
    std::vector<double> arities_;  // of variables that can tell anything, ascending; only with charges
    double least_arity_ = 2;
    mutable std::once_flag counting_, looking_;
    mutable std::optional<RowPartition> counter_;  // any set, however the function counts
    mutable std::vector<double> least_entropy_;    // N·H(child | all others)
};

}  // namespace dagscape
