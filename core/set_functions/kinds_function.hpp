#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_function.hpp"

namespace dagscape {

/// A score whose children are of several kinds, each with an ordinary function of its own:
///
///     local(X | P) = joint(P ∪ {X}) − given(X, P), by the function of X's kind.
///
/// Where variables were set in some rows, a child is scored on those in which it was free (Cooper and Yoo,
/// UAI 1999), and children that were free in the same rows are of one kind. What is asked about a child goes
/// to its own function. What is asked about a set alone goes to that of the most cases, and no score may
/// depend on it.
class KindsFunction final : public SetFunction {
  public:
    /// Functions of the same variables, and which of them each variable has.
    KindsFunction(std::vector<std::shared_ptr<const SetFunction>> functions,
                  std::vector<std::uint32_t> kind_of);

    std::uint32_t kinds() const override { return static_cast<std::uint32_t>(functions_.size()); }
    std::uint32_t kind(Var child) const override { return kind_of_[child]; }
    std::shared_ptr<const SetFunction> of_kind(std::uint32_t kind) const override { return functions_[kind]; }
    bool exchangeable(Var a, Var b) const override {
        return kind_of_[a] == kind_of_[b] && of(a).exchangeable(a, b);
    }
    bool equivalent() const override { return false; }

    std::size_t variables() const override { return kind_of_.size(); }
    double cases() const override { return widest().cases(); }
    double joint(Members set) const override { return widest().joint(set); }
    double parameters(Members set) const override { return widest().parameters(set); }
    double cost(Members set) const override { return widest().cost(set); }
    double adjusted_freedom(Var x, Var y, Members given) const override {
        return widest().adjusted_freedom(x, y, given);
    }
    void parent_costs(Var x, Members parents, std::span<const Var> candidates,
                      std::span<double> costs) const override {
        of(x).parent_costs(x, parents, candidates, costs);
    }
    double rounding() const override { return widest().rounding(); }

    std::unique_ptr<FamilyBounds> bounds() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override;

  private:
    const SetFunction& of(Var child) const { return *functions_[kind_of_[child]]; }
    const SetFunction& widest() const { return *functions_[widest_]; }

    std::vector<std::shared_ptr<const SetFunction>> functions_;
    std::vector<std::uint32_t> kind_of_;
    std::size_t widest_ = 0;
};

}  // namespace dagscape
