#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "parents/constraints.hpp"
#include "set_functions/extension_scores.hpp"
#include "set_functions/scorer.hpp"
#include "sharded_memo.hpp"

namespace dagscape {

/// A child with its parents, and what every single change of them would gain, in whole steps of
/// `GreedyProblem::step`.
struct FamilyGains {
    Var child = 0;
    double score = 0;            // not rounded
    std::vector<Var> parents;    // ascending
    std::vector<double> add;     // by place among the child's candidates; minus infinity for its parents
    std::vector<double> remove;  // by parent
    std::vector<std::uint32_t> most_gaining;  // places of the candidates that gain most; ties to the lower
    bool has_all = true;                      // `most_gaining` has all candidates

    /// Memory of a family, on average.
    static std::size_t bytes_for(const Constraints& constraints);
};

/// What all climbs on the same data share: the candidates of each child, and how gains are rounded.
class GreedyProblem {
  public:
    GreedyProblem(const Scorer& scorer, const Constraints& constraints);

    const Scorer& scorer() const { return scorer_; }
    const Constraints& constraints() const { return constraints_; }
    const ExtensionScores& extensions() const { return extensions_; }
    std::size_t variables() const { return candidates_.size(); }
    /// Variables that may be the child's parents, ascending.
    const std::vector<Var>& candidates(Var child) const { return candidates_[child]; }
    /// Where a candidate stands among them.
    std::size_t place(Var child, Var candidate) const;

    /// Gains are rounded to whole steps, so that equal ones are equal however they came about. A step is a
    /// power of two, far above the rounding of the function's values.
    double step() const { return step_; }
    double rounded(double gain) const;

  private:
    const Scorer& scorer_;
    const Constraints& constraints_;
    ExtensionScores extensions_;
    std::vector<std::vector<Var>> candidates_;
    double step_;
};

/// The gains of families, kept for when a climb comes back to them. Values are functions of the data alone,
/// so what is kept changes no result.
using FamilyGainsMemo = ShardedMemo<FamilyGains>;

/// Computes the gains of families that the memo does not have. For one thread.
class FamilyGainsMaker {
  public:
    FamilyGainsMaker(const GreedyProblem& problem, FamilyGainsMemo& memo)
        : problem_(problem), memo_(memo), extensions_(problem.extensions()) {}

    std::shared_ptr<const FamilyGains> operator()(Var child, const std::vector<Var>& parents);
    /// Scores of child and parents that were computed, for families that were new.
    std::uint64_t scored() const { return scored_; }

  private:
    void add_gains(FamilyGains& family);
    void remove_gains(FamilyGains& family);

    const GreedyProblem& problem_;
    FamilyGainsMemo& memo_;
    ExtensionScores extensions_;
    std::uint64_t scored_ = 0;
    std::vector<Var> others_, fewer_;
    std::vector<double> scores_;
};

}  // namespace dagscape
