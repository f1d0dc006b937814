#pragma once

#include <cstddef>

namespace dagscape {

/// The largest of values that rise to a peak and then fall, from few of them.
template <typename Value>
double at_peak(std::size_t places, const Value& value) {
    const std::size_t start = places / 2;
    double most = value(start);
    const auto raise = [&](std::size_t place) {
        const double other = value(place);
        const bool higher = other > most;
        if (higher) most = other;
        return higher;
    };
    std::size_t place = start + 1;
    while (place < places && raise(place)) ++place;
    if (place == start + 1)  // it did not rise: the peak is here, or below
        for (place = start; place > 0 && raise(place - 1);) --place;
    return most;
}

}  // namespace dagscape
