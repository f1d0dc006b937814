#include <cmath>
#include <numbers>

#include "log_gamma.hpp"
#include "scores/determinant_function.hpp"
#include "scores/normal_scores.hpp"

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

/// The normal-Wishart marginal likelihood of l columns with `free` + l degrees of freedom, the prior's
/// scatter matrix having e^log_t on its diagonal.
DeterminantTerms wishart_terms(const ColumnBlocks& blocks, double iss_mu, double free, double log_t) {
    const double cases = blocks.cases;
    DeterminantTerms terms;
    terms.own_share = 1e-13;  // the prior gives each variable a share of its own, small in small units
    terms.offset.assign(blocks.variables(), 0.0);
    double gammas = 0;
    for (std::size_t l = 0; l <= blocks.columns(); ++l) {
        const auto size = static_cast<double>(l);
        if (l > 0) gammas += log_rising((free + size) / 2, cases / 2);
        terms.constant.push_back(size / 2 * std::log(iss_mu / (cases + iss_mu)) -
                                 size * cases / 2 * std::log(std::numbers::pi) +
                                 (free + size) / 2 * size * log_t + gammas);
        terms.weight.push_back(cases + free + size);
    }
    return terms;
}

/// Adds the prior's scatter matrix to that of the rows: e^log_prior[v] to the squares of a variable's
/// columns, which are N e^(2 log_deviation[v]). Covariances with them are lowered to the share that is told.
void add_prior(ColumnBlocks& blocks, const std::vector<double>& log_prior,
               const std::vector<double>& log_deviation, const std::vector<double>& told) {
    const double log_rows = std::log(blocks.cases) / 2;
    const std::size_t count = blocks.columns();
    std::vector<double> share(count);
    for (std::size_t v = 0; v < blocks.variables(); ++v) {
        const PosteriorScale scale = posterior_scale(log_prior[v] / 2, log_rows + log_deviation[v]);
        for (std::size_t c = blocks.begin[v]; c < blocks.begin[v + 1]; ++c) share[c] = scale.share * told[v];
        blocks.log_scale[v] = static_cast<double>(blocks.width(static_cast<Var>(v))) * scale.log_size;
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
            if (i != j) blocks.matrix[i * count + j] *= share[i] * share[j];
}

}  // namespace

DeterminantTerms bge_terms(ColumnBlocks& blocks, const BgePrior& prior) {
    const double cases = blocks.cases;
    const auto n = static_cast<double>(blocks.columns());  // variables that never change tell nothing
    const double iss_w = prior.iss_w > 0 ? prior.iss_w : n + 2;
    const double log_t = std::log(prior.iss_mu * (iss_w - n - 1) / (prior.iss_mu + 1));
    DeterminantTerms terms = wishart_terms(blocks, prior.iss_mu, iss_w - n, log_t);
    const std::size_t variables = blocks.variables();
    std::vector<double> deviation(variables, 0.0);
    if (prior.standardized) {
        for (std::size_t v = 0; v < variables; ++v)
            if (blocks.width(static_cast<Var>(v)) > 0) terms.offset[v] = -cases * blocks.log_scale[v];
    } else {
        deviation = blocks.log_scale;
    }
    add_prior(blocks, std::vector<double>(variables, log_t), deviation, std::vector<double>(variables, 1.0));
    return terms;
}

double log_prior_scatter(const ColumnBlocks& blocks, Var v, bool is_number) {
    const std::size_t width = blocks.width(v);
    return std::log(is_number || width == 0 ? 0.5 : static_cast<double>(width) / 2);
}

DeterminantTerms normal_score_terms(ColumnBlocks& blocks, const std::vector<bool>& is_number) {
    const double told_by_numbers = std::sqrt(told_by_ranks(blocks.rows));
    std::vector<double> log_prior, told;
    for (std::size_t v = 0; v < blocks.variables(); ++v) {
        log_prior.push_back(log_prior_scatter(blocks, static_cast<Var>(v), is_number[v]));
        told.push_back(is_number[v] ? told_by_numbers : 1.0);
    }
    add_prior(blocks, log_prior, std::vector<double>(blocks.variables(), 0.0), told);
    return wishart_terms(blocks, 1, 2, std::log(0.5));
}

}  // namespace dagscape
