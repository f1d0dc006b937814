#pragma once

#include <memory>
#include <vector>

#include "gaps/completed_function.hpp"
#include "gaps/extended_counts.hpp"
#include "sharded_memo.hpp"

namespace dagscape {

/// Values of a set with every one more variable, from expected counts. They take as long as a few sets do,
/// and are kept: a set is the family of each of its members. Of equivalent scores.
class CompletedExtender final : public SetExtender {
  public:
    explicit CompletedExtender(const CompletedFunction& function);
    CompletedExtender(const CompletedExtender& other)
        : function_(other.function_), memo_(other.memo_), counts_(function_.completions()) {}
    std::unique_ptr<SetExtender> clone() const override { return std::make_unique<CompletedExtender>(*this); }

    void extend(SetExtension& extension) override;
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override;

    /// What is kept at most.
    static constexpr std::size_t bytes = std::size_t{1} << 25;

  private:
    std::shared_ptr<const SetExtension> extension(Members set);
    bool extend_some(Members set, Members others);
    double error_of(double combinations, double widest) const;

    const CompletedFunction& function_;
    std::shared_ptr<ShardedMemo<SetExtension>> memo_;
    ExtendedCounts counts_;
    std::vector<double> occurring_, joint_;
    std::vector<Var> others_;
};

}  // namespace dagscape
