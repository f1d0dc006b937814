#include "independence/chi_square.hpp"

#include <cmath>
#include <limits>

#include "log_gamma.hpp"

namespace dagscape {

namespace {

constexpr double precise = 1e-16;

/// ln [x^a e^-x / Γ(a)]
double log_density(double a, double x) {
    if (a < 20) return a * std::log(x) - x - log_gamma(a);
    // The three terms would cancel; around x = a they do so by hand, Γ by Stirling's series.
    const double away = (x - a) / a, square = 1 / (a * a);
    const double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / a;
    constexpr double log_two_pi = 1.8378770664093454836;
    return a * (std::log1p(away) - away) + 0.5 * (std::log(a) - log_two_pi) - series;
}

/// The share below x of a gamma distribution, over its density above: Σ x^k / (a (a+1) ... (a+k)).
double lower_series(double a, double x) {
    double term = 1 / a, sum = term;
    for (double k = a + 1; term > sum * precise; ++k) {
        term *= x / k;
        sum += term;
    }
    return sum;
}

/// The share above x, likewise: Legendre's continued fraction, evaluated forwards (Lentz 1976).
double upper_fraction(double a, double x) {
    constexpr double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
    for (double k = 1; k < 1e9; ++k) {
        const double numerator = -k * (k - a);
        b += 2;
        d = numerator * d + b;
        if (std::abs(d) < tiny) d = tiny;
        c = b + numerator / c;
        if (std::abs(c) < tiny) c = tiny;
        d = 1 / d;
        value *= d * c;
        if (std::abs(d * c - 1) < 2 * precise) break;
    }
    return value;
}

}  // namespace

double log_chi_square_tail(double statistic, double freedom) {
    if (!(freedom > 0) || !(statistic > 0)) return 0;
    const double a = freedom / 2, x = statistic / 2;
    if (x < a + 1) return std::log1p(-std::exp(log_density(a, x)) * lower_series(a, x));
    return log_density(a, x) + std::log(upper_fraction(a, x));
}

}  // namespace dagscape
