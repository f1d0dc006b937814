#pragma once

#include <cstdint>
#include <vector>

#include "error.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// The sets at these places of each child's list, which ascend; in the same order.
inline ParentLists selected(const ParentLists& parents,
                            const std::vector<std::vector<std::uint32_t>>& places) {
    if (places.size() != parents.variables())
        throw Error(ErrorKind::parameter, "there must be places for every variable");
    ParentLists rest;
    for (std::size_t child = 0; child < parents.variables(); ++child) {
        const ParentList& list = parents.lists[child];
        ParentList kept;
        for (std::size_t i = 0; i < places[child].size(); ++i) {
            const std::uint32_t at = places[child][i];
            if (at >= list.size() || (i > 0 && at <= places[child][i - 1]))
                throw Error(ErrorKind::parameter, "places must ascend within their list");
            kept.append(list.score(at), list.parents(at));
        }
        kept.sort();
        rest.lists.push_back(std::move(kept));
    }
    return rest;
}

}  // namespace dagscape
