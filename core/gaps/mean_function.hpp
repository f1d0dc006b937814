#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// The mean of a score over several completed tables: what gaps are worth where the rows of each table are
/// drawn by their probability (Friedman, The Bayesian structural EM algorithm, UAI 1998).
///
/// Any score of a complete table will do. It takes as many times longer as there are tables.
class MeanFunction final : public SetFunction {
  public:
    /// Functions of the same variables, at least one.
    explicit MeanFunction(std::vector<std::shared_ptr<const SetFunction>> functions);

    std::size_t variables() const override { return first().variables(); }
    double cases() const override { return first().cases(); }
    double joint(Members set) const override;
    double parameters(Members set) const override;

    std::uint32_t given_kind(Var child) const override { return first().given_kind(child); }
    double given(Var child, Members parents) const override;
    bool equivalent() const override { return first().equivalent(); }

    double cost(Members set) const override;
    bool has_exact_cost() const override { return first().has_exact_cost(); }
    double adjusted_freedom(Var x, Var y, Members given) const override;
    double rounding() const override;

    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override;

  private:
    const SetFunction& first() const { return *functions_.front(); }
    template <typename Value>
    double mean(const Value& value) const {
        double sum = 0;
        for (const auto& function : functions_) sum += value(*function);
        return sum / static_cast<double>(functions_.size());
    }

    std::vector<std::shared_ptr<const SetFunction>> functions_;
};

}  // namespace dagscape
