#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// A prior on structures that gives a child with k parents the log weight f(k), by one f for all children.
///
/// Reversing a covered arc swaps k and k + 1 parents, so such a prior is the same for equivalent networks. It
/// is a function of sets too: F(m) = Σ_{j<m} f(j) for m variables, since F(k + 1) − F(k) = f(k).
class SizePrior {
  public:
    /// log_weights[k]: of k parents.
    explicit SizePrior(std::vector<double> log_weights);

    /// f(k).
    double of_parents(std::size_t k) const { return weights_[k]; }
    /// F(m).
    double of_set(std::size_t m) const { return sums_[m]; }
    /// The largest f(k) for `least` to `most` parents; minus infinity where there are none.
    double largest(std::size_t least, std::size_t most) const;
    /// The largest f(k + 1) − f(k) from `least` parents on, to at most `most` with the one added.
    double largest_rise(std::size_t least, std::size_t most) const;
    std::size_t most_parents() const { return weights_.size() - 1; }
    const std::vector<double>& log_weights() const { return weights_; }

  private:
    std::vector<double> weights_, sums_;
};

/// A function of sets, with a prior on structures added: local(X | P) + f(|P|).
class PriorFunction final : public SetFunction {
  public:
    /// The prior must have a weight for every number of parents that there can be.
    PriorFunction(std::shared_ptr<const SetFunction> likelihood, std::vector<double> log_weights);

    std::size_t variables() const override { return inner_->variables(); }
    double cases() const override { return inner_->cases(); }
    double joint(Members set) const override { return inner_->joint(set) + prior_.of_set(set.size()); }
    double parameters(Members set) const override { return inner_->parameters(set); }

    std::uint32_t given_kind(Var child) const override { return inner_->given_kind(child); }
    double given(Var child, Members parents) const override {
        return inner_->given(child, parents) + prior_.of_set(parents.size());
    }
    bool equivalent() const override { return inner_->equivalent(); }

    std::uint32_t kinds() const override { return inner_->kinds(); }
    std::uint32_t kind(Var child) const override { return inner_->kind(child); }
    std::shared_ptr<const SetFunction> of_kind(std::uint32_t kind) const override;
    bool exchangeable(Var a, Var b) const override { return inner_->exchangeable(a, b); }

    double cost(Members set) const override { return inner_->cost(set) - prior_.of_set(set.size()); }
    bool has_exact_cost() const override { return inner_->has_exact_cost(); }
    void parent_costs(Var x, Members parents, std::span<const Var> candidates,
                      std::span<double> costs) const override;
    double adjusted_freedom(Var x, Var y, Members given) const override {
        return inner_->adjusted_freedom(x, y, given);
    }
    double rounding() const override { return inner_->rounding(); }

    std::unique_ptr<FamilyBounds> bounds() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override { return inner_->extender_bytes(); }
    std::unique_ptr<SubsetValues> subsets() const override;
    std::unique_ptr<ValueWalk> walk(const WalkOptions& options) const override;

  private:
    std::shared_ptr<const SetFunction> inner_;
    SizePrior prior_;
};

}  // namespace dagscape
