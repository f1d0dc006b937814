#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "random.hpp"
#include "search/equivalence/boundary.hpp"

namespace dagscape {

/// Whether a step is to be taken rather than another: for its gain or, where that is the same, as the first
/// by y, x and what is turned.
template <typename Set>
bool preferred(const Step<Set>& a, const Step<Set>& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return std::tie(a.y, a.x, a.turned) < std::tie(b.y, b.x, b.turned);
}

/// The step to the best class, or nothing if none scores higher. Validity is asked only of what would be
/// best.
template <typename Set>
std::optional<Step<Set>> best_step(const Boundary<Set>& boundary, std::size_t variables) {
    const Step<Set>* best = nullptr;
    for (std::size_t y = 0; y < variables; ++y)
        for (const Step<Set>& step : boundary.steps(static_cast<Var>(y)))
            if ((!best || preferred(step, *best)) && boundary.valid(step)) best = &step;
    if (!best) return std::nullopt;
    return *best;
}

/// The best of a share k, but at least one, of the classes that score higher, drawn at random; `better` says
/// how many these are.
template <typename Set>
std::optional<Step<Set>> drawn_step(const Boundary<Set>& boundary, std::size_t variables, double k,
                                    Random& random, std::uint64_t& better) {
    std::vector<const Step<Set>*> steps;
    for (std::size_t y = 0; y < variables; ++y)
        for (const Step<Set>& step : boundary.steps(static_cast<Var>(y)))
            if (boundary.valid(step)) steps.push_back(&step);
    better = steps.size();
    if (steps.empty()) return std::nullopt;
    // A little more than k|B|, since 0.29 of 100 must be 29 though 0.29 · 100 < 29 in floating point.
    const auto share = static_cast<std::size_t>(k * static_cast<double>(steps.size()) + 1e-9);
    const std::size_t drawn = std::max<std::size_t>(1, std::min(share, steps.size()));
    const Step<Set>* best = nullptr;
    for (std::size_t i = 0; i < drawn; ++i) {
        if (drawn < steps.size()) std::swap(steps[i], steps[i + random.below(steps.size() - i)]);
        if (!best || preferred(*steps[i], *best)) best = steps[i];
    }
    return *best;
}

}  // namespace dagscape
