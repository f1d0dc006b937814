#include "search/wide/screening.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <mutex>
#include <utility>

#include "parallel.hpp"
#include "set_functions/extension_scores.hpp"

namespace dagscape {

namespace {

/// What each allowed variable gains as one more parent of a child. For one thread.
class FurtherParents {
  public:
    explicit FurtherParents(const ExtensionScores& extend) : extend_(extend) {}

    /// Variables that are allowed and no parents, beside those left out; their gains are in `gains()`.
    const std::vector<Var>& operator()(const Constraints& constraints, Var child, Members parents,
                                       const WideSet* left_out = nullptr) {
        others_.clear();
        if (parents.size() < constraints.max_parents[child])
            for (const Var v : constraints.allowed[child])
                if (!std::binary_search(parents.begin(), parents.end(), v) &&
                    !(left_out && left_out->contains(v)))
                    others_.push_back(v);
        return look(child, parents);
    }
    /// Variables after the child that may be its parent or its child.
    const std::vector<Var>& after(const Constraints& constraints, Var child) {
        others_.clear();
        for (std::size_t i = std::size_t{child} + 1; i < constraints.allowed.size(); ++i) {
            const Var v = static_cast<Var>(i);
            if (constraints.allowed[child].contains(v) || constraints.allowed[v].contains(child))
                others_.push_back(v);
        }
        return look(child, {});
    }
    const std::vector<double>& gains() const { return gains_; }

  private:
    const std::vector<Var>& look(Var child, Members parents) {
        gains_.resize(others_.size());
        extend_(child, parents, others_, gains_);
        const double score = extend_.scorer().local(child, parents);
        for (double& gain : gains_) gain -= score;
        return others_;
    }

    ExtensionScores extend_;
    std::vector<Var> others_;
    std::vector<double> gains_;
};

/// What gains most of all that is offered, whatever the order; of equal gains the lower variable.
class MostGaining {
  public:
    explicit MostGaining(std::size_t most) : most_(most) {}

    /// Safe to call from several threads.
    void offer(Var v, double gain) {
        if (most_ == 0 || gain < least_.load(std::memory_order_relaxed)) return;
        const std::lock_guard lock(changing_);
        kept_.emplace_back(gain, v);
        std::push_heap(kept_.begin(), kept_.end(), before);
        if (kept_.size() > most_) {
            std::pop_heap(kept_.begin(), kept_.end(), before);
            kept_.pop_back();
        }
        if (kept_.size() == most_) least_.store(kept_.front().first, std::memory_order_relaxed);
    }
    std::vector<Var> variables() const {
        std::vector<Var> found;
        for (const auto& [gain, v] : kept_) found.push_back(v);
        return found;
    }

  private:
    using One = std::pair<double, Var>;
    static bool before(const One& a, const One& b) {
        return a.first > b.first || (a.first == b.first && a.second < b.second);
    }
    std::size_t most_;
    std::vector<One> kept_;  // a heap, the first to go on top
    std::atomic<double> least_ = -std::numeric_limits<double>::infinity();
    std::mutex changing_;
};

/// Whether an arc between two variables without parents gains the same either way.
bool either_way(const Scorer& scorer, const Constraints& constraints) {
    if (!scorer.function().equivalent() || scorer.function().kinds() > 1) return false;
    for (std::size_t v = 0; v < constraints.required.size(); ++v)
        if (!constraints.required[v].empty() || constraints.max_parents[v] == 0) return false;
    return true;
}

template <typename One>
std::vector<One> all_of(const std::vector<std::vector<One>>& lists) {
    std::vector<One> all;
    for (const std::vector<One>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

std::vector<FurtherParents> for_threads(const Scorer& scorer, std::size_t threads) {
    const ExtensionScores common(scorer);
    return std::vector<FurtherParents>(threads, FurtherParents(common));
}

}  // namespace

Screened screened(const Scorer& scorer, const Constraints& constraints, std::size_t most, std::size_t threads,
                  Control& control, double until) {
    const std::size_t n = scorer.variables();
    const bool once = either_way(scorer, constraints);
    std::deque<MostGaining> best;
    for (std::size_t v = 0; v < n; ++v) best.emplace_back(most);
    std::vector<FurtherParents> further = for_threads(scorer, threads);
    std::atomic<std::size_t> looked_at = 0;
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        if (control.seconds() > until) return;
        const Var child = static_cast<Var>(task);
        const std::vector<Var>& others =
            once ? further[worker].after(constraints, child)
                 : further[worker](constraints, child, constraints.required[child].members());
        const std::vector<double>& gains = further[worker].gains();
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (!once || constraints.allowed[child].contains(others[i]))
                best[child].offer(others[i], gains[i]);
            if (once && constraints.allowed[others[i]].contains(child))
                best[others[i]].offer(child, gains[i]);
        }
        const std::size_t pairs = once ? 2 * (n - 1 - task) : n - 1;
        looked_at += pairs;
        control.advance(static_cast<double>(pairs) / (static_cast<double>(n) * static_cast<double>(n)));
    });
    std::vector<std::vector<Var>> kept(n);
    for (std::size_t v = 0; v < n; ++v) {
        kept[v] = constraints.required[v].members();
        const std::vector<Var> more = best[v].variables();
        kept[v].insert(kept[v].end(), more.begin(), more.end());
    }
    std::vector<std::vector<Var>> candidates = kept;
    for (std::size_t v = 0; v < n; ++v)
        for (const Var other : kept[v])
            if (constraints.allowed[other].contains(static_cast<Var>(v)))
                candidates[other].push_back(static_cast<Var>(v));
    for (std::vector<Var>& own : candidates) {
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    const std::size_t pairs = n * (n - 1);
    return {candidates, pairs == 0 ? 1 : static_cast<double>(looked_at) / static_cast<double>(pairs)};
}

std::vector<UnseenGain> unseen_gains(const Scorer& scorer, const Constraints& constraints,
                                     const Constraints& candidates,
                                     const std::vector<std::vector<Var>>& parents,
                                     const std::vector<Var>& children, double least, std::size_t most,
                                     std::size_t threads, Control& control) {
    const std::size_t n = children.size();
    std::vector<std::vector<UnseenGain>> best(n);
    std::vector<FurtherParents> further = for_threads(scorer, threads);
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const Var child = children[task];
        const std::vector<Var>& others =
            further[worker](constraints, child, parents[child], &candidates.allowed[child]);
        const std::vector<double>& gains = further[worker].gains();
        std::vector<UnseenGain>& own = best[task];
        for (std::size_t i = 0; i < others.size(); ++i)
            if (gains[i] > least) own.push_back({child, others[i], gains[i]});
        std::stable_sort(own.begin(), own.end(),
                         [](const UnseenGain& a, const UnseenGain& b) { return a.gain > b.gain; });
        if (own.size() > most) own.resize(most);
        control.advance(0.5 / static_cast<double>(n));
    });
    return all_of(best);
}

std::vector<UnseenPair> unseen_pairs(const Scorer& scorer, const Constraints& constraints,
                                     const std::vector<std::vector<Var>>& firsts,
                                     const std::vector<std::vector<Var>>& parents,
                                     const std::vector<Var>& children, double least, std::size_t threads,
                                     Control& control) {
    const std::size_t n = children.size();
    std::vector<std::vector<UnseenPair>> best(n);
    std::vector<FurtherParents> further = for_threads(scorer, threads);
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const Var child = children[task];
        if (parents[child].size() + 2 > constraints.max_parents[child]) return;
        const double score = scorer.local(child, parents[child]);
        for (const Var first : firsts[child]) {
            if (control.stopped()) return;
            std::vector<Var> with = parents[child];
            with.insert(std::lower_bound(with.begin(), with.end(), first), first);
            const std::vector<Var>& others = further[worker](constraints, child, with);
            const std::vector<double>& gains = further[worker].gains();
            const auto most = std::max_element(gains.begin(), gains.end());
            if (most == gains.end()) continue;
            const double gain = *most + scorer.local(child, with) - score;
            if (gain > least)
                best[task].push_back(
                    {child, first, others[static_cast<std::size_t>(most - gains.begin())], gain});
        }
        control.advance(0.5 / static_cast<double>(n));
    });
    return all_of(best);
}

}  // namespace dagscape
