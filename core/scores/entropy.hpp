#pragma once

#include <cmath>

#include "scores/count_table.hpp"

namespace dagscape {

/// h(S) = Σ n ln n over the cells of a set: N ln N less N times its empirical entropy. The maximum
/// log-likelihood of a child is a difference of two of them, LL(X | P) = h(P ∪ {X}) − h(P).
class CellEntropy {
  public:
    explicit CellEntropy(std::uint32_t cases) : n_log_n_([](double n) { return n * std::log(n); }, cases) {}
    double operator()(Counts counts) const { return sum_over(counts, n_log_n_); }

  private:
    CountTable n_log_n_;
};

}  // namespace dagscape
