#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// The sum of a score over parts of the rows: one structure, with parameters of its own in each part.
class SumFunction final : public SetFunction {
  public:
    /// Functions of the same variables, at least one, of the same score.
    explicit SumFunction(std::vector<std::shared_ptr<const SetFunction>> functions);

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

    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override;

  private:
    const SetFunction& first() const { return *functions_.front(); }
    template <typename Value>
    double sum(const Value& value) const {
        double all = 0;
        for (const auto& function : functions_) all += value(*function);
        return all;
    }

    std::vector<std::shared_ptr<const SetFunction>> functions_;
};

}  // namespace dagscape
