#include "posterior/parent_sums.hpp"

#include <cmath>
#include <limits>

#include "clones.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

/// The exponent of zero: below all others, and far from where differences of two would overflow.
constexpr std::int32_t lowest = -(1 << 30);

/// to[i] += from[i]
DAGSCAPE_CLONES void add(double* __restrict to, std::int32_t* __restrict to_exponents,
                         const double* __restrict from, const std::int32_t* __restrict from_exponents,
                         std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t here = to_exponents[i], there = from_exponents[i];
        const std::int32_t top = here > there ? here : there;
        to[i] = to[i] * power_of_two(here - top) + from[i] * power_of_two(there - top);
        to_exponents[i] = top;
    }
}

}  // namespace

double ParentSums::bytes(std::size_t variables) {
    return static_cast<double>(variables) * std::ldexp(1.0, static_cast<int>(variables) - 1) *
           (sizeof(double) + sizeof(std::int32_t));
}

ParentSums::ParentSums(const WeightedComponent& component, std::size_t threads, Control& control)
    : mantissas_(component.variables.size()),
      exponents_(component.variables.size()),
      offsets_(component.variables.size()) {
    parallel_for(variables(), threads, control,
                 [&](std::size_t v, std::size_t) { fill(v, component.sets[v], control); });
}

void ParentSums::fill(std::size_t v, const std::vector<WeightedSet>& sets, Control& control) {
    const std::size_t count = std::size_t{1} << (variables() - 1);
    UninitializedVector<double>& mantissas = mantissas_[v];
    UninitializedVector<std::int32_t>& exponents = exponents_[v];
    mantissas.assign(count, 0);
    exponents.assign(count, lowest);
    double offset = -std::numeric_limits<double>::infinity();
    for (const WeightedSet& set : sets) offset = std::max(offset, set.log_weight);
    offsets_[v] = offset;
    if (!std::isfinite(offset)) return;  // no set, or none that weighs anything
    for (const WeightedSet& set : sets) {
        const Scaled weight = Scaled::exp(set.log_weight - offset);
        // What weighs 2^-500,000,000 of the heaviest is nothing beside it, in whatever network. If nothing
        // else is possible, the total is zero, and that is told.
        if (weight.mantissa == 0 || weight.exponent < lowest / 2) continue;
        const std::size_t place = place_of(v, set.inside);
        const auto exponent = static_cast<std::int32_t>(weight.exponent);
        add(&mantissas[place], &exponents[place], &weight.mantissa, &exponent, 1);
    }
    for (std::size_t step = 1; step < count; step *= 2) {
        if (control.stopped()) return;
        for (std::size_t from = 0; from < count; from += 2 * step)
            add(&mantissas[from + step], &exponents[from + step], &mantissas[from], &exponents[from], step);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Scaled sum = Scaled::normalized(mantissas[i], exponents[i]);
        mantissas[i] = sum.mantissa;
        exponents[i] = static_cast<std::int32_t>(sum.exponent);
    }
}

}  // namespace dagscape
