#include "scores/determinant_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scores/cholesky_rows.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

namespace {

/// All other variables are looked at together only as long as that takes no more than a second.
constexpr std::size_t most_bounded = 1000;

}  // namespace

DeterminantBounds::DeterminantBounds(const DeterminantFunction& function)
    : function_(function), bounded_(function.blocks().columns() <= most_bounded) {
    for (std::size_t v = 0; v < function.variables(); ++v) {
        const std::size_t width = function.blocks().width(static_cast<Var>(v));
        if (width == 0) has_idle_ = true;
        if (width > 0) narrowest_ = narrowest_ == 0 ? width : std::min(narrowest_, width);
    }
}

/// The covariance of a block given all others is the inverse of its block in the inverse of all.
void DeterminantBounds::look() const {
    const ColumnBlocks& blocks = function_.blocks();
    const std::size_t count = blocks.columns();
    CholeskyRows rows(function_);
    for (std::size_t v = 0; v < blocks.variables(); ++v) rows.push(static_cast<Var>(v), count);
    // Row i of the factor's transpose is row i here; its inverse is solved for row by row from the last.
    std::vector<double> inverse(count * count, 0.0);
    for (std::size_t i = count; i-- > 0;) {
        double* own = inverse.data() + i * count;
        own[i] = 1;
        const double* factor = rows.row(i);
        for (std::size_t k = i + 1; k < count; ++k) {
            const double* other = inverse.data() + k * count;
            for (std::size_t j = k; j < count; ++j) own[j] -= factor[k] * other[j];
        }
        for (std::size_t j = i; j < count; ++j) own[j] /= factor[i];
    }
    double least = 1;
    for (std::size_t v = 0; v < blocks.variables(); ++v) {
        const std::size_t first = blocks.begin[v], width = blocks.width(static_cast<Var>(v));
        std::vector<double> block(width * width);
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                for (std::size_t k = first + i; k < count; ++k)
                    block[i * width + j] +=
                        inverse[(first + i) * count + k] * inverse[(first + j) * count + k];
        double log_determinant = 0;
        for (std::size_t i = 0; i < width; ++i) {
            double pivot = block[i * width + i];
            least = std::min(least, 1 / pivot);
            for (std::size_t j = 0; j < i; ++j) {
                double entry = block[i * width + j];
                for (std::size_t k = 0; k < j; ++k) entry -= block[i * width + k] * block[j * width + k];
                block[i * width + j] = entry /= block[j * width + j];
                pivot -= entry * entry;
            }
            pivot = std::max(pivot, std::numeric_limits<double>::min());
            block[i * width + i] = std::sqrt(pivot);
            log_determinant += std::log(pivot);
        }
        log_left_.push_back(function_.log_scale(static_cast<Var>(v)) - log_determinant);
    }
    error_ = function_.error(count, std::max(least, function_.least_pivot()));
}

double DeterminantBounds::best_fit(Var child) const {
    std::call_once(looking_, [&] { look(); });
    const auto width = static_cast<double>(function_.blocks().width(child));
    return -function_.cases() / 2 * (width * (1 + std::log(2 * std::numbers::pi)) + log_left_[child]) +
           error_;
}

double DeterminantBounds::price(Var child, std::size_t columns) const {
    return function_.terms().price * (function_.parameters_of(columns + function_.blocks().width(child)) -
                                      function_.parameters_of(columns));
}

double DeterminantBounds::superset_bound(Var child, Members parents, std::size_t most) const {
    if (!bounded_) return FamilyBounds::superset_bound(child, parents, most);
    return best_fit(child) - price(child, function_.columns_of(parents) + narrowest_);
}

std::size_t DeterminantBounds::most_parents(Var child, Members required, double lead) const {
    if (!bounded_ || function_.blocks().width(child) == 0)
        return FamilyBounds::most_parents(child, required, lead);
    const double local = function_.joint(Inserted(required, {child})) - function_.joint(required);
    std::vector<std::size_t> widths;  // of variables that can tell anything
    for (std::size_t i = 0; i < function_.variables(); ++i) {
        const auto v = static_cast<Var>(i);
        const std::size_t width = function_.blocks().width(v);
        if (width > 0 && v != child && !std::binary_search(required.begin(), required.end(), v))
            widths.push_back(width);
    }
    std::sort(widths.begin(), widths.end());
    std::size_t most = required.size(), columns = function_.columns_of(required);
    for (const std::size_t width : widths) {
        columns += width;
        if (best_fit(child) - price(child, columns) + lead <= local) break;
        ++most;
    }
    return has_idle_ && lead > 0 ? function_.variables() : most;
}

}  // namespace dagscape
