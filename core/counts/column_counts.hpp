#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dagscape {

/// Words that a row of so many bits takes in a matrix for `count_columns`: 2, 4 or a multiple of 8.
std::size_t column_words(std::size_t bits);

/// counts[i] = how many of these rows of a bit matrix have bit i, for all 64 `words` bits of a row.
///
/// The counts of all bits are kept in binary, digit by digit, each digit of all of them in one vector
/// (vertical counters); full adders take in sixteen rows at a time (Harley and Seal, as told by Muła, Kurz
/// and Lemire 2018). So a row costs a few instructions for each vector it takes, into however many
/// parts the rows are divided.
void count_columns(const std::uint64_t* matrix, std::size_t words, std::span<const std::uint32_t> rows,
                   std::uint32_t* counts);

}  // namespace dagscape
