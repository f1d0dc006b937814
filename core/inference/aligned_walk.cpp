#include "inference/aligned_walk.hpp"

namespace dagscape {

AlignedWalk walk_beside(std::span<const Var> large, std::span<const Var> small,
                        const std::vector<std::size_t>& arities) {
    std::vector<AlignedWalk::Axis> axes(large.size());
    std::size_t step = 1;
    auto next = small.rbegin();
    for (std::size_t i = large.size(); i-- > 0;) {
        const bool shared = next != small.rend() && *next == large[i];
        axes[i] = {arities[large[i]], shared ? step : 0};
        if (shared) {
            step *= arities[large[i]];
            ++next;
        }
    }
    return AlignedWalk(axes);
}

}  // namespace dagscape
