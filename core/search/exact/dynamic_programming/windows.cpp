#include "search/exact/dynamic_programming/windows.hpp"

#include <algorithm>
#include <span>

#include "same_score.hpp"
#include "search/exact/dynamic_programming/dynamic_programming.hpp"
#include "search/order/order_state.hpp"

namespace dagscape {

namespace {

constexpr double least_gain = same_score;

/// The window's own problem: sets that can be had, without the parents before it, which are free. Of sets
/// that become alike the first is the best.
ParentLists problem_of(const ParentLists& parents, std::span<const Var> window, const WideSet& before) {
    std::vector<Var> number(parents.variables(), static_cast<Var>(window.size()));
    for (std::size_t i = 0; i < window.size(); ++i) number[window[i]] = static_cast<Var>(i);
    ParentLists problem;
    std::vector<bool> seen(std::size_t{1} << window.size());
    for (const Var child : window) {
        const ParentList& list = parents.lists[child];
        std::fill(seen.begin(), seen.end(), false);
        ParentList own;
        std::vector<Var> within;
        for (std::size_t at = 0; at < list.size(); ++at) {
            within.clear();
            bool fits = true;
            std::size_t set = 0;
            for (const Var parent : list.parents(at)) {
                if (before.contains(parent)) continue;
                fits = number[parent] < window.size();
                if (!fits) break;
                within.push_back(number[parent]);
                set |= std::size_t{1} << number[parent];
            }
            if (!fits || seen[set]) continue;
            seen[set] = true;
            std::sort(within.begin(), within.end());
            own.append(list.score(at), within);
            if (set == 0) break;  // it always fits, so nothing after it is ever better
        }
        own.sort();
        problem.lists.push_back(std::move(own));
    }
    return problem;
}

/// What the window loses in its present order.
double present_regret(const Regrets& regrets) {
    std::vector<Var> order(regrets.variables());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Var>(i);
    return regrets.along(order).regret;
}

void improve(const ParentLists& parents, std::size_t width, ImprovedOrder& improved, Control& control) {
    std::vector<Var>& order = improved.order;
    const std::size_t n = order.size();
    width = std::min(width, n);
    if (width < 2) return;
    const std::size_t step = std::max<std::size_t>(1, width / 2);
    const std::size_t windows = (n - width + step - 1) / step + 1;
    // A window is clean if nothing in it or before it changed since it was solved.
    for (std::size_t clean = 0, from = 0; clean < windows && !control.stopped();
         from = from + width >= n ? 0 : std::min(from + step, n - width)) {
        WideSet before(n);
        for (std::size_t at = 0; at < from; ++at) before.insert(order[at]);
        const std::span<Var> window(order.data() + from, width);
        const Regrets regrets(problem_of(parents, window, before));
        Gap gap;
        std::vector<Var> best;
        dynamic_programming(regrets, 1, gap, control, &best);
        if (control.why() != Stop::none) break;
        ++improved.windows;
        if (best.empty() || gap.regret() > present_regret(regrets) - least_gain) {
            ++clean;
            continue;
        }
        ++improved.gains;
        clean = 0;
        const std::vector<Var> old(window.begin(), window.end());
        for (std::size_t i = 0; i < width; ++i) window[i] = old[best[i]];
    }
}

}  // namespace

ImprovedOrder improve_windows(const ParentLists& parents, std::vector<Var> order, std::size_t width,
                              Control& control) {
    ImprovedOrder improved;
    improved.order = std::move(order);
    improve(parents, width, improved, control);
    improved.places = OrderState(OrderLists(parents, 0, 1, control), improved.order).places();
    return improved;
}

}  // namespace dagscape
