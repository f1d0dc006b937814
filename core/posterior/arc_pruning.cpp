#include "posterior/arc_pruning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "parallel.hpp"
#include "parents/set_key.hpp"
#include "parents/strong_components.hpp"

namespace dagscape {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::infinity();

/// For each parent the largest log weight(P) − log weight(P∖parent) over the child's sets; `none` for
/// variables that are in none of them.
std::vector<double> largest_gains(const ParentList& list, std::size_t variables) {
    std::unordered_map<SetKey, double> weights;
    weights.reserve(list.size());
    for (std::size_t at = 0; at < list.size(); ++at)
        weights.emplace(key_of(list.parents(at)), list.score(at));
    std::vector<double> gains(variables, none);
    for (std::size_t at = 0; at < list.size(); ++at) {
        const Members parents = list.parents(at);
        for (std::size_t i = 0; i < parents.size(); ++i) {
            SetKey without = key_of(parents);
            without.erase(i, 1);
            const auto found = weights.find(without);
            double& gain = gains[parents[i]];
            if (found == weights.end()) {
                gain = unknown;
            } else if (list.score(at) > none) {
                gain = std::max(gain, list.score(at) - found->second);
            }
        }
    }
    return gains;
}

/// Sizes of the components once the first so many arcs are out.
std::vector<std::size_t> sizes_without(std::vector<std::vector<Var>> candidates,
                                       const std::vector<BoundedArc>& arcs, std::size_t out) {
    for (std::size_t i = 0; i < out; ++i) std::erase(candidates[arcs[i].child], arcs[i].parent);
    std::vector<std::size_t> sizes;
    for (const std::vector<Var>& members : strong_components(std::move(candidates)))
        sizes.push_back(members.size());
    return sizes;
}

ParentList without_arcs(const ParentList& list, const WideSet& out) {
    ParentList kept;
    for (std::size_t at = 0; at < list.size(); ++at) {
        const Members parents = list.parents(at);
        const bool stays =
            std::none_of(parents.begin(), parents.end(), [&](Var parent) { return out.contains(parent); });
        if (stays) kept.append(list.score(at), parents);
    }
    kept.sort();
    return kept;
}

}  // namespace

std::vector<BoundedArc> bounded_arcs(const ParentLists& lists, std::size_t threads, Control& control) {
    const std::size_t n = lists.variables();
    std::vector<std::vector<double>> gains(n);
    parallel_for(n, threads, control, [&](std::size_t child, std::size_t) {
        gains[child] = largest_gains(lists.lists[child], n);
        control.advance(1 / static_cast<double>(n));
    });
    std::vector<BoundedArc> arcs;
    if (control.why() != Stop::none) return arcs;
    for (std::size_t child = 0; child < n; ++child)
        for (std::size_t parent = 0; parent < n; ++parent) {
            const double gain = gains[child][parent];
            if (gain > none && gain < unknown)
                arcs.push_back(
                    {static_cast<Var>(parent), static_cast<Var>(child), 1 / (1 + std::exp(-gain))});
        }
    std::sort(arcs.begin(), arcs.end(), [](const BoundedArc& a, const BoundedArc& b) {
        return std::tie(a.bound, a.child, a.parent) < std::tie(b.bound, b.child, b.parent);
    });
    return arcs;
}

std::optional<PrunedLists> pruned_to_fit(const ParentLists& lists, const std::vector<BoundedArc>& arcs,
                                         double most, const CostOfSizes& cost) {
    std::size_t affordable = 0;
    for (double lost = 0; affordable < arcs.size(); ++affordable)
        if ((lost += arcs[affordable].bound) > most) break;
    const std::vector<std::vector<Var>> candidates = candidates_of(lists);
    const double least = cost(sizes_without(candidates, arcs, affordable));
    if (least == unknown) return std::nullopt;
    // Components only fall apart as arcs go, so that the fewest are found by halving.
    std::size_t fewest = 0, enough = affordable;
    while (fewest < enough) {
        const std::size_t middle = fewest + (enough - fewest) / 2;
        if (cost(sizes_without(candidates, arcs, middle)) <= 2 * least)
            enough = middle;
        else
            fewest = middle + 1;
    }
    PrunedLists pruned;
    pruned.arcs = enough;
    std::vector<WideSet> out(lists.variables(), WideSet(lists.variables()));
    for (std::size_t i = 0; i < enough; ++i) {
        out[arcs[i].child].insert(arcs[i].parent);
        pruned.lost += arcs[i].bound;
    }
    for (std::size_t child = 0; child < lists.variables(); ++child)
        pruned.lists.lists.push_back(without_arcs(lists.lists[child], out[child]));
    return pruned;
}

}  // namespace dagscape
