#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace dagscape {

/// 2^exponent. Beyond what a double holds it is cut off: what is multiplied by so little, or so much, is
/// nothing beside the sum that it goes into, or zero itself.
inline double power_of_two(std::int64_t exponent) {
    const std::int64_t held = std::clamp<std::int64_t>(exponent, -1000, 1000);
    return std::bit_cast<double>(static_cast<std::uint64_t>(held + 1023) << 52);
}

/// mantissa × 2^exponent. The weights of networks differ by factors of e^10000 and more, so a double alone
/// does not hold them; but its 53 bits do.
struct Scaled {
    double mantissa = 0;
    std::int64_t exponent = 0;

    /// e^log, with a mantissa from 1 to 2, or zero.
    static Scaled exp(double log) {
        // ln 2 in two parts, of which the first times any exponent here is exact.
        constexpr double high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
        if (log == -std::numeric_limits<double>::infinity()) return {};
        const double whole = std::floor(log / (high + low));
        return normalized(std::exp((log - whole * high) - whole * low), static_cast<std::int64_t>(whole));
    }
    /// The same number with a mantissa from 1 to 2; not for a mantissa that is infinite or next to zero.
    static Scaled normalized(double mantissa, std::int64_t exponent) {
        if (mantissa == 0) return {};
        const auto bits = std::bit_cast<std::uint64_t>(mantissa);
        const auto held = static_cast<std::int64_t>(bits >> 52 & 0x7ff) - 1023;
        return {std::bit_cast<double>((bits & ~(std::uint64_t{0x7ff} << 52)) | std::uint64_t{1023} << 52),
                exponent + held};
    }
    double log() const { return std::log(mantissa) + static_cast<double>(exponent) * 0x1.62e42fefa39efp-1; }
    /// As a double, of a number that fits one.
    double value() const { return mantissa * power_of_two(exponent); }
};

inline Scaled operator*(Scaled a, Scaled b) { return {a.mantissa * b.mantissa, a.exponent + b.exponent}; }
inline Scaled operator/(Scaled a, Scaled b) { return {a.mantissa / b.mantissa, a.exponent - b.exponent}; }

}  // namespace dagscape
