#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace dagscape {

/// A stream of random numbers that is the same on every machine: splitmix64 (Steele, Lea and Flood, 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    /// One of many streams of a seed, each its own: for runs that any thread may do at any time.
    Random(std::uint64_t seed, std::uint64_t stream) : state_(Random(seed).bits() ^ Random(~stream).bits()) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// From 0 to `end` - 1, all alike; numbers that would favor some are drawn again.
    std::uint64_t below(std::uint64_t end) {
        std::uint64_t drawn = bits();
        if (drawn < end) {  // else it is not among the first 2^64 modulo `end`, which are too many
            const std::uint64_t unfair = (0 - end) % end;
            while (drawn < unfair) drawn = bits();
        }
        return drawn % end;
    }
    /// From 0 up to but not 1, all multiples of 2^-53 alike.
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace dagscape
