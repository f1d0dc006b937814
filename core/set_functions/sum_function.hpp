#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// A share of the sum of functions of the same variables.
///
/// Of a score on the rows of each group it is the score of one structure whose parameters are each group's
/// own: what every function promises of equivalent networks, the sum does too. With a share of 1 / n it is
/// the mean: what gaps are worth where the rows of each table are drawn by their probability (Friedman, The
/// Bayesian structural EM algorithm, UAI 1998). It takes as many times longer as there are functions.
class SumFunction final : public SetFunction {
  public:
    /// Functions of the same variables, at least one.
    explicit SumFunction(std::vector<std::shared_ptr<const SetFunction>> functions, double share = 1);

    std::size_t variables() const override { return first().variables(); }
    double cases() const override;
    double joint(Members set) const override;
    double parameters(Members set) const override;

    std::uint32_t given_kind(Var child) const override { return first().given_kind(child); }
    double given(Var child, Members parents) const override;
    bool equivalent() const override { return first().equivalent(); }

    double cost(Members set) const override;
    bool has_exact_cost() const override { return first().has_exact_cost(); }
    double adjusted_freedom(Var x, Var y, Members given) const override;
    double rounding() const override;

    std::unique_ptr<FamilyBounds> bounds() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override;

  private:
    const SetFunction& first() const { return *functions_.front(); }
    template <typename Value>
    double sum(const Value& value) const {
        double sum = 0;
        for (const auto& function : functions_) sum += value(*function);
        return sum * share_;
    }

    std::vector<std::shared_ptr<const SetFunction>> functions_;
    double share_;
};

}  // namespace dagscape
