#include "search/exact/order_graph/choices.hpp"

#include <algorithm>
#include <limits>

#include "search/exact/order_graph/width.hpp"

namespace dagscape {

std::size_t Choices::all_sets() const {
    std::size_t sum = 0;
    for (std::size_t v = 0; v < variables(); ++v) sum += sets(static_cast<Var>(v));
    return sum;
}

double Choices::greatest_regret() const {
    double sum = 0;
    for (std::size_t v = 0; v < variables(); ++v) {
        double greatest = 0;
        for (std::size_t at = sets(static_cast<Var>(v)); at-- > 0;) {
            greatest = regret(static_cast<Var>(v), at);
            if (greatest < std::numeric_limits<double>::infinity()) break;
            greatest = 0;
        }
        sum += greatest;
    }
    return sum;
}

Choices::Network Choices::along(std::span<const Var> order) const {
    return with_width(variables(), [&](auto placed) {
        using Set = decltype(placed);
        Network network{std::vector<std::uint32_t>(variables()), 0};
        for (const Var child : order) {
            std::size_t at = 0;
            for (; at < sets(child); ++at) {
                Set set;
                copy(child, at, set.words());
                if (set.subset_of(placed)) break;
            }
            if (at == sets(child)) return Network{{}, std::numeric_limits<double>::infinity()};
            network.places[child] = place(child, at);
            network.regret += regret(child, at);
            placed = placed | child;
        }
        return network;
    });
}

}  // namespace dagscape
