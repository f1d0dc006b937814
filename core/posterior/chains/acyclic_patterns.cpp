#include "posterior/chains/acyclic_patterns.hpp"

#include <cstddef>

namespace dagscape {

namespace {

std::vector<AcyclicPattern> list_patterns(std::size_t variables) {
    std::vector<AcyclicPattern> found;
    const std::size_t masks = std::size_t{1} << variables;
    std::size_t all = 1;
    for (std::size_t i = 0; i < variables; ++i) all *= masks;
    for (std::size_t number = 0; number < all; ++number) {
        AcyclicPattern pattern{};
        for (std::size_t i = 0, rest = number; i < variables; ++i, rest /= masks)
            pattern.above[i] = static_cast<std::uint8_t>(rest % masks);
        if (acyclic(pattern, variables)) found.push_back(pattern);
    }
    return found;
}

}  // namespace

bool acyclic(const AcyclicPattern& pattern, std::size_t variables) {
    // Whoever has all above it placed is placed, until nobody is left or nobody can be.
    unsigned placed = 0;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t i = 0; i < variables; ++i)
            if ((placed >> i & 1) == 0 && (pattern.above[i] & ~placed) == 0) {
                placed |= 1U << i;
                more = true;
            }
    }
    return placed + 1 == 1U << variables;
}

const std::vector<AcyclicPattern>& acyclic_patterns(std::size_t variables) {
    static const std::array<std::vector<AcyclicPattern>, AcyclicPattern::most + 1> all = [] {
        std::array<std::vector<AcyclicPattern>, AcyclicPattern::most + 1> made;
        for (std::size_t n = 0; n < made.size(); ++n) made[n] = list_patterns(n);
        return made;
    }();
    return all[variables];
}

}  // namespace dagscape
