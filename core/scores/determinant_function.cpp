#include "scores/determinant_function.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "scores/cholesky_rows.hpp"
#include "scores/determinant_bounds.hpp"
#include "scores/determinant_extender.hpp"
#include "scores/determinant_walk.hpp"
#include "scores/lane_product.hpp"

namespace dagscape {

namespace {

/// Rows of a factor that are computed together.
constexpr std::size_t tile_width = 8;
/// From so many columns on, sums are made side by side.
constexpr std::size_t many = 512;

/// What is left of an entry without what two rows have in common.
double without(double entry, const double* one, const double* other, std::size_t count) {
    if (count >= many) return entry - lane_product(one, other, count);
    for (std::size_t k = 0; k < count; ++k) entry -= one[k] * other[k];
    return entry;
}

}  // namespace

DeterminantTerms gaussian_bic_terms(const ColumnBlocks& blocks) {
    const double cases = blocks.cases;
    DeterminantTerms terms;
    for (std::size_t d = 0; d <= blocks.columns(); ++d) {
        terms.constant.push_back(-cases / 2 * static_cast<double>(d) * (1 + std::log(2 * std::numbers::pi)));
        terms.weight.push_back(cases);
    }
    terms.offset.assign(blocks.variables(), 0.0);
    terms.price = std::log(cases) / 2;
    return terms;
}

DeterminantFunction::DeterminantFunction(ColumnBlocks blocks, DeterminantTerms terms)
    : blocks_(std::move(blocks)), terms_(std::move(terms)) {
    const std::size_t count = blocks_.columns();
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            if (i != j) blocks_.matrix[i * count + j] *= 1 - terms_.own_share;
}

std::size_t DeterminantFunction::columns_of(Members set) const {
    std::size_t columns = 0;
    for (const Var v : set) columns += blocks_.width(v);
    return columns;
}

double DeterminantFunction::joint(Members set) const {
    double offset = 0;
    for (const Var v : set) offset += terms_.offset[v];
    return value(columns_of(set), log_determinant(set), offset);
}

double DeterminantFunction::log_determinant(Members set) const {
    if (set.empty()) return 0;
    // The widest block comes first: within itself it needs no factor, as its columns are uncorrelated.
    const auto widest = std::max_element(set.begin(), set.end(),
                                         [&](Var a, Var b) { return blocks_.width(a) < blocks_.width(b); });
    // Only the columns of the set itself matter, so they are gathered first.
    thread_local std::vector<std::size_t> chosen;
    thread_local std::vector<double> factor;
    chosen.clear();
    double sum = 0;
    const auto gather = [&](Var v) {
        for (std::size_t column = blocks_.begin[v]; column < blocks_.begin[v + 1]; ++column)
            chosen.push_back(column);
        sum += log_scale(v);
    };
    gather(*widest);
    const std::size_t free = chosen.size();
    for (auto v = set.begin(); v != set.end(); ++v)
        if (v != widest) gather(*v);
    const std::size_t size = chosen.size();
    factor.resize((size - free) * size);
    // Rows in tiles, so that those before are read once for several.
    for (std::size_t from = free; from < size; from += tile_width) {
        const std::size_t end = std::min(from + tile_width, size);
        std::array<double, tile_width> pivots{};
        for (std::size_t i = from; i < end; ++i) {
            const double* entries = row(chosen[i]);
            double* own = factor.data() + (i - free) * size;
            double pivot = entries[chosen[i]];
            for (std::size_t j = 0; j < free; ++j) {
                own[j] = entries[chosen[j]];
                pivot -= own[j] * own[j];
            }
            pivots[i - from] = pivot;
        }
        for (std::size_t j = free; j < end; ++j) {
            double* other = factor.data() + (j - free) * size;
            if (j >= from) {
                const double pivot = std::max(pivots[j - from], least_pivot());
                other[j] = std::sqrt(pivot);
                sum += std::log(pivot);
            }
            for (std::size_t i = std::max(from, j + 1); i < end; ++i) {
                double* own = factor.data() + (i - free) * size;
                own[j] = without(row(chosen[i])[chosen[j]], own, other, j) / other[j];
                pivots[i - from] -= own[j] * own[j];
            }
        }
    }
    return sum;
}

double DeterminantFunction::cost(Members set) const {
    return terms_.price > 0 ? terms_.price * parameters(set) : SetFunction::cost(set);
}

/// Far more than sets without near copies lose; sets with them, see `error`.
double DeterminantFunction::rounding() const { return std::ldexp(SetFunction::rounding(), 4); }

/// A factorization is exact for a matrix whose entries are off by d + 1 roundings. The log determinant then
/// is off by these times the entries of the inverse, which are about 1 / pivot.
double DeterminantFunction::error(std::size_t columns, double pivot) const {
    const auto d = static_cast<double>(columns + 1);
    return std::ldexp(16 * d * d * terms_.weight[std::min(columns, blocks_.columns())] / pivot, -52);
}

std::unique_ptr<FamilyBounds> DeterminantFunction::bounds() const {
    if (terms_.price > 0) return std::make_unique<DeterminantBounds>(*this);
    return SetFunction::bounds();
}

std::unique_ptr<SetExtender> DeterminantFunction::extender(ExtensionWay /*way*/) const {
    return std::make_unique<DeterminantExtender>(*this);
}

std::unique_ptr<ValueWalk> DeterminantFunction::walk(const WalkOptions& /*options*/) const {
    return std::make_unique<DeterminantWalk>(*this);
}

}  // namespace dagscape
