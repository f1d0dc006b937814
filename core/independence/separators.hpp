#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "control.hpp"
#include "varset/var.hpp"

namespace dagscape {

/// Calls `found(set)` for the subsets of the candidates with `least` to `most` members, smaller ones first,
/// then in the order of the candidates; each set ascending. Ends when `found` says so, or the control.
/// Returns whether `found` did.
template <typename Found>
bool any_subset(Members candidates, std::size_t least, std::size_t most, Control& control,
                const Found& found) {
    const std::size_t n = candidates.size();
    std::vector<std::size_t> at;
    std::vector<Var> set;
    std::uint64_t looked = 0;
    for (std::size_t size = least; size <= std::min(most, n); ++size) {
        at.resize(size);
        for (std::size_t i = 0; i < size; ++i) at[i] = i;
        for (bool more = true; more;) {
            if (looked++ % 8 == 0 && control.stopped()) return false;
            set.clear();
            for (const std::size_t place : at) set.push_back(candidates[place]);
            std::sort(set.begin(), set.end());
            if (found(Members(set))) return true;
            more = false;
            for (std::size_t i = size; i-- > 0;) {
                if (at[i] == n - size + i) continue;
                ++at[i];
                for (std::size_t j = i + 1; j < size; ++j) at[j] = at[j - 1] + 1;
                more = true;
                break;
            }
        }
    }
    return false;
}

}  // namespace dagscape
