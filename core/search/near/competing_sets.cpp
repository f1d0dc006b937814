#include "search/near/competing_sets.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "parents/strong_components.hpp"
#include "same_score.hpp"
#include "search/exact/regrets.hpp"

namespace dagscape {

namespace {

/// How many sets of each list, which are sorted, lose at most so much.
std::vector<std::size_t> counts_within(const ParentLists& parents, double regret) {
    std::vector<std::size_t> counts;
    for (const ParentList& list : parents.lists) {
        std::size_t count = list.size();
        while (count > 1 && list.score(0) - list.score(count - 1) > regret) --count;
        counts.push_back(count);
    }
    return counts;
}

/// Works on groups of variables, each with the first so many sets of its list, that may turn out to be
/// several components once more sets are left out.
class Splitting {
  public:
    Splitting(const ParentLists& parents, double within, std::optional<double> most_regret,
              std::size_t threads, Control& control)
        : parents_(parents), within_(within), threads_(threads), control_(control) {
        counts_ = most_regret ? counts_within(parents, *most_regret) : all_sets();
    }

    Competition run() {
        std::vector<Var> all(parents_.variables());
        std::iota(all.begin(), all.end(), Var{0});
        std::vector<std::vector<Var>> waiting = split(all);
        for (const std::vector<Var>& members : waiting)
            if (members.size() > CompetingSets::most) return {{}, members.size(), members.size()};
        Competition found;
        while (!waiting.empty() && !control_.stopped()) {
            const std::vector<Var> members = std::move(waiting.back());
            waiting.pop_back();
            const std::size_t left = waiting.size();
            solve(members, waiting, found.components);
            if (waiting.size() == left) found.largest = std::max(found.largest, members.size());
        }
        return found;
    }

  private:
    std::vector<std::size_t> all_sets() const {
        std::vector<std::size_t> counts;
        for (const ParentList& list : parents_.lists) counts.push_back(list.size());
        return counts;
    }

    /// Strong components of these variables and the sets that are left; first ones last.
    std::vector<std::vector<Var>> split(const std::vector<Var>& members) const {
        ParentLists inside;
        const std::vector<std::uint32_t> number = numbers(members);
        for (const Var v : members) {
            std::vector<Var> candidates;
            const Members flat = parents_.lists[v].all_members().first(parents_.lists[v].members(counts_[v]));
            for (const Var parent : flat)
                if (number[parent] != outside) candidates.push_back(static_cast<Var>(number[parent]));
            std::sort(candidates.begin(), candidates.end());
            candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
            inside.lists.emplace_back().append(0, candidates);
        }
        std::vector<std::vector<Var>> parts = strong_components(inside);
        for (std::vector<Var>& part : parts)
            for (Var& v : part) v = members[v];
        std::reverse(parts.begin(), parts.end());
        return parts;
    }

    void solve(const std::vector<Var>& members, std::vector<std::vector<Var>>& waiting,
               std::vector<CompetingSets>& found) {
        const std::size_t bytes = dynamic_programming_bytes(members.size(), threads_);
        auto charge = std::make_unique<Charge>(bytes, control_);
        if (control_.stopped()) return;
        const std::vector<std::vector<CompetingSet>> sets = sets_of(members);
        LeastRegrets least = least_regrets(Regrets(best_lists(sets)), threads_, control_);
        if (control_.stopped() || least.order.empty()) return;
        bool dropped = false;
        for (const Var v : members) {
            const ParentList& list = parents_.lists[v];
            const double most = least.of.back() + within_ + 2 * same_score;
            while (counts_[v] > 1 && list.score(0) - list.score(counts_[v] - 1) > most) {
                --counts_[v];
                dropped = true;
            }
        }
        if (dropped) {
            std::vector<std::vector<Var>> parts = split(members);
            if (parts.size() > 1) {
                std::move(parts.begin(), parts.end(), std::back_inserter(waiting));
                return;
            }
        }
        CompetingSets component{members, sets_of(members), std::move(least.order), std::move(least.of),
                                std::move(charge)};
        find_covers(component);
        found.push_back(std::move(component));
    }

    static constexpr std::uint32_t outside = ~std::uint32_t{0};
    std::vector<std::uint32_t> numbers(const std::vector<Var>& members) const {
        std::vector<std::uint32_t> number(parents_.variables(), outside);
        for (std::size_t i = 0; i < members.size(); ++i) number[members[i]] = static_cast<std::uint32_t>(i);
        return number;
    }

    std::vector<std::vector<CompetingSet>> sets_of(const std::vector<Var>& members) const {
        const std::vector<std::uint32_t> number = numbers(members);
        std::vector<std::vector<CompetingSet>> result;
        for (const Var v : members) {
            const ParentList& list = parents_.lists[v];
            std::vector<CompetingSet>& sets = result.emplace_back();
            for (std::size_t at = 0; at < counts_[v]; ++at) {
                std::uint32_t inside = 0;
                for (const Var parent : list.parents(at))
                    if (number[parent] != outside) inside |= std::uint32_t{1} << number[parent];
                sets.push_back({inside, list.score(0) - list.score(at), static_cast<std::uint32_t>(at), {}});
            }
        }
        return result;
    }

    /// Lists for the best network: parents from elsewhere are free, and a set with a better one in it is
    /// never chosen.
    static ParentLists best_lists(const std::vector<std::vector<CompetingSet>>& sets) {
        ParentLists lists;
        for (const std::vector<CompetingSet>& of_child : sets) {
            std::vector<std::uint32_t> kept;
            ParentList& list = lists.lists.emplace_back();
            for (const CompetingSet& set : of_child) {
                const auto within = [&](std::uint32_t better) { return (better & ~set.inside) == 0; };
                if (std::any_of(kept.begin(), kept.end(), within)) continue;
                kept.push_back(set.inside);
                std::vector<Var> parents;
                for (const Var parent : VarSet(set.inside)) parents.push_back(parent);
                list.append(-set.regret, parents);
            }
            list.sort();
        }
        return lists;
    }

    void find_covers(CompetingSets& component) const {
        const std::size_t n = component.variables.size();
        const std::vector<std::uint32_t> later = component.later();
        std::vector<std::map<std::vector<Var>, std::uint32_t>> by_members(n);
        for (std::size_t v = 0; v < n; ++v)
            for (std::uint32_t at = 0; at < component.sets[v].size(); ++at)
                by_members[v].emplace(members_of(component, v, at), at);
        for (std::size_t v = 0; v < n; ++v) {
            for (std::size_t at = 0; at < component.sets[v].size(); ++at) {
                CompetingSet& set = component.sets[v][at];
                for (const Var parent : VarSet(set.inside & later[v])) {
                    std::vector<Var> rest = members_of(component, v, at);
                    std::erase(rest, component.variables[parent]);
                    const auto same = by_members[parent].find(rest);
                    if (same != by_members[parent].end()) set.covers.push_back({parent, same->second});
                }
            }
        }
    }
    std::vector<Var> members_of(const CompetingSets& component, std::size_t v, std::size_t at) const {
        const Members members = parents_.lists[component.variables[v]].parents(component.sets[v][at].place);
        return {members.begin(), members.end()};
    }

    const ParentLists& parents_;
    double within_;
    std::size_t threads_;
    Control& control_;
    std::vector<std::size_t> counts_;  // of each list's sets, those that are left
};

}  // namespace

std::vector<std::uint32_t> CompetingSets::later() const {
    std::vector<std::uint32_t> result(variables.size());
    std::uint32_t seen = 0;
    for (std::size_t at = order.size(); at-- > 0;) {
        result[order[at]] = seen;
        seen |= std::uint32_t{1} << order[at];
    }
    return result;
}

Competition competing_sets(const ParentLists& parents, double within, std::optional<double> most_regret,
                           std::size_t threads, Control& control) {
    return Splitting(parents, within, most_regret, threads, control).run();
}

}  // namespace dagscape
