#include "posterior/weighted_sets.hpp"

#include <numeric>
#include <string>

#include "error.hpp"
#include "parents/strong_components.hpp"

namespace dagscape {

namespace {

WeightedComponent component_of(const ParentLists& lists, std::vector<Var> members) {
    if (members.size() > WeightedComponent::most)
        throw Error(ErrorKind::parameter, "at most " + std::to_string(WeightedComponent::most) +
                                              " variables can be summed over together, got " +
                                              std::to_string(members.size()));
    std::vector<std::uint32_t> bit(lists.variables());
    for (std::size_t i = 0; i < members.size(); ++i) bit[members[i]] = std::uint32_t{1} << i;
    WeightedComponent component{std::move(members), {}};
    for (const Var v : component.variables) {
        const ParentList& list = lists.lists[v];
        std::vector<WeightedSet>& sets = component.sets.emplace_back();
        sets.reserve(list.size());
        for (std::size_t at = 0; at < list.size(); ++at) {
            std::uint32_t inside = 0;
            for (const Var parent : list.parents(at)) inside |= bit[parent];
            sets.push_back({inside, list.score(at)});
        }
    }
    return component;
}

}  // namespace

std::vector<WeightedComponent> weighted_components(const ParentLists& lists, bool split) {
    std::vector<WeightedComponent> components;
    if (split) {
        for (std::vector<Var>& members : strong_components(lists))
            components.push_back(component_of(lists, std::move(members)));
    } else {
        std::vector<Var> all(lists.variables());
        std::iota(all.begin(), all.end(), Var{0});
        components.push_back(component_of(lists, std::move(all)));
    }
    return components;
}

ParentLists weighted_by_size(const ParentLists& lists, const std::vector<double>& log_weights) {
    ParentLists weighted;
    for (const ParentList& list : lists.lists) {
        ParentList& same = weighted.lists.emplace_back();
        same.reserve(list.size(), list.members(list.size()));
        for (std::size_t at = 0; at < list.size(); ++at)
            same.append(log_weights[list.parents(at).size()], list.parents(at));
        same.sort();
    }
    return weighted;
}

std::vector<std::size_t> component_sizes(const ParentLists& lists) {
    std::vector<std::size_t> sizes;
    for (const std::vector<Var>& members : strong_components(lists)) sizes.push_back(members.size());
    return sizes;
}

}  // namespace dagscape
