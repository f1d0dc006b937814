#pragma once

#include <memory>
#include <span>
#include <vector>

#include "set_functions/scorer.hpp"

namespace dagscape {

/// Scores of a child with one more parent, for many candidates: at once where the function can, else one by
/// one.
///
/// A score is a function of the data, the child, its parents and the candidate alone, and differs from
/// `Scorer::local` by rounding only. Copies share what never changes; each is for one thread. The scorer
/// must outlive them.
class ExtensionScores {
  public:
    explicit ExtensionScores(const Scorer& scorer, ExtensionWay way = ExtensionWay::cheaper)
        : scorer_(scorer), extender_(scorer.function().extender(way)) {}
    ExtensionScores(const ExtensionScores& other)
        : scorer_(other.scorer_), extender_(other.extender_ ? other.extender_->clone() : nullptr) {}
    ExtensionScores(ExtensionScores&&) = default;

    /// scores[i]: the child's score with `parents` and candidates[i] (not among them, not the child).
    void operator()(Var child, Members parents, std::span<const Var> candidates, std::span<double> scores);

    const Scorer& scorer() const { return scorer_; }

  private:
    const Scorer& scorer_;
    std::unique_ptr<SetExtender> extender_;
    std::vector<Var> set_;
};

}  // namespace dagscape
