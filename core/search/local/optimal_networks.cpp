#include "search/local/optimal_networks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "search/equivalence/ges.hpp"
#include "search/exact/dynamic_programming/dynamic_programming.hpp"
#include "search/greedy/hill_climbing.hpp"

namespace dagscape {

namespace {

/// What an answer takes beside its key and arcs.
constexpr std::size_t entry_bytes = 128;

}  // namespace

OptimalNetworks::OptimalNetworks(const Scorer& scorer, const OptimalNetworkOptions& options)
    : scorer_(scorer),
      options_(options),
      tolerance_(scorer.function().tolerance()),
      bounds_(scorer.function().bounds()) {}

std::optional<LocalArcs> OptimalNetworks::Trials::with(const std::vector<Var>& base, Var tried,
                                                       Control& control) {
    const OptimalNetworks& all = networks_;
    all.asked_.fetch_add(1, std::memory_order_relaxed);
    if (control.stopped()) return std::nullopt;
    std::vector<Var> set = base;
    set.insert(std::lower_bound(set.begin(), set.end(), tried), tried);
    const SetKey key = key_of(set);
    Shard& shard = all.shards_[std::hash<SetKey>()(key) % shard_count];
    if (all.options_.shortcuts) {
        const std::lock_guard lock(shard.mutex);
        if (const auto known = shard.known.find(key); known != shard.known.end()) return known->second;
    }
    std::optional<LocalArcs> arcs;
    if (set.size() > all.options_.exact_limit) {
        arcs = all.greedy(set, control);
    } else if (set_base(base)) {
        arcs = small(base, tried);
    } else {
        arcs = all.large(set, control);
    }
    if (arcs && all.options_.shortcuts) {
        control.charge(entry_bytes + key.size() * sizeof(Var) + arcs->size() * sizeof(Arc));
        const std::lock_guard lock(shard.mutex);
        shard.known.emplace(key, *arcs);
    }
    return arcs;
}

bool OptimalNetworks::Trials::set_base(const std::vector<Var>& base) {
    if (base_ && *base_ == base) return fits_;
    base_ = base;
    fits_ = subsets_ && subsets_->set_base(base);
    if (!fits_) return false;
    const std::size_t count = std::size_t{1} << base.size();
    joint_.resize(count);
    for (std::size_t subset = 0; subset < count; ++subset)
        if (static_cast<std::size_t>(std::popcount(subset)) <= networks_.options_.max_parents + 1)
            joint_[subset] = subsets_->value(static_cast<SubsetValues::Subset>(subset));
    solver_.set_base(joint_, base.size(), {networks_.options_.max_parents, networks_.tolerance_});
    return true;
}

LocalArcs OptimalNetworks::Trials::small(const std::vector<Var>& base, Var tried) {
    using Set = SmallNetwork::Set;
    subsets_->set_tried(tried);
    // Where no member gains anything, families on the subset and the variable are beaten by smaller ones.
    const auto may_gain = [&](std::size_t subset) {
        return !networks_.options_.shortcuts ||
               subsets_->most_gain(static_cast<Set>(subset)) > networks_.tolerance_;
    };
    const std::size_t count = joint_.size(), most = networks_.options_.max_parents;
    joint_with_.resize(count);
    for (std::size_t subset = count; subset-- > 0;) {  // supersets first
        const bool needed =
            subset == 0 || (static_cast<std::size_t>(std::popcount(subset)) <= most && may_gain(subset));
        joint_with_[subset] = needed ? subsets_->value_with_tried(static_cast<Set>(subset))
                                     : std::numeric_limits<double>::quiet_NaN();
    }
    Set partners = networks_.options_.shortcuts ? 0 : static_cast<Set>(count - 1);
    for (Set subset = 1; subset < count; ++subset) {
        if (std::isnan(joint_with_[subset])) continue;
        for (Set rest = subset & ~partners; rest != 0; rest &= rest - 1) {
            const Set one = rest & (~rest + 1), others = subset & ~one;
            const double gain =
                (joint_with_[subset] - joint_with_[others]) - (joint_[subset] - joint_[others]);
            if (gain > networks_.tolerance_) partners |= one;
        }
    }
    std::vector<Var> variables = base;
    variables.push_back(tried);
    auto& counter = partners == 0 ? networks_.apart_ : networks_.exact_;
    counter.fetch_add(1, std::memory_order_relaxed);
    const auto place =
        static_cast<std::size_t>(std::lower_bound(base.begin(), base.end(), tried) - base.begin());
    const auto parents = partners == 0 ? solver_.best() : solver_.best_with(joint_with_, place, partners);
    LocalArcs arcs;
    for (std::size_t child = 0; child < parents.size(); ++child)
        for (Set rest = parents[child]; rest != 0; rest &= rest - 1)
            arcs.emplace_back(variables[static_cast<std::size_t>(std::countr_zero(rest))], variables[child]);
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

namespace {

/// The score's function of the subsets that are needed, by the bits of their members' places; of others, not
/// a number.
bool joint_of_subsets(const Scorer& scorer, Members set, const std::vector<bool>& needed, Control& control,
                      std::vector<double>& joint) {
    const std::size_t count = std::size_t{1} << set.size();
    joint.assign(count, std::numeric_limits<double>::quiet_NaN());
    std::vector<Var> members;
    std::size_t looked = 0;
    for (std::size_t subset = 0; subset < count; ++subset) {
        if (!needed[subset]) continue;
        if (looked++ % 8 == 0 && control.stopped()) return false;
        members.clear();
        for (std::size_t rest = subset; rest != 0; rest &= rest - 1)
            members.push_back(set[static_cast<std::size_t>(std::countr_zero(rest))]);
        joint[subset] = scorer.joint(members);
    }
    return true;
}

/// The sets that score higher than all their subsets, for each child.
/// joints[x]: by the function of the child x.
ParentLists lists_from(const std::vector<const std::vector<double>*>& joints, std::size_t max_parents,
                       double tolerance) {
    ParentLists parents;
    const std::size_t variables = joints.size(), count = std::size_t{1} << variables;
    std::vector<double> best(count);
    std::vector<Var> members;
    for (std::size_t x = 0; x < variables; ++x) {
        ParentList list;
        const std::vector<double>& joint = *joints[x];
        const std::size_t self = std::size_t{1} << x;
        for (std::size_t set = 0; set < count; ++set) {
            if ((set & self) != 0 || static_cast<std::size_t>(std::popcount(set)) > max_parents) continue;
            members.clear();
            const double own = joint[set | self] - joint[set];
            bool dominated = std::isnan(own);
            best[set] = dominated ? -std::numeric_limits<double>::infinity() : own;
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

/// Which subsets the families that may be best are made of. A parent y of x beside others P gains at most
/// what can be told of either, so that where it must tell more to be worth its cost, the family is beaten by
/// the one without y.
std::vector<bool> OptimalNetworks::needed(Members set) const {
    const std::size_t count = std::size_t{1} << set.size();
    const SetFunction& function = scorer_.function();
    // What two variables tell each other is the same for both where they are scored on the same rows.
    const bool weighed = options_.shortcuts && function.has_exact_cost() && function.kinds() == 1;
    std::vector<double> most, cost;
    if (weighed) {
        for (const Var v : set) most.push_back(bounds_->most_gain(v, {}, scorer_.local(v, {})) + tolerance_);
        cost.resize(count);
    }
    std::vector<bool> needed(count);
    std::vector<Var> members;
    for (std::size_t subset = 0; subset < count; ++subset) {
        if (static_cast<std::size_t>(std::popcount(subset)) > options_.max_parents + 1) continue;
        if (weighed) {
            members.clear();
            for (std::size_t rest = subset; rest != 0; rest &= rest - 1)
                members.push_back(set[static_cast<std::size_t>(std::countr_zero(rest))]);
            cost[subset] = function.cost(members);
        }
        for (std::size_t child = subset; child != 0; child &= child - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(child));
            const std::size_t parents = subset & ~(std::size_t{1} << x);
            bool beaten = false;
            for (std::size_t rest = weighed ? parents : 0; rest != 0 && !beaten; rest &= rest - 1) {
                const auto y = static_cast<std::size_t>(std::countr_zero(rest));
                const std::size_t without = ~(std::size_t{1} << y);
                const double together =
                    (cost[subset] - cost[parents]) - (cost[subset & without] - cost[parents & without]);
                beaten = together >= std::min(most[x], most[y]);
            }
            if (!beaten) needed[subset] = needed[parents] = true;
        }
    }
    return needed;
}

std::optional<LocalArcs> OptimalNetworks::large(Members set, Control& control) const {
    exact_.fetch_add(1, std::memory_order_relaxed);
    std::map<std::uint32_t, std::vector<double>> by_kind;
    for (const Var x : set) by_kind[scorer_.function().kind(x)];
    const std::size_t bytes = (1 + by_kind.size()) * sizeof(double) << set.size();
    control.charge(bytes);
    LocalArcs arcs;
    const std::vector<bool> wanted = needed(set);
    bool done = true;
    for (auto& [kind, joint] : by_kind) {
        const Scorer& scorer = scorer_.of_kinds().empty() ? scorer_ : *scorer_.of_kinds()[kind];
        done = done && joint_of_subsets(scorer, set, wanted, control, joint);
    }
    if (done) {
        std::vector<const std::vector<double>*> joints;
        for (const Var x : set) joints.push_back(&by_kind[scorer_.function().kind(x)]);
        const ParentLists parents = lists_from(joints, options_.max_parents, tolerance_);
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
    greedy_.fetch_add(1, std::memory_order_relaxed);
    if (!scorer_.of_kinds().empty()) return climbed(set, control);
    GesOptions options;
    options.max_parents = options_.max_parents;
    const Dag dag = ges_on(scorer_, set, options, control);
    if (control.why() != Stop::none) return std::nullopt;
    LocalArcs arcs;
    for (const auto& [from, to] : dag.arcs()) arcs.emplace_back(set[from], set[to]);
    return arcs;
}

/// Classes of networks are smaller where children are of several kinds, and no search over them knows that.
std::optional<LocalArcs> OptimalNetworks::climbed(Members set, Control& control) const {
    Constraints constraints(scorer_.variables(), options_.max_parents);
    for (std::size_t v = 0; v < scorer_.variables(); ++v) {
        const bool inside = std::binary_search(set.begin(), set.end(), static_cast<Var>(v));
        constraints.keep(static_cast<Var>(v), inside ? set : Members{});
    }
    const std::optional<HillClimb> found = hill_climbing(scorer_, constraints, {}, {}, control);
    if (!found || control.why() != Stop::none) return std::nullopt;
    LocalArcs arcs(found->arcs.begin(), found->arcs.end());
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

}  // namespace dagscape
