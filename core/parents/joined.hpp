#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "error.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// The lists of several selections that each did a part of the work, as one: a child's list is moved from the
/// part that has it, or put together from several. What can be claimed is the least that all parts claim.
inline ParentLists joined(const std::vector<ParentLists*>& parts) {
    if (std::ranges::count(parts, nullptr) > 0)
        throw Error(ErrorKind::parameter, "parts to join must be parent lists, got None");
    if (parts.empty()) throw Error(ErrorKind::parameter, "there are no parent lists to join");
    ParentLists whole;
    whole.lists.resize(parts[0]->variables());
    whole.exhaustive = true;
    whole.exhaustive_to = parts[0]->exhaustive_to;
    for (const ParentLists* part : parts) {
        if (part->variables() != whole.variables())
            throw Error(ErrorKind::parameter, "parent lists to join must have as many variables, got " +
                                                  std::to_string(whole.variables()) + " and " +
                                                  std::to_string(part->variables()));
        whole.exhaustive = whole.exhaustive && part->exhaustive;
        whole.exhaustive_to = std::min(whole.exhaustive_to, part->exhaustive_to);
    }
    for (std::size_t child = 0; child < whole.variables(); ++child)
        for (ParentLists* part : parts) whole.lists[child].take(part->lists[child]);
    return whole;
}

}  // namespace dagscape
