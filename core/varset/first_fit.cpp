#include "varset/first_fit.hpp"

#include <bit>
#include <cassert>

#include "clones.hpp"

namespace dagscape {

namespace {

template <std::size_t Words>
DAGSCAPE_CLONES std::uint32_t first_row(const std::uint64_t* rows, std::uint32_t from,
                                        const std::uint64_t* absent) {
    for (;; from += fit_block) {
        unsigned fits = 0;
        for (std::uint32_t i = 0; i < fit_block; ++i) {
            std::uint64_t wrong = 0;
            for (std::size_t w = 0; w < Words; ++w) wrong |= rows[(from + i) * Words + w] & absent[w];
            fits |= static_cast<unsigned>(wrong == 0) << i;
        }
        if (fits != 0) return from + static_cast<std::uint32_t>(std::countr_zero(fits));
    }
}

}  // namespace

std::uint32_t first_fit(const std::uint64_t* rows, std::size_t words, std::uint32_t from,
                        const std::uint64_t* absent) {
    assert(words >= 1 && words <= 4);
    switch (words) {
        case 1:
            return first_row<1>(rows, from, absent);
        case 2:
            return first_row<2>(rows, from, absent);
        case 3:
            return first_row<3>(rows, from, absent);
        default:
            return first_row<4>(rows, from, absent);
    }
}

std::uint32_t first_fit(const std::uint64_t* sets, std::uint64_t absent) {
    return first_row<1>(sets, 0, &absent);
}

}  // namespace dagscape
