#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "counts/counter.hpp"

namespace dagscape {

template <typename Term>
double sum_over(Counts counts, const Term& term) {
    double sum = 0;
    for (const std::uint32_t n : counts) sum += term(n);
    return sum;
}

/// A function of a count, with its values kept from first use up to a size; computed anew above it.
///
/// Any number of threads may ask at once: an entry that two of them compute gets the same value twice.
class CountTable {
  public:
    /// Larger counts are rare: n cases have at most n / 65536 cells of 65536 and more.
    static constexpr std::uint32_t most_entries = 65536;

    CountTable(std::function<double(double)> function, std::uint32_t largest)
        : function_(std::move(function)),
          size_(std::min(largest, most_entries - 1) + 1),
          values_(std::make_unique<std::atomic<double>[]>(size_)) {
        for (std::uint32_t n = 0; n < size_; ++n) values_[n].store(unknown, std::memory_order_relaxed);
    }

    double operator()(std::uint32_t count) const {
        if (count >= size_) return function_(count);
        const double known = values_[count].load(std::memory_order_relaxed);
        if (!std::isnan(known)) return known;
        const double value = function_(count);
        values_[count].store(value, std::memory_order_relaxed);
        return value;
    }

  private:
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    std::function<double(double)> function_;
    std::uint32_t size_;
    std::unique_ptr<std::atomic<double>[]> values_;
};

}  // namespace dagscape
