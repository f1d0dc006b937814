#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

namespace dagscape {

/// Whether this thread's doubles have left their range, with loss, since the watch began: the machine keeps
/// flags of that, so that watching costs nothing per operation.
class RangeWatch {
  public:
    RangeWatch() {
        if (left()) std::feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);  // to clear takes longer than to look
    }
    bool left() const { return std::fetestexcept(FE_UNDERFLOW | FE_OVERFLOW) != 0; }
};

/// A number that is not negative, with the digits of a double and room for any exponent: fraction × 2^(512 ×
/// blocks), the fraction from 2^-256 up to but not 2^256, or zero. Powers of two are exact, so that products,
/// quotients and sums are, to the bit, those of doubles wherever these neither underflow nor overflow.
class WideNumber {
  public:
    WideNumber() = default;
    WideNumber(double value) : fraction_(value) {
        while (fraction_ != 0 && fraction_ < lowest) raise();
        while (fraction_ >= highest) lower();
    }

    WideNumber& operator*=(WideNumber other) {
        return *this = fit(fraction_ * other.fraction_, blocks_ + other.blocks_);
    }
    WideNumber& operator/=(WideNumber other) {
        return *this = fit(fraction_ / other.fraction_, blocks_ - other.blocks_);
    }
    WideNumber& operator+=(WideNumber other) {
        if (other.fraction_ == 0) return *this;
        if (fraction_ == 0 || other.blocks_ > blocks_) std::swap(*this, other);
        if (other.fraction_ == 0) return *this;
        const std::int64_t apart = blocks_ - other.blocks_;
        if (apart > 1) return *this;  // less than one part in 2^512
        return *this = fit(fraction_ + (apart == 0 ? other.fraction_ : other.fraction_ * down), blocks_);
    }
    friend WideNumber operator*(WideNumber a, WideNumber b) { return a *= b; }
    friend WideNumber operator/(WideNumber a, WideNumber b) { return a /= b; }
    friend WideNumber operator+(WideNumber a, WideNumber b) { return a += b; }
    friend bool operator<(WideNumber a, WideNumber b) {
        if (a.fraction_ == 0 || b.fraction_ == 0 || a.blocks_ == b.blocks_) return a.fraction_ < b.fraction_;
        return a.blocks_ < b.blocks_;
    }
    friend bool operator>(WideNumber a, WideNumber b) { return b < a; }
    friend bool operator<=(WideNumber a, WideNumber b) { return !(b < a); }

    /// The nearest double: zero or infinity where it is out of their range.
    explicit operator double() const {
        if (blocks_ == 0) return fraction_;
        if (blocks_ < -3) return 0;
        if (blocks_ > 2) return std::numeric_limits<double>::infinity();
        return std::ldexp(fraction_, 512 * static_cast<int>(blocks_));
    }
    friend double log(WideNumber a) {
        const double plain(a);
        if (plain >= std::numeric_limits<double>::min() && std::isfinite(plain)) return std::log(plain);
        return std::log(a.fraction_) + static_cast<double>(a.blocks_) * 512 * std::numbers::ln2;
    }

  private:
    static constexpr double lowest = 0x1p-256, highest = 0x1p256, up = 0x1p512, down = 0x1p-512;

    static WideNumber fit(double fraction, std::int64_t blocks) {
        WideNumber found;
        found.fraction_ = fraction;
        found.blocks_ = blocks;
        if (fraction >= highest)
            found.lower();
        else if (fraction < lowest && fraction != 0)
            found.raise();
        return found;
    }
    void raise() {
        fraction_ *= up;
        --blocks_;
    }
    void lower() {
        fraction_ *= down;
        ++blocks_;
    }

    double fraction_ = 0;
    std::int64_t blocks_ = 0;
};

}  // namespace dagscape
