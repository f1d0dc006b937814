#include "search/exact/dual_bound/smoothed_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dagscape {

namespace {

/// Temperatures that one step may go.
constexpr double longest_step = 4;

constexpr double largest_sum = 1e100, smallest_sum = 1e-100;

}  // namespace

SmoothedAscent::SmoothedAscent(const Families& families, const Options& options,
                               std::vector<std::uint8_t>& stays)
    : families_(families), temperature_(options.temperature), sums_(families.variables()) {
    stays.resize(families.columns());
    const double near = options.reach * options.temperature;
    for (std::size_t v = 0; v < families.variables(); ++v) {
        const Var child = static_cast<Var>(v);
        begins_.push_back(static_cast<std::uint32_t>(weights_.size()));
        const std::span<const double> reduced = families.reduced(child);
        const double least = families.least_reduced(child);
        for (std::size_t at = 0; at < reduced.size(); ++at) {
            std::uint8_t& rounds = stays[families.kept_column(child, at)];
            const double above = reduced[at] - least;
            if (rounds > 0) {
                --rounds;
            } else if (above > near) {
                continue;
            }
            at_.push_back(static_cast<std::uint32_t>(at));
            weights_.push_back(std::exp(-above / temperature_));
        }
    }
    begins_.push_back(static_cast<std::uint32_t>(weights_.size()));
    for (std::size_t v = 0; v < families.variables(); ++v) normalize(static_cast<Var>(v));
}

void SmoothedAscent::add(std::uint32_t number) {
    const Cut& cut = families_.cut(number);
    Part part{cut.right, static_cast<std::uint32_t>(segments_.size()), 0};
    std::vector<std::pair<double, std::uint32_t>> with;
    for (const Var child : cut.members) {
        with.clear();
        for (std::uint32_t f = begins_[child]; f < begins_[child + 1u]; ++f) {
            const double coefficient = families_.kept_coefficient(number, child, at_[f]);
            if (coefficient != 0) with.emplace_back(coefficient, f);
        }
        std::stable_sort(with.begin(), with.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < with.size(); ++i) {
            const auto place = static_cast<std::uint32_t>(places_.size());
            if (i == 0 || with[i].first != with[i - 1].first)
                segments_.push_back({child, with[i].first, place, place});
            places_.push_back(with[i].second);
            segments_.back().end = place + 1;
        }
    }
    part.end = static_cast<std::uint32_t>(segments_.size());
    cuts_.push_back(part);
}

std::size_t SmoothedAscent::bytes() const {
    return places_.capacity() * sizeof(std::uint32_t) + segments_.capacity() * sizeof(Segment) +
           weights_.capacity() * (sizeof(double) + sizeof(std::uint32_t));
}

void SmoothedAscent::sweep(std::span<double> multipliers) {
    // Sums that are kept up by small changes drift.
    for (std::size_t v = 0; v < families_.variables(); ++v) normalize(static_cast<Var>(v));
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) improve(cut, multipliers[cut]);
}

void SmoothedAscent::improve(std::size_t cut, double& multiplier) {
    const Part& part = cuts_[cut];
    double greatest = 0;
    for (std::uint32_t s = part.begin; s < part.end; ++s) {
        Segment& segment = segments_[s];
        segment.weight = 0;
        for (std::uint32_t at = segment.begin; at < segment.end; ++at)
            segment.weight += weights_[places_[at]];
        greatest = std::max(greatest, std::abs(segment.coefficient));
    }
    if (greatest == 0) return;
    const double by =
        step(part, std::max(-multiplier / temperature_, -longest_step / greatest), longest_step / greatest);
    if (by == 0) return;
    multiplier = std::max(0.0, multiplier + by * temperature_);
    for (std::uint32_t s = part.begin; s < part.end; ++s) {
        const Segment& segment = segments_[s];
        const double times = std::exp(segment.coefficient * by);
        for (std::uint32_t at = segment.begin; at < segment.end; ++at) weights_[places_[at]] *= times;
        double& sum = sums_[segment.child];
        sum += segment.weight * (times - 1);
        if (!(sum > smallest_sum && sum < largest_sum)) normalize(segment.child);
    }
}

double SmoothedAscent::step(const Part& part, double low, double high) const {
    double by = 0;
    Total now = total(part, by);
    const double enough = 1e-7 * part.right;
    if (std::abs(now.value - part.right) <= enough) return by;
    // The end of what is allowed may be the best; otherwise the best is between.
    if (now.value > part.right) {
        if (low == 0 || total(part, low).value >= part.right) return low;
        high = 0;
    } else {
        if (total(part, high).value <= part.right) return high;
        low = 0;
    }
    // Newton's method, and halves where it leaves what is between.
    for (int tries = 0; tries < 60 && std::abs(now.value - part.right) > enough; ++tries) {
        (now.value > part.right ? high : low) = by;
        const double newton = now.slope > 0 ? by - (now.value - part.right) / now.slope : high;
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (std::abs(next - by) < 1e-12) break;
        by = next;
        now = total(part, by);
    }
    return by;
}

SmoothedAscent::Total SmoothedAscent::total(const Part& part, double by) const {
    Total total{0, 0};
    double coefficient = 0, factor = 1;  // most segments of a cut have the same
    for (std::uint32_t s = part.begin; s < part.end;) {
        const Var child = segments_[s].child;
        double rest = sums_[child], all = 0, first = 0, second = 0;
        for (; s < part.end && segments_[s].child == child; ++s) {
            const Segment& segment = segments_[s];
            rest -= segment.weight;
            if (segment.coefficient != coefficient) {
                coefficient = segment.coefficient;
                factor = std::exp(coefficient * by);
            }
            const double weight = segment.weight * factor;
            all += weight;
            first += segment.coefficient * weight;
            second += segment.coefficient * segment.coefficient * weight;
        }
        all += std::max(0.0, rest);
        if (!(all > 0)) continue;
        const double mean = first / all;
        total.value += mean;
        total.slope += std::max(0.0, second / all - mean * mean);
    }
    return total;
}

void SmoothedAscent::normalize(Var child) {
    double sum = 0;
    for (std::uint32_t f = begins_[child]; f < begins_[child + 1u]; ++f) sum += weights_[f];
    sums_[child] = 1;
    if (!(sum > 0)) return;
    for (std::uint32_t f = begins_[child]; f < begins_[child + 1u]; ++f) weights_[f] /= sum;
}

WeightedFamilies SmoothedAscent::solution(double least) const {
    WeightedFamilies result;
    for (std::size_t v = 0; v < families_.variables(); ++v)
        for (std::uint32_t f = begins_[v]; f < begins_[v + 1]; ++f) {
            const double weight = weights_[f] / sums_[v];
            if (weight < least) continue;
            result.columns.push_back(families_.kept_column(static_cast<Var>(v), at_[f]));
            result.weights.push_back(weight);
        }
    return result;
}

}  // namespace dagscape
