#include "search/grown/polish.hpp"

#include <algorithm>
#include <atomic>
#include <optional>

#include "parallel.hpp"
#include "search/order/order_state.hpp"
#include "set_functions/extension_scores.hpp"

namespace dagscape {

namespace {

/// One child's parents, and the best change of them.
class ChildPolish {
  public:
    ChildPolish(const Scorer& scorer, const Constraints& constraints, Var child, WideSet before,
                std::vector<Var>& parents, ExtensionScores& extend)
        : scorer_(scorer),
          required_(constraints.required[child]),
          most_parents_(constraints.max_parents[child]),
          child_(child),
          candidates_(std::move(before)),
          parents_(parents),
          extend_(extend),
          score_(scorer.local(child, parents)) {
        candidates_ &= constraints.allowed[child];
    }

    double score() const { return score_; }
    /// Makes the best change, if one gains and nothing stopped it.
    bool step(Control& control) {
        best_score_ = score_;
        found_ = false;
        if (parents_.size() < most_parents_) try_with(parents_);
        for (const Var dropped : parents_) {
            if (required_.contains(dropped)) continue;
            std::vector<Var> rest = without(dropped);
            offer(scorer_.local(child_, rest), rest);
        }
        for (const Var dropped : parents_) {
            if (required_.contains(dropped)) continue;
            if (control.stopped()) return false;
            try_with(without(dropped));
        }
        if (!found_) return false;
        parents_ = best_;
        score_ = scorer_.local(child_, parents_);
        return true;
    }

  private:
    std::vector<Var> without(Var dropped) const {
        std::vector<Var> rest;
        for (const Var parent : parents_)
            if (parent != dropped) rest.push_back(parent);
        return rest;
    }
    /// Offers a set with each candidate that is no parent yet.
    void try_with(const std::vector<Var>& base) {
        tried_.clear();
        for (const Var v : candidates_)
            if (!std::binary_search(parents_.begin(), parents_.end(), v)) tried_.push_back(v);
        scores_.resize(tried_.size());
        if (!tried_.empty()) extend_(child_, base, tried_, scores_);
        for (std::size_t i = 0; i < tried_.size(); ++i) {
            if (!better(scores_[i])) continue;
            std::vector<Var> more = base;
            more.insert(std::lower_bound(more.begin(), more.end(), tried_[i]), tried_[i]);
            offer(scores_[i], more);
        }
    }
    bool better(double score) const { return score > best_score_ + OrderState::least_gain; }
    void offer(double score, const std::vector<Var>& set) {
        if (!better(score)) return;
        best_score_ = score;
        best_ = set;
        found_ = true;
    }

    const Scorer& scorer_;
    const WideSet& required_;
    std::size_t most_parents_;
    Var child_;
    WideSet candidates_;
    std::vector<Var>& parents_;
    ExtensionScores& extend_;
    double score_, best_score_ = 0;
    bool found_ = false;
    std::vector<Var> best_, tried_;
    std::vector<double> scores_;
};

}  // namespace

Polished polish_parents(const Scorer& scorer, const Constraints& constraints, const std::vector<Var>& order,
                        std::vector<std::vector<Var>> parents, std::size_t threads, Control& control) {
    const std::size_t n = order.size();
    Polished result{std::move(parents), std::vector<double>(n), 0};
    const ExtensionScores common(scorer);
    std::vector<std::optional<ExtensionScores>> extend(threads);
    std::atomic<std::uint64_t> changes = 0;
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        if (!extend[worker]) extend[worker].emplace(common);
        const Var child = order[task];
        WideSet before(n);
        for (std::size_t at = 0; at < task; ++at) before.insert(order[at]);
        ChildPolish polish(scorer, constraints, child, std::move(before), result.parents[child],
                           *extend[worker]);
        const double first = polish.score();
        while (polish.step(control)) ++changes;
        result.gains[child] = polish.score() - first;
    });
    result.changes = changes;
    return result;
}

}  // namespace dagscape
