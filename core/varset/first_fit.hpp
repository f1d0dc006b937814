#pragma once

#include <cstddef>
#include <cstdint>

namespace dagscape {

/// Sets that are looked at together.
inline constexpr std::size_t fit_block = 8;

/// The words that rows of so many sets take: an empty set comes last, which always fits and so ends every
/// search, and others fill its block and the next.
constexpr std::size_t fit_rows(std::size_t sets) { return (sets / fit_block + 2) * fit_block; }

/// The first of many sets, from `from` on, that has no member among the absent. Each is a row of one to four
/// words; there must be as many rows as `fit_rows` says.
std::uint32_t first_fit(const std::uint64_t* rows, std::size_t words, std::uint32_t from,
                        const std::uint64_t* absent);

/// Of sets of one word, all of them.
std::uint32_t first_fit(const std::uint64_t* sets, std::uint64_t absent);

}  // namespace dagscape
