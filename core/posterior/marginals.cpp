#include "posterior/marginals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "parallel.hpp"

namespace dagscape {

namespace {

using Set = std::uint32_t;

/// Sets in a row whose contributions are added up before they go to the total, so that the rounding of
/// millions of additions stays small.
constexpr std::size_t together = 1024;

/// What is less than this adds nothing that could be seen, however many sets there are.
constexpr double nothing = 1e-25;

/// Numbers by variable, added up in two steps.
class Totals {
  public:
    explicit Totals(std::size_t n) : part_(n), whole_(n) {}
    void add(std::size_t v, double value) { part_[v] += value; }
    void flush() {
        for (std::size_t v = 0; v < part_.size(); ++v) whole_[v] += std::exchange(part_[v], 0.0);
    }
    double of(std::size_t v) const { return whole_[v]; }

  private:
    std::vector<double> part_, whole_;
};

}  // namespace

Marginals marginals(const ParentSums& parents, const NetworkSums& sums, std::size_t threads,
                    Control& control) {
    const std::size_t n = parents.variables(), sets = std::size_t{1} << (n - 1);
    Marginals found{std::vector<double>(n * n), std::vector<double>(n * n), 0};
    std::vector<double> missing(n);
    parallel_for(n, threads, control, [&](std::size_t v, std::size_t) {
        Totals arcs(n), descendants(n), whole(1);
        for (std::size_t place = 0; place < sets; ++place) {
            if (place % together == 0) {
                for (Totals* totals : {&arcs, &descendants, &whole}) totals->flush();
                if (control.stopped()) return;
            }
            const Set placed = ParentSums::set_at(v, place);
            const double alone = sums.alone(v, placed);
            if (alone == 0) continue;
            const double probability = sums.closed(placed) * alone;
            if (std::abs(probability) < nothing) continue;
            whole.add(0, probability);
            for (std::size_t u = 0; u < n; ++u) {
                if (u == v) continue;
                if ((placed >> u & 1) == 0)
                    descendants.add(u, probability);
                else
                    arcs.add(u, probability * (1 - parents.share(v, placed & ~(Set{1} << u), placed)));
            }
        }
        for (Totals* totals : {&arcs, &descendants, &whole}) totals->flush();
        missing[v] = std::abs(1 - whole.of(0));
        for (std::size_t u = 0; u < n; ++u) {
            found.arcs[u * n + v] = std::clamp(arcs.of(u), 0.0, 1.0);
            found.ancestors[v * n + u] = std::clamp(descendants.of(u), 0.0, 1.0);
        }
    });
    found.rounding = *std::max_element(missing.begin(), missing.end());
    return found;
}

std::vector<double> parent_set_probabilities(const WeightedComponent& component, const ParentSums& parents,
                                             const NetworkSums& sums, std::size_t v) {
    const std::size_t sets = std::size_t{1} << (parents.variables() - 1);
    // Σ_{R⊇P} Q_v(R) / A_v(R), by sums over supersets, each with an exponent of its own.
    std::vector<Scaled> share(sets);
    for (std::size_t place = 0; place < sets; ++place) {
        const Set placed = ParentSums::set_at(v, place);
        const double alone = sums.alone(v, placed);
        if (alone == 0) continue;
        const double probability = sums.closed(placed) * alone;
        if (std::abs(probability) < nothing) continue;
        share[place] = Scaled::normalized(probability, 0) / parents.at(v, placed);
    }
    for (std::size_t step = 1; step < sets; step *= 2)
        for (std::size_t from = 0; from < sets; from += 2 * step)
            for (std::size_t i = from; i < from + step; ++i) {
                Scaled &to = share[i], other = share[i + step];
                if (other.mantissa == 0) continue;
                if (to.mantissa == 0) {
                    to = other;
                    continue;
                }
                const std::int64_t top = std::max(to.exponent, other.exponent);
                to.mantissa = to.mantissa * power_of_two(to.exponent - top) +
                              other.mantissa * power_of_two(other.exponent - top);
                to.exponent = top;
            }
    std::vector<double> probabilities;
    probabilities.reserve(component.sets[v].size());
    for (const WeightedSet& set : component.sets[v]) {
        const Scaled weight = Scaled::exp(set.log_weight - parents.offset(v));
        const double probability = (share[ParentSums::place_of(v, set.inside)] * weight).value();
        probabilities.push_back(std::clamp(probability, 0.0, 1.0));
    }
    return probabilities;
}

}  // namespace dagscape
