#pragma once

namespace dagscape {

/// ln P(X > statistic) for X of the chi-square distribution with so many degrees of freedom, which need not
/// be whole; 0 where there are none. Good to 1e-10, relative to the probability or, where that is smaller
/// than a double can be, to its logarithm.
double log_chi_square_tail(double statistic, double freedom);

}  // namespace dagscape
