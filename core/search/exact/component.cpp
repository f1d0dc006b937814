#include "search/exact/component.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "parents/strong_components.hpp"

namespace dagscape {

namespace {

constexpr std::size_t none = ~std::size_t{0};

struct Projected {
    double score;
    std::vector<Var> parents;
    std::uint32_t place;
};

/// In the order of lists, so that sorting them leaves every set where it is.
bool before(const Projected& a, const Projected& b) {
    if (a.score != b.score) return a.score > b.score;
    if (a.parents.size() != b.parents.size()) return a.parents.size() < b.parents.size();
    return a.parents != b.parents ? a.parents < b.parents : a.place < b.place;
}

/// So many sets are gone over between two looks at the control.
constexpr std::size_t between_looks = 1 << 12;

bool over(std::size_t at, Control& control) { return at % between_looks == 0 && control.stopped(); }

ParentList list_of(const std::vector<Projected>& sets, Control& control) {
    ParentList list;
    for (std::size_t at = 0; at < sets.size() && !over(at, control); ++at)
        list.append(sets[at].score, sets[at].parents);
    list.sort(control);
    return list;
}

/// Leaves out sets that have a better one within them.
void drop_dominated(std::vector<Projected>& sets, std::size_t variables, Control& control) {
    const ParentList list = list_of(sets, control);
    if (control.stopped()) return;
    const ParentIndex index(list, variables);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < sets.size() && !over(at, control); ++at) {
        WideSet allowed(variables);
        for (const Var v : sets[at].parents) allowed.insert(v);
        if (index.best(allowed) != at) continue;
        if (kept != at) sets[kept] = std::move(sets[at]);
        ++kept;
    }
    sets.resize(kept);
}

/// Some variables of a component, which have no parents in it but earlier ones and themselves.
Component part_of(const Component& whole, const std::vector<Var>& members, Control& control) {
    Component part;
    std::vector<std::size_t> number(whole.variables.size(), none);
    for (std::size_t i = 0; i < members.size(); ++i) number[members[i]] = i;
    for (const Var v : members) {
        part.variables.push_back(whole.variables[v]);
        const ParentList& list = whole.parents.lists[v];
        std::vector<Projected> sets;
        bool dropped = false;
        for (std::size_t at = 0; at < list.size() && !over(at, control); ++at) {
            Projected set{list.score(at), {}, whole.places[v][at]};
            for (const Var parent : list.parents(at)) {
                if (number[parent] == none)
                    dropped = true;
                else
                    set.parents.push_back(static_cast<Var>(number[parent]));
            }
            sets.push_back(std::move(set));
        }
        if (dropped) {
            std::sort(sets.begin(), sets.end(), before);
            drop_dominated(sets, members.size(), control);
        }
        part.parents.lists.push_back(list_of(sets, control));
        std::vector<std::uint32_t>& places = part.places.emplace_back();
        for (const Projected& set : sets) places.push_back(set.place);
    }
    return part;
}

void split(Component whole, std::vector<Component>& parts, Control& control) {
    if (control.stopped()) return;
    const std::vector<std::vector<Var>> strong = strong_components(whole.parents);
    if (strong.size() == 1) {
        parts.push_back(std::move(whole));
        return;
    }
    for (const std::vector<Var>& members : strong) split(part_of(whole, members, control), parts, control);
}

}  // namespace

double Component::relaxed_score() const {
    double total = 0;
    for (const ParentList& list : parents.lists) total += list.score(0);
    return total;
}

std::vector<std::uint32_t> Component::whole_places(const std::vector<std::uint32_t>& chosen) const {
    std::vector<std::uint32_t> whole;
    for (std::size_t v = 0; v < chosen.size(); ++v) whole.push_back(places.at(v).at(chosen[v]));
    return whole;
}

Component undivided(const ParentLists& parents) {
    Control unlimited;
    return undivided(parents, unlimited);
}

Component undivided(const ParentLists& parents, Control& control) {
    Component whole;
    whole.parents.exhaustive_to = parents.exhaustive_to;
    whole.parents.exhaustive = parents.exhaustive;
    for (std::size_t v = 0; v < parents.variables() && !control.stopped(); ++v) {
        whole.parents.lists.push_back(parents.lists[v]);
        whole.variables.push_back(static_cast<Var>(v));
        std::vector<std::uint32_t>& places = whole.places.emplace_back(parents.lists[v].size());
        for (std::size_t at = 0; at < places.size(); ++at) places[at] = static_cast<std::uint32_t>(at);
    }
    return whole;
}

std::vector<Component> components(const ParentLists& parents) {
    Control unlimited;
    return components(parents, unlimited);
}

std::vector<Component> components(const ParentLists& parents, Control& control) {
    std::vector<Component> parts;
    if (parents.variables() > 0) split(undivided(parents, control), parts, control);
    return parts;
}

}  // namespace dagscape
