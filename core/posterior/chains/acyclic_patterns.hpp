#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dagscape {

/// Who is above whom among a few variables.
struct AcyclicPattern {
    static constexpr std::size_t most = 4;

    /// For each variable a bit for every one that is directly above it.
    std::array<std::uint8_t, most> above;

    /// What is above the first two variables, and above the last two, each as one number: sums over many
    /// patterns add up numbers of halves.
    static constexpr std::size_t halves = 256;
    std::size_t first_half() const { return above[0] | std::size_t{above[1]} << most; }
    std::size_t second_half() const { return above[2] | std::size_t{above[3]} << most; }
};

/// All ways without a cycle: 1, 3, 25 or 543 for one to four variables.
const std::vector<AcyclicPattern>& acyclic_patterns(std::size_t variables);

bool acyclic(const AcyclicPattern& pattern, std::size_t variables);

}  // namespace dagscape
