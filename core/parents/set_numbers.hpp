#pragma once

#include <cstddef>
#include <vector>

namespace dagscape {

/// How many sets of each size there are, up to a largest, and what scoring their families takes.
class SetNumbers {
  public:
    SetNumbers(std::size_t variables, std::size_t largest) : sets_(largest + 1, 0) {
        sets_[0] = 1;
        for (std::size_t v = 0; v < variables; ++v)
            for (std::size_t size = largest; size > 0; --size) sets_[size] += sets_[size - 1];
    }

    double sets(std::size_t size) const { return sets_[size]; }
    /// Nanoseconds to score every member of every set as the child of the others, and to compare with their
    /// subsets; on the scale of `ValueWalk::cost`.
    double family_cost(std::size_t size) const {
        const double members = static_cast<double>(size);
        return sets_[size] * members * (8 + 2.4 * members);
    }

  private:
    std::vector<double> sets_;
};

}  // namespace dagscape
