#include "counts/column_counts.hpp"

#include <bit>
#include <cassert>
#include <cstring>

#include "clones.hpp"

namespace dagscape {

namespace {

/// Vectors of machines that have them, made of smaller ones elsewhere.
using Words2 __attribute__((vector_size(16))) = std::uint64_t;
using Words4 __attribute__((vector_size(32))) = std::uint64_t;
using Words8 __attribute__((vector_size(64))) = std::uint64_t;

#define DAGSCAPE_INLINE inline __attribute__((always_inline))

/// Adds two bits to a digit; what is carried goes to the next.
template <typename Vector>
DAGSCAPE_INLINE void add(Vector& digit, const Vector& a, const Vector& b, Vector& carry) {
    const Vector either = a ^ b;
    carry = (a & b) | (digit & either);
    digit ^= either;
}

/// Adds a bit to a digit and carries on upwards.
template <typename Vector>
DAGSCAPE_INLINE void ripple(Vector* digits, std::size_t from, std::size_t to, const Vector& bits) {
    Vector carry = bits;
    for (std::size_t k = from; k < to; ++k) {
        const Vector both = digits[k] & carry;
        digits[k] ^= carry;
        carry = both;
    }
}

/// The rows' part that lies in one vector.
template <typename Vector>
struct Rows {
    const std::uint64_t* matrix;
    std::size_t words;
    const std::uint32_t* rows;

    DAGSCAPE_INLINE void load(std::size_t at, Vector& bits) const {
        std::memcpy(&bits, matrix + rows[at] * words, sizeof bits);  // it may lie at any word
    }
};

/// Adds two rows to the lowest digit.
template <typename Vector>
DAGSCAPE_INLINE void add_two(const Rows<Vector>& rows, std::size_t at, Vector& ones, Vector& carry) {
    Vector a, b;
    rows.load(at, a);
    rows.load(at + 1, b);
    add(ones, a, b, carry);
}

/// Adds eight rows to the three lowest digits; what is carried counts eights.
template <typename Vector>
DAGSCAPE_INLINE void add_eight(const Rows<Vector>& rows, std::size_t at, Vector& ones, Vector& twos,
                               Vector& fours, Vector& eights) {
    Vector a, b, c, d;
    add_two(rows, at, ones, a);
    add_two(rows, at + 2, ones, b);
    add(twos, a, b, c);
    add_two(rows, at + 4, ones, a);
    add_two(rows, at + 6, ones, b);
    add(twos, a, b, d);
    add(fours, c, d, eights);
}

/// From binary digits of the numbers of one word to the numbers.
template <typename Vector>
DAGSCAPE_INLINE void spell_out(const Vector* digits, std::size_t word, std::size_t count,
                               std::uint32_t* counts) {
    for (std::uint32_t half = 0; half < 2; ++half, counts += 32) {
        std::uint32_t sums[32] = {};
        for (std::uint32_t k = 0; k < count; ++k) {
            const auto bits = static_cast<std::uint32_t>(digits[k][word] >> (32 * half));
            for (std::uint32_t i = 0; i < 32; ++i) sums[i] |= (bits >> i & 1) << k;
        }
        for (std::size_t i = 0; i < 32; ++i) counts[i] = sums[i];
    }
}

template <typename Vector>
DAGSCAPE_INLINE void count_with(const std::uint64_t* matrix, std::size_t words, const std::uint32_t* row,
                                std::size_t count, std::uint32_t* counts) {
    constexpr std::size_t step = sizeof(Vector) / sizeof(std::uint64_t);
    const auto top = static_cast<std::size_t>(std::bit_width(count));
    for (std::size_t w = 0; w < words; w += step) {
        const Rows<Vector> rows{matrix + w, words, row};
        Vector digits[32];
        for (std::size_t k = 0; k < top || k < 4; ++k) digits[k] = Vector{};
        Vector ones{}, twos{}, fours{}, eights{};
        std::size_t at = 0;
        for (; at + 16 <= count; at += 16) {
            Vector a, b, sixteens;
            add_eight(rows, at, ones, twos, fours, a);
            add_eight(rows, at + 8, ones, twos, fours, b);
            add(eights, a, b, sixteens);
            ripple(digits, 4, top, sixteens);
        }
        digits[0] = ones, digits[1] = twos, digits[2] = fours, digits[3] = eights;
        if (at + 8 <= count) {
            Vector carried;
            add_eight(rows, at, digits[0], digits[1], digits[2], carried);
            ripple(digits, 3, top, carried);
            at += 8;
        }
        for (; at < count; ++at) {
            Vector bits;
            rows.load(at, bits);
            ripple(digits, 0, top, bits);
        }
        for (std::size_t i = 0; i < step; ++i) spell_out(digits, i, top, counts + 64 * (w + i));
    }
}

DAGSCAPE_CLONES void count2(const std::uint64_t* matrix, std::size_t words, const std::uint32_t* rows,
                            std::size_t count, std::uint32_t* counts) {
    count_with<Words2>(matrix, words, rows, count, counts);
}
DAGSCAPE_CLONES void count4(const std::uint64_t* matrix, std::size_t words, const std::uint32_t* rows,
                            std::size_t count, std::uint32_t* counts) {
    count_with<Words4>(matrix, words, rows, count, counts);
}
DAGSCAPE_CLONES void count8(const std::uint64_t* matrix, std::size_t words, const std::uint32_t* rows,
                            std::size_t count, std::uint32_t* counts) {
    count_with<Words8>(matrix, words, rows, count, counts);
}

}  // namespace

std::size_t column_words(std::size_t bits) {
    const std::size_t words = (bits + 63) / 64;
    return words <= 2 ? 2 : words <= 4 ? 4 : (words + 7) / 8 * 8;
}

void count_columns(const std::uint64_t* matrix, std::size_t words, std::span<const std::uint32_t> rows,
                   std::uint32_t* counts) {
    assert(words == 2 || words == 4 || words % 8 == 0);
    const auto count = words == 2 ? count2 : words == 4 ? count4 : count8;
    count(matrix, words, rows.data(), rows.size(), counts);
}

}  // namespace dagscape
