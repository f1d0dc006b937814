#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "search/equivalence/kes.hpp"

namespace dagscape {

/// Runs of KES with numbers from `first` on, each with where it ended; in the order of their numbers.
///
/// A run draws from the stream of its number, so neither threads nor the way a series is cut into calls
/// change what it finds. A run counts whole or not at all: those not done when the control stops are left
/// out.
std::vector<std::pair<std::uint64_t, ClassSearch>> kes_runs(const Scorer& scorer, const KesOptions& options,
                                                            std::uint64_t seed, std::uint64_t first,
                                                            std::size_t runs, std::size_t threads,
                                                            Control& control);

}  // namespace dagscape
