#pragma once

#include <memory>

#include "counts/counter.hpp"
#include "data/table.hpp"
#include "scores/score_tables.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

/// A score on a table: values of sets are sums over the counts of their value combinations.
///
/// Each way of asking has a file of its own: single sets here, one more variable in `CountExtender`, subsets
/// of a few variables in `CountSubsets`, all sets of a size in `CountWalk`, and `CountBounds` knows how high
/// larger parent sets can score.
class CountFunction final : public SetFunction {
  public:
    CountFunction(std::shared_ptr<const Table> table, std::shared_ptr<const Counter> counter,
                  std::shared_ptr<const Score> score)
        : table_(std::move(table)),
          counter_(std::move(counter)),
          tables_(std::move(score), table_->cases()) {}

    std::size_t variables() const override { return table_->variables(); }
    double cases() const override { return table_->cases() * score().unit(); }
    double joint(Members set) const override;
    double parameters(Members set) const override { return table_->combinations(set) - 1; }

    /// For scores that tell equivalent networks apart, the child's states say which function it is.
    std::uint32_t given_kind(Var child) const override { return equivalent() ? 0 : table_->arity(child); }
    double given(Var child, Members parents) const override;
    bool equivalent() const override { return score().equivalent(); }

    double cost(Members set) const override;
    bool has_exact_cost() const override { return score().price() > 0; }
    void parent_costs(Var x, Members parents, std::span<const Var> candidates,
                      std::span<double> costs) const override;
    double adjusted_freedom(Var x, Var y, Members given) const override;

    std::unique_ptr<FamilyBounds> bounds() const override;
    std::unique_ptr<FamilyBounds> published_bounds() const override;
    std::unique_ptr<SetExtender> extender(ExtensionWay way) const override;
    std::size_t extender_bytes() const override;
    std::unique_ptr<SubsetValues> subsets() const override;
    std::unique_ptr<ValueWalk> walk(const WalkOptions& options) const override;

    const Table& table() const { return *table_; }
    const Score& score() const { return tables_.score(); }
    const ScoreTables& tables() const { return tables_; }

  private:
    /// What a parameter costs, or the BIC's price where the score has none.
    double price() const;

    std::shared_ptr<const Table> table_;
    std::shared_ptr<const Counter> counter_;
    ScoreTables tables_;
};

}  // namespace dagscape
