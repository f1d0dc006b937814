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
inline double log_rising(double a, double n) { return log_gamma(a + n) - log_gamma(a); }

}  // namespace dagscape
