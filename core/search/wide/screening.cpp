#include "search/wide/screening.hpp"

#include <algorithm>

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
        gains_.resize(others_.size());
        extend_(child, parents, others_, gains_);
        const double score = extend_.scorer().local(child, parents);
        for (double& gain : gains_) gain -= score;
        return others_;
    }
    const std::vector<double>& gains() const { return gains_; }

  private:
    ExtensionScores extend_;
    std::vector<Var> others_;
    std::vector<double> gains_;
};

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

std::vector<std::vector<Var>> screened(const Scorer& scorer, const Constraints& constraints, std::size_t most,
                                       std::size_t threads, Control& control) {
    const std::size_t n = scorer.variables();
    std::vector<std::vector<Var>> best(n);
    std::vector<FurtherParents> further = for_threads(scorer, threads);
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const Var child = static_cast<Var>(task);
        const std::vector<Var> required = constraints.required[child].members();
        const std::vector<Var>& others = further[worker](constraints, child, required);
        const std::vector<double>& gains = further[worker].gains();
        std::vector<std::size_t> order(others.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto more = [&](std::size_t a, std::size_t b) {
            return gains[a] > gains[b] || (gains[a] == gains[b] && a < b);
        };
        if (order.size() > most) {
            std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(),
                             more);
            order.resize(most);
        }
        best[child] = required;
        for (const std::size_t i : order) best[child].push_back(others[i]);
        control.advance(1 / static_cast<double>(n));
    });
    std::vector<std::vector<Var>> candidates = best;
    for (std::size_t v = 0; v < n; ++v)
        for (const Var other : best[v])
            if (constraints.allowed[other].contains(static_cast<Var>(v)))
                candidates[other].push_back(static_cast<Var>(v));
    for (std::vector<Var>& own : candidates) {
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return candidates;
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
