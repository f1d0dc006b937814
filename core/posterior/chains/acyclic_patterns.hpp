#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dagscape {

/// Who is above whom among a few variables.
struct AcyclicPattern {
    static constexpr std::size_t most = 4;

    /// For each variable a bit for every one that is directly above it.
    std::array<std::uint8_t, most> above;
};

/// All ways without a cycle: 1, 3, 25 or 543 for one to four variables.
const std::vector<AcyclicPattern>& acyclic_patterns(std::size_t variables);

bool acyclic(const AcyclicPattern& pattern, std::size_t variables);

}  // namespace dagscape
