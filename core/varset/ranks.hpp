#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dagscape {

/// Goes from a set to the one next in rank; false after the last. Members are ascending and below
/// `variables`.
///
/// The lowest member that can move up does, and those below it go to the bottom.
inline bool next_set(std::vector<std::size_t>& set, std::size_t variables) {
    if (set.empty()) return false;
    std::size_t up = 0;
    while (up + 1 < set.size() && set[up] + 1 == set[up + 1]) ++up;
    if (++set[up] == variables) return false;
    for (std::size_t i = 0; i < up; ++i) set[i] = i;
    return true;
}

/// Numbers the sets of each size from 0, in colexicographic order: {c_1 < ... < c_k} has the rank
/// Σ C(c_i, i). Sets that differ in their lowest member alone are neighbors, which walks use.
class Ranks {
  public:
    Ranks(std::size_t variables, std::size_t largest)
        : largest_(largest), choose_((variables + 1) * (largest + 1)) {
        for (std::size_t n = 0; n <= variables; ++n) {
            choose_[n * (largest + 1)] = 1;
            for (std::size_t k = 1; k <= largest && n > 0; ++k)
                choose_[n * (largest + 1) + k] = saturated(choose(n - 1, k - 1), choose(n - 1, k));
        }
    }

    /// C(n, k), or the largest number there is if it does not fit.
    std::uint64_t choose(std::size_t n, std::size_t k) const {
        assert(k <= largest_);
        return choose_[n * (largest_ + 1) + k];
    }

  private:
    static std::uint64_t saturated(std::uint64_t a, std::uint64_t b) {
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        return a > most - b ? most : a + b;
    }
    std::size_t largest_;
    std::vector<std::uint64_t> choose_;
};

}  // namespace dagscape
