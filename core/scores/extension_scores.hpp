#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counts/extension_counts.hpp"
#include "scores/block_scores.hpp"
#include "scores/scorer.hpp"

namespace dagscape {

/// Scores of a child with one more parent, for many candidates at once: rows are grouped by the child and
/// its parents one time, and each candidate only splits those groups.
///
/// A score is a function of the data, the child, its parents and the candidate alone, and differs from
/// `Scorer::local` by rounding only. Copies share what never changes; each is for one thread. The scorer
/// must outlive them.
class ExtensionScores {
  public:
    explicit ExtensionScores(const Scorer& scorer, ExtensionWay way = ExtensionWay::cheaper);

    /// scores[i]: the child's score with `parents` and candidates[i] (not among them, not the child).
    void operator()(Var child, Members parents, std::span<const Var> candidates, std::span<double> scores);

    const Scorer& scorer() const { return scorer_; }
    /// Memory of what copies share.
    static std::size_t bytes_for(const Table& table) {
        return ExtensionCounts::suits(table) ? ExtensionCounts::bytes_for(table) : 0;
    }

  private:
    void check_combinations(Var child, Members parents, std::span<const Var> candidates) const;

    const Scorer& scorer_;
    std::optional<ExtensionCounts> counts_;  // none for tables that do not suit it
    std::shared_ptr<const BlockScores> block_scores_;
    std::vector<double> joint_, given_;  // by position
    std::vector<Var> set_;
};

}  // namespace dagscape
