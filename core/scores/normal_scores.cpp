#include "scores/normal_scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace dagscape {

double normal_quantile(double p) {
    if (p > 0.5) return -normal_quantile(1 - p);
    // Hastings' approximation, good to 4.5e-4 (Abramowitz and Stegun 26.2.23); each of Halley's steps then
    // has three times as many digits right.
    const double r = std::sqrt(-2 * std::log(p));
    double z =
        (2.515517 + r * (0.802853 + r * 0.010328)) / (1 + r * (1.432788 + r * (0.189269 + r * 0.001308))) - r;
    for (int step = 0; step < 2; ++step) {
        const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
        const double off = (below - p) / density;
        z -= off / (1 + z * off / 2);
    }
    return z;
}

namespace {

double score_of(double rank, std::size_t rows) {
    return normal_quantile((rank - 0.375) / (static_cast<double>(rows) + 0.25));
}

}  // namespace

double told_by_ranks(std::size_t rows) {
    double squares = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const double score = score_of(static_cast<double>(i + 1), rows);
        squares += score * score;
    }
    return squares / static_cast<double>(rows);
}

std::vector<double> normal_scores(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> scores(values.size());
    for (std::size_t from = 0, end = 0; from < order.size(); from = end) {
        while (end < order.size() && values[order[end]] == values[order[from]]) ++end;
        // The mean of the ranks from + 1, ..., end.
        const double score = score_of(static_cast<double>(from + end + 1) / 2, values.size());
        for (std::size_t i = from; i < end; ++i) scores[order[i]] = score;
    }
    return scores;
}

}  // namespace dagscape
