#pragma once

#include <cmath>

namespace dagscape {

/// ln Γ(x) for x > 0. The C library's plain lgamma writes a global variable, which threads would race on.
inline double log_gamma(double x) {
#if defined(__GLIBC__) || defined(__APPLE__)
    int sign = 0;
    return ::lgamma_r(x, &sign);
#else
    return std::lgamma(x);
#endif
}

/// ln [Γ(n + a) / Γ(a)], the log of a(a+1)...(a+n−1).
inline double log_rising(double a, double n) {
    if (a < 1000) return log_gamma(a + n) - log_gamma(a);
    // For large a the two would cancel; Stirling's series, subtracted term by term, does not. Its next term
    // is below 1e-12.
    return n * std::log(a) + ((a + n - 0.5) * std::log1p(n / a) - n) + (1 / (a + n) - 1 / a) / 12;
}

}  // namespace dagscape
