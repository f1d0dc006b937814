#include <cmath>
#include <numbers>

#include "log_gamma.hpp"
#include "scores/determinant_function.hpp"

namespace dagscape {

namespace {

/// √(t + N σ²) as a logarithm, and √N σ as a share of it; for any σ that a double can hold, or its log.
struct PosteriorScale {
    double log_size, share;
};

PosteriorScale posterior_scale(double log_prior, double log_rows) {
    const double ratio = std::exp(2 * (log_rows - log_prior));  // N σ² / t
    if (ratio > 1) {
        const double inverse = std::exp(2 * (log_prior - log_rows));
        return {log_rows + std::log1p(inverse) / 2, 1 / std::sqrt(1 + inverse)};
    }
    return {log_prior + std::log1p(ratio) / 2, std::sqrt(ratio / (1 + ratio))};
}

}  // namespace

DeterminantTerms bge_terms(ColumnBlocks& blocks, const BgePrior& prior) {
    const auto cases = static_cast<double>(blocks.rows);
    const auto n = static_cast<double>(blocks.columns());  // variables that never change tell nothing
    const double iss_w = prior.iss_w > 0 ? prior.iss_w : n + 2;
    const double log_t = std::log(prior.iss_mu * (iss_w - n - 1) / (prior.iss_mu + 1));
    const std::size_t count = blocks.columns();
    DeterminantTerms terms;
    terms.own_share = 1e-13;  // the prior gives each variable a share of its own, small in small units
    terms.offset.assign(blocks.variables(), 0.0);
    std::vector<double> share(count);
    for (std::size_t v = 0; v < blocks.variables(); ++v) {
        if (blocks.width(static_cast<Var>(v)) == 0) continue;
        const double own = prior.standardized ? 0 : blocks.log_scale[v];
        const PosteriorScale scale = posterior_scale(log_t / 2, std::log(cases) / 2 + own);
        share[blocks.begin[v]] = scale.share;
        if (prior.standardized) terms.offset[v] = -cases * blocks.log_scale[v];
        blocks.log_scale[v] = scale.log_size;
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            if (i != j) blocks.matrix[i * count + j] *= share[i] * share[j];
    for (std::size_t l = 0; l <= count; ++l) {
        const auto size = static_cast<double>(l);
        const double free = iss_w - n + size;
        double constant = size / 2 * std::log(prior.iss_mu / (cases + prior.iss_mu)) -
                          size * cases / 2 * std::log(std::numbers::pi) + free / 2 * size * log_t;
        for (std::size_t j = 0; j < l; ++j) {
            const double half = (free - static_cast<double>(j)) / 2;
            constant += log_rising(half, cases / 2);
        }
        terms.constant.push_back(constant);
        terms.weight.push_back(cases + free);
    }
    return terms;
}

}  // namespace dagscape
