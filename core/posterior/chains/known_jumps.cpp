#include "posterior/chains/known_jumps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "posterior/chains/network_state.hpp"

namespace dagscape {

namespace {

using Places = std::vector<std::uint32_t>;

/// The variables with other parents in one network than in the other, those that are joined together.
/// Ascending, and by their first.
std::vector<std::vector<Var>> blocks(const WeightedLists& lists, const Places& one, const Places& other) {
    const std::size_t n = lists.variables();
    std::vector<Var> root(n);  // of a tree for each block, the lowest of it
    std::iota(root.begin(), root.end(), Var{0});
    const auto find = [&](Var v) {
        while (root[v] != v) v = root[v] = root[root[v]];
        return v;
    };
    for (std::size_t v = 0; v < n; ++v) {
        if (one[v] == other[v]) continue;
        for (const std::uint32_t place : {one[v], other[v]})
            for (const Var parent : lists[static_cast<Var>(v)].parents(place)) {
                if (one[parent] == other[parent]) continue;
                const auto [low, high] = std::minmax({find(static_cast<Var>(v)), find(parent)});
                root[high] = low;
            }
    }
    std::vector<std::vector<Var>> members(n), found;
    for (std::size_t v = 0; v < n; ++v)
        if (one[v] != other[v]) members[find(static_cast<Var>(v))].push_back(static_cast<Var>(v));
    for (std::vector<Var>& block : members)
        if (!block.empty()) found.push_back(std::move(block));
    return found;
}

/// Ancestors first; of those that may come next, the lowest.
std::vector<Var> ordered(std::vector<Var> block, const NetworkState& network) {
    BitRows below(block.size(), network.variables()), nothing(1, network.variables());
    for (std::size_t i = 0; i < block.size(); ++i) network.below(block[i], nothing[0], below[i]);
    std::vector<Var> order;
    std::vector<char> placed(block.size());
    while (order.size() < block.size())
        for (std::size_t i = 0; i < block.size(); ++i) {
            bool next = placed[i] == 0;
            for (std::size_t j = 0; j < block.size() && next; ++j)
                next = j == i || placed[j] != 0 || !below.has(j, block[i]);
            if (!next) continue;
            placed[i] = 1;
            order.push_back(block[i]);
            break;
        }
    return order;
}

}  // namespace

std::vector<Jump> known_jumps(const WeightedLists& lists, const std::vector<Places>& networks,
                              const JumpSizes& sizes) {
    std::vector<NetworkState> states;
    for (const Places& places : networks) states.emplace_back(lists, places);
    std::vector<Jump> found;
    for (std::size_t a = 0; a < networks.size(); ++a)
        for (std::size_t b = a + 1; b < networks.size(); ++b)
            for (const std::vector<Var>& block : blocks(lists, networks[a], networks[b])) {
                if (block.size() < sizes.fewest || block.size() > sizes.most) continue;
                Jump jump{ordered(block, states[a]), ordered(block, states[b])};
                if (jump.one > jump.other) std::swap(jump.one, jump.other);
                if (jump.one != jump.other && std::ranges::find(found, jump) == found.end())
                    found.push_back(std::move(jump));
            }
    return found;
}

}  // namespace dagscape
