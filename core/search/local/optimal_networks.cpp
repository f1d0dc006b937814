#include "search/local/optimal_networks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/equivalence/ges.hpp"
#include "search/exact/dynamic_programming.hpp"
#include "search/local/small_network.hpp"

namespace dagscape {

namespace {

/// Scores lose a few of a double's sixteen digits; what is less than this of the largest is rounding.
constexpr double rounding = 1e-12;

/// What an answer takes beside its key and arcs.
constexpr std::size_t entry_bytes = 128;

}  // namespace

OptimalNetworks::OptimalNetworks(const Scorer& scorer, const OptimalNetworkOptions& options)
    : scorer_(scorer), options_(options), tolerance_(1e-9 + rounding * std::abs(scorer.joint({}))) {}

std::optional<LocalArcs> OptimalNetworks::on(Members set, Control& control) const {
    asked_.fetch_add(1, std::memory_order_relaxed);
    if (!options_.memory) return solve(set, control);
    const SetKey key = key_of(set);
    Shard& shard = shards_[std::hash<SetKey>()(key) % shard_count];
    {
        const std::lock_guard lock(shard.mutex);
        if (const auto known = shard.known.find(key); known != shard.known.end()) return known->second;
    }
    std::optional<LocalArcs> arcs = solve(set, control);
    if (arcs) {
        control.charge(entry_bytes + key.size() * sizeof(Var) + arcs->size() * sizeof(Arc));
        const std::lock_guard lock(shard.mutex);
        shard.known.emplace(key, *arcs);
    }
    return arcs;
}

std::optional<LocalArcs> OptimalNetworks::solve(Members set, Control& control) const {
    if (control.stopped()) return std::nullopt;
    if (set.size() > options_.exact_limit) {
        greedy_.fetch_add(1, std::memory_order_relaxed);
        return greedy(set, control);
    }
    exact_.fetch_add(1, std::memory_order_relaxed);
    return set.size() <= SmallNetwork::most ? small(set, control) : large(set, control);
}

namespace {

/// The score's function of every subset with at most so many members, by the bits of its members' places.
bool joint_of_subsets(const Scorer& scorer, Members set, std::size_t most, Control& control,
                      std::vector<double>& joint) {
    const std::size_t count = std::size_t{1} << set.size();
    if (joint.size() < count) joint.resize(count);
    std::vector<Var> members;
    std::size_t looked = 0;
    for (std::size_t subset = 0; subset < count; ++subset) {
        if (static_cast<std::size_t>(std::popcount(subset)) > most) continue;
        if (++looked % 64 == 0 && control.stopped()) return false;
        members.clear();
        for (std::size_t rest = subset; rest != 0; rest &= rest - 1)
            members.push_back(set[static_cast<std::size_t>(std::countr_zero(rest))]);
        joint[subset] = scorer.joint(members);
    }
    return true;
}

/// The sets that score higher than all their subsets, for each child.
ParentLists lists_from(const std::vector<double>& joint, std::size_t variables, std::size_t max_parents,
                       double tolerance) {
    ParentLists parents;
    const std::size_t count = std::size_t{1} << variables;
    std::vector<double> best(count);
    std::vector<Var> members;
    for (std::size_t x = 0; x < variables; ++x) {
        ParentList list;
        const std::size_t self = std::size_t{1} << x;
        for (std::size_t set = 0; set < count; ++set) {
            if ((set & self) != 0 || static_cast<std::size_t>(std::popcount(set)) > max_parents) continue;
            members.clear();
            const double own = joint[set | self] - joint[set];
            bool dominated = false;
            best[set] = own;
            for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
                const double less = best[set & ~(rest & (~rest + 1))];
                if (less >= own - tolerance) dominated = true;
                best[set] = std::max(best[set], less);
                members.push_back(static_cast<Var>(std::countr_zero(rest)));
            }
            if (!dominated) list.append(own, members);
        }
        list.sort();
        parents.lists.push_back(std::move(list));
    }
    return parents;
}

}  // namespace

std::optional<LocalArcs> OptimalNetworks::small(Members set, Control& control) const {
    thread_local std::vector<double> joint;
    thread_local SmallNetwork solver;
    if (!joint_of_subsets(scorer_, set, options_.max_parents + 1, control, joint)) return std::nullopt;
    LocalArcs arcs;
    const auto parents = solver.best(joint, set.size(), options_.max_parents, tolerance_);
    for (std::size_t child = 0; child < set.size(); ++child)
        for (SmallNetwork::Set rest = parents[child]; rest != 0; rest &= rest - 1)
            arcs.emplace_back(set[static_cast<std::size_t>(std::countr_zero(rest))], set[child]);
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

std::optional<LocalArcs> OptimalNetworks::large(Members set, Control& control) const {
    std::vector<double> joint;
    const std::size_t bytes = 2 * sizeof(double) << set.size();
    control.charge(bytes);
    LocalArcs arcs;
    if (joint_of_subsets(scorer_, set, options_.max_parents + 1, control, joint)) {
        const ParentLists parents = lists_from(joint, set.size(), options_.max_parents, tolerance_);
        Gap gap;
        dynamic_programming(Regrets(parents), 1, gap, control);
        const std::vector<std::uint32_t> chosen = gap.chosen();
        for (std::size_t child = 0; child < chosen.size(); ++child)
            for (const Var parent : parents.lists[child].parents(chosen[child]))
                arcs.emplace_back(set[parent], set[child]);
    }
    control.release(bytes);
    if (control.why() != Stop::none) return std::nullopt;
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

std::optional<LocalArcs> OptimalNetworks::greedy(Members set, Control& control) const {
    GesOptions options;
    options.max_parents = options_.max_parents;
    const Dag dag = ges_on(scorer_, set, options, control);
    if (control.why() != Stop::none) return std::nullopt;
    LocalArcs arcs;
    for (const auto& [from, to] : dag.arcs()) arcs.emplace_back(set[from], set[to]);
    return arcs;
}

}  // namespace dagscape
