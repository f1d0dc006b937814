#include "scores/lane_product.hpp"

#include <array>

#include "clones.hpp"

namespace dagscape {

namespace {

constexpr std::size_t lanes = 8;

DAGSCAPE_CLONES double product_of(const double* a, const double* b, std::size_t count) {
    std::array<double, lanes> sums{};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    double total = 0;
    for (; i < count; ++i) total += a[i] * b[i];
    for (const double sum : sums) total += sum;
    return total;
}

}  // namespace

double lane_product(const double* a, const double* b, std::size_t count) { return product_of(a, b, count); }

}  // namespace dagscape
