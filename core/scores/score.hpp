#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace dagscape {

/// A score of a child given its parents: natural log, higher is better. A formula, without data.
///
/// Every score here is a difference of two functions of one variable set's counts each,
///
///     local(X | P) = joint(P ∪ {X}) − given(P, arity of X),
///     joint(S)     = Σ cell(n, q) + constant(q)   over the counts n of the combinations that occur,
///     given(P, r)  = Σ given_cell(n, r),          or joint(P) where the score is equivalent,
///
/// with q the number of value combinations of S, occurring or not. Where `given` is `joint`, one
/// value per set serves all its members as children, and equivalent networks score the same.
///
/// A score with `alternatives` fits one to each set: joint(S) is the largest of theirs.
class Score {
  public:
    virtual ~Score() = default;

    virtual double cell(double n, double combinations) const = 0;
    /// Whether `cell` looks at its second argument.
    virtual bool cell_uses_combinations() const { return false; }
    virtual double constant(double /*combinations*/) const { return 0; }
    /// What a set of so many variables chooses among: the first few of all, which single ones may have. In
    /// their order, the values of any set rise to a peak and then fall.
    virtual std::span<const std::shared_ptr<const Score>> alternatives(std::size_t /*size*/) const {
        return {};
    }

    /// values[n * stride + i]: `cell` of alternative i of larger sets at count n, for so many counts.
    virtual void alternative_cells(double combinations, std::size_t counts, std::size_t stride,
                                   double* values) const {
        const auto all = alternatives(2);
        for (std::size_t n = 0; n < counts; ++n)
            for (std::size_t i = 0; i < all.size(); ++i)
                values[n * stride + i] = n > 0 ? all[i]->cell(static_cast<double>(n), combinations) : 0;
    }

    virtual bool equivalent() const { return true; }
    virtual double given_cell(double n, std::uint32_t /*child_arity*/) const { return cell(n, 1); }

    /// What a count of one is, in cases.
    virtual double unit() const { return 1; }
    /// What is known of larger sets without counting them. Of a maximum log-likelihood with a price for each
    /// free parameter, that price, and 0 of others.
    virtual double price() const { return 0; }
    /// Whether the score is a maximum log-likelihood, h(P ∪ {X}) − h(P), less constant(q) − constant(r q),
    /// and that charge for a child of r states with q parent configurations never falls as q grows.
    virtual bool charges_combinations() const { return false; }
    /// Whether the score is the log of a probability of the child's cases, one after another, that mixes
    /// distributions independent between parent configurations, and in each configuration the first case of
    /// a state that had none has a probability of at most 1/r, r being the child's states; or r^(−u), where
    /// it is u of a case.
    virtual bool new_states_are_even() const { return false; }
};

/// n ln n. Summed over the cells of a set this is h(S), with which LL(X | P) = h(P ∪ {X}) − h(P).
inline double n_log_n(double n) { return n > 0 ? n * std::log(n) : 0; }

}  // namespace dagscape
