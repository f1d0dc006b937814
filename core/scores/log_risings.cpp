#include "scores/log_risings.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dagscape {

namespace {

constexpr std::size_t risings_width = LogRisings::width;

/// Sums of as many columns, and what their roundings lost (Knuth's two-sum).
struct Sums {
    double sum[risings_width] = {}, lost[risings_width] = {};

    void add(const double* terms, double* row) {
        for (std::size_t i = 0; i < risings_width; ++i) {
            const double more = sum[i] + terms[i];
            const double added = more - sum[i];
            lost[i] += (sum[i] - (more - added)) + (terms[i] - added);
            sum[i] = more;
            row[i] = more + lost[i];
        }
    }
};

/// ln(1 + x) for small x, by so many terms of its series.
template <int terms>
double log_above_one(double x) {
    double sum = 1.0 / terms;
    for (int k = terms - 1; k > 0; --k) sum = 1.0 / k - x * sum;
    return x * sum;
}

}  // namespace

LogRisings::LogRisings(std::size_t counts) : log_(counts), inverse_(counts) {
    for (std::size_t n = 1; n < counts; ++n) {
        log_[n] = std::log(static_cast<double>(n));
        inverse_[n] = 1 / static_cast<double>(n);
    }
}

void LogRisings::fill(std::span<const double> starts, std::size_t counts, double* rows) const {
    assert(starts.size() <= risings_width && counts <= log_.size());
    double a[risings_width] = {};
    std::copy(starts.begin(), starts.end(), a);
    const double most = *std::max_element(a, a + risings_width);
    // The terms left out are below 1/64 ^ 9 / 9 and 1/4096 ^ 5 / 5.
    const std::size_t first = std::min(counts, static_cast<std::size_t>(64 * most) + 2);
    const std::size_t second = std::min(counts, static_cast<std::size_t>(4096 * most) + 2);
    Sums sums;
    double terms[risings_width] = {};
    std::fill_n(rows, risings_width, 0);
    std::size_t n = 0;
    for (; n + 1 < first; ++n) {
        for (std::size_t i = 0; i < starts.size(); ++i) terms[i] = std::log(a[i] + static_cast<double>(n));
        sums.add(terms, rows + (n + 1) * risings_width);
    }
    const auto go_on = [&](std::size_t end, const auto& log_of) {
        for (; n + 1 < end; ++n) {
            for (std::size_t i = 0; i < risings_width; ++i) terms[i] = log_[n] + log_of(a[i] * inverse_[n]);
            sums.add(terms, rows + (n + 1) * risings_width);
        }
    };
    go_on(second, log_above_one<8>);
    go_on(counts, log_above_one<4>);
}

}  // namespace dagscape
