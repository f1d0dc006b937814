#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gaps/completions.hpp"
#include "scores/keyed.hpp"
#include "scores/score.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

/// A score on the expected counts of a table with gaps.
///
/// The weighted completions of all rows are one distribution of whole rows, so what holds of entropies of
/// counted rows holds of expected counts too, and with it the bounds of penalized likelihoods.
class CompletedFunction final : public SetFunction {
  public:
    CompletedFunction(std::shared_ptr<const Completions> completions, std::shared_ptr<const Score> score)
        : completions_(std::move(completions)), score_(std::move(score)) {}

    std::size_t variables() const override { return table().variables(); }
    double cases() const override { return static_cast<double>(table().rows()); }
    double joint(Members set) const override;
    double parameters(Members set) const override { return table().combinations(set) - 1; }

    std::uint32_t given_kind(Var child) const override { return equivalent() ? 0 : table().arity(child); }
    double given(Var child, Members parents) const override;
    bool equivalent() const override { return score_->equivalent(); }

    double cost(Members set) const override;
    bool has_exact_cost() const override { return score_->price() > 0; }
    std::unique_ptr<FamilyBounds> bounds() const override;

    std::unique_ptr<SetExtender> extender(ExtensionWay way = ExtensionWay::cheaper) const override;
    std::size_t extender_bytes() const override;

    /// `joint` of so many variables by how often their combinations occur; those with 0 are passed over, and
    /// the others written to `occurring`.
    double of_counts(std::span<const double> counts, std::size_t variables, double combinations,
                     std::vector<double>& occurring) const;
    const Completions& completions() const { return *completions_; }
    const GapTable& table() const { return completions_->table(); }
    const Score& score() const { return *score_; }

  private:
    double of_occurring(std::span<const double> counts, std::size_t variables, double combinations) const;

    std::shared_ptr<const Completions> completions_;
    std::shared_ptr<const Score> score_;
    Keyed<double> constants_;  // some take long
};

}  // namespace dagscape
