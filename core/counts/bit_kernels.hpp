#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "instructions.hpp"

namespace dagscape {

/// Rows of a bit matrix to keep, for packing them together; made once for many rows of bits.
struct PackPlan {
    struct Word {
        std::uint32_t index;  // of a word with bits to keep
        std::uint32_t kept;   // how many
        std::uint64_t mask;
    };
    std::vector<Word> words;

    void make(const std::uint64_t* mask, std::size_t words_in_mask);
};

/// The two loops that counting spends its time in.
struct BitKernels {
    /// counts[i] = bits in `mask` and row i both, for `rows` rows of `words` words each.
    void (*and_counts)(const std::uint64_t* mask, const std::uint64_t* matrix, std::size_t rows,
                       std::size_t words, std::uint32_t* counts);
    /// Packs the kept bits of a row together; writes whole words, the last one filled up with zeros.
    void (*pack)(const PackPlan& plan, const std::uint64_t* row, std::uint64_t* packed);
};

const BitKernels& bit_kernels(Instructions instructions);
/// Nanoseconds for a word of an intersection, measured on one machine; only ratios to other costs matter. The
/// same with AVX2, though that takes more than twice as long: ways to count add up the same cells in other
/// orders, and a search whose ties go by rounding must find the same network on both kinds of machines.
double word_cost(Instructions instructions);

}  // namespace dagscape
