#pragma once

#include <cstdint>
#include <vector>

#include "posterior/scaled.hpp"

namespace dagscape {

/// For a few variables v with numbers a_v, start × Π_{v∈T} (−a_v) for every subset T of them, each with an
/// exponent of its own. Built by doubling: with each variable come as many products as there are.
class SignedProducts {
  public:
    void start(Scaled first, std::uint32_t set) {
        size_ = 1;
        reserve();
        mantissas_[0] = first.mantissa;
        exponents_[0] = first.exponent;
        sets_[0] = set;
    }
    void times(Scaled a, std::uint32_t bit) {
        size_ *= 2;
        reserve();
        const std::size_t half = size_ / 2;
        for (std::size_t i = 0; i < half; ++i) {
            mantissas_[half + i] = -a.mantissa * mantissas_[i];
            exponents_[half + i] = exponents_[i] + a.exponent;
            sets_[half + i] = sets_[i] | bit;
        }
    }
    std::size_t size() const { return size_; }
    Scaled at(std::size_t i) const { return {mantissas_[i], exponents_[i]}; }
    const double* mantissas() const { return mantissas_.data(); }
    const std::int64_t* exponents() const { return exponents_.data(); }
    const std::uint32_t* sets() const { return sets_.data(); }

  private:
    void reserve() {
        if (mantissas_.size() >= size_) return;
        mantissas_.resize(size_);
        exponents_.resize(size_);
        sets_.resize(size_);
    }
    std::size_t size_ = 0;
    std::vector<double> mantissas_;
    std::vector<std::int64_t> exponents_;
    std::vector<std::uint32_t> sets_;
};

}  // namespace dagscape
