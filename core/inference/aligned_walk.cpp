#include "inference/aligned_walk.hpp"

#include <algorithm>

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

void multiply(std::span<double> large, const AlignedWalk& walk, const double* small) {
    walk.for_each([&](std::size_t to, std::size_t from, std::size_t count, std::size_t step) {
        double* cells = large.data() + to;
        const double* factors = small + from;
        if (step == 0)
            for (std::size_t i = 0; i < count; ++i) cells[i] *= *factors;
        else if (step == 1)
            for (std::size_t i = 0; i < count; ++i) cells[i] *= factors[i];
        else
            for (std::size_t i = 0; i < count; ++i) cells[i] *= factors[i * step];
    });
}

void add_up(std::span<const double> large, const AlignedWalk& walk, double* small) {
    walk.for_each([&](std::size_t from, std::size_t to, std::size_t count, std::size_t step) {
        const double* cells = large.data() + from;
        double* sums = small + to;
        if (step == 0) {
            double sum = 0;
            for (std::size_t i = 0; i < count; ++i) sum += cells[i];
            *sums += sum;
        } else {
            for (std::size_t i = 0; i < count; ++i) sums[i * step] += cells[i];
        }
    });
}

void greatest(std::span<const double> large, const AlignedWalk& walk, double* small) {
    walk.for_each([&](std::size_t from, std::size_t to, std::size_t count, std::size_t step) {
        const double* cells = large.data() + from;
        double* most = small + to;
        for (std::size_t i = 0; i < count; ++i) most[i * step] = std::max(most[i * step], cells[i]);
    });
}

}  // namespace dagscape
