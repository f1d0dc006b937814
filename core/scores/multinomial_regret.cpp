#include "scores/multinomial_regret.hpp"

#include <cmath>

namespace dagscape {

/// Mononen and Myllymäki, Computing the multinomial stochastic complexity in sub-linear time, 2008:
///
///     C(n, K) = Σ_{k=0}^{n} n(n−1)...(n−k+1) · (K−1)K...(K+k−2) / (n^k k!)
///
/// All terms are positive and their ratio falls with k, so the sum can stop where the rest, at most
/// a geometric series, cannot change it: after about √(nK) terms for few states, and never more
/// than n. The usual recurrence in K would need K steps, and K is a product of arities here.
double multinomial_regret(double n, double states) {
    if (n == 0 || states <= 1) return 0;
    double term = 1;
    double sum = 1;
    double log_scale = 0;
    for (double k = 1; k <= n; ++k) {
        const double ratio = (n - k + 1) / n * ((states - 2 + k) / k);
        term *= ratio;
        sum += term;
        if (ratio < 1 && term * ratio < 1e-17 * sum * (1 - ratio)) break;
        if (term > 1e5) {  // low enough that a ratio up to 1e300 cannot overflow
            sum /= term;
            log_scale += std::log(term);
            term = 1;
        }
    }
    return log_scale + std::log(sum);
}

}  // namespace dagscape
