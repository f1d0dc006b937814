#pragma once

namespace dagscape {

/// ln C(n, K), the log of the normalizer that makes the maximum likelihood of n draws from K states a
/// distribution: C(n, K) = Σ over all samples of n from K states of their own maximum likelihood.
double multinomial_regret(double n, double states);

}  // namespace dagscape
