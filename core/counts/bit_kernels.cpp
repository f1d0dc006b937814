#include "counts/bit_kernels.hpp"

#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#define DAGSCAPE_X86 1
#include <immintrin.h>
#if !defined(__clang__)
// GCC 12 takes its own "undefined" vectors in the intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#endif

namespace dagscape {

void PackPlan::make(const std::uint64_t* mask, std::size_t words_in_mask) {
    words.clear();
    for (std::size_t w = 0; w < words_in_mask; ++w)
        if (mask[w] != 0)
            words.push_back(
                {static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(std::popcount(mask[w])), mask[w]});
}

namespace {

/// Appends pieces of bits one after another. `extract(word, mask)` gives the masked bits, packed.
template <typename Extract>
inline __attribute__((always_inline)) void pack_with(const PackPlan& plan, const std::uint64_t* row,
                                                     std::uint64_t* packed, const Extract& extract) {
    std::uint64_t open = 0;  // bits not written yet
    std::uint32_t filled = 0;
    for (const PackPlan::Word& word : plan.words) {
        const std::uint64_t bits = extract(row[word.index], word.mask);
        open |= bits << filled;
        filled += word.kept;
        if (filled >= 64) {
            *packed++ = open;
            filled -= 64;
            // What did not fit; a shift by 64 is undefined, and then nothing was left over.
            open = filled == 0 ? 0 : bits >> (word.kept - filled);
        }
    }
    if (filled > 0) *packed = open;
}

void and_counts_plain(const std::uint64_t* mask, const std::uint64_t* matrix, std::size_t rows,
                      std::size_t words, std::uint32_t* counts) {
    for (std::size_t i = 0; i < rows; ++i, matrix += words) {
        int count = 0;
        for (std::size_t w = 0; w < words; ++w) count += std::popcount(mask[w] & matrix[w]);
        counts[i] = static_cast<std::uint32_t>(count);
    }
}

void pack_plain(const PackPlan& plan, const std::uint64_t* row, std::uint64_t* packed) {
    pack_with(plan, row, packed, [](std::uint64_t word, std::uint64_t mask) {
        std::uint64_t bits = 0;
        for (int at = 0; mask != 0; ++at, mask &= mask - 1)
            bits |= ((word >> std::countr_zero(mask)) & 1) << at;
        return bits;
    });
}

#ifdef DAGSCAPE_X86

/// Counts bits by looking up half bytes (Muła, Kurz and Lemire 2018).
__attribute__((target("avx2"))) inline __m256i byte_counts(__m256i bits) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                                           2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
}

__attribute__((target("avx2,bmi2,popcnt"))) void and_counts_avx2(const std::uint64_t* mask,
                                                                 const std::uint64_t* matrix,
                                                                 std::size_t rows, std::size_t words,
                                                                 std::uint32_t* counts) {
    for (std::size_t i = 0; i < rows; ++i, matrix += words) {
        __m256i sums = _mm256_setzero_si256();
        std::size_t w = 0;
        for (; w + 4 <= words; w += 4) {
            const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask + w));
            const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(matrix + w));
            sums = _mm256_add_epi64(
                sums, _mm256_sad_epu8(byte_counts(_mm256_and_si256(a, b)), _mm256_setzero_si256()));
        }
        std::uint64_t count = static_cast<std::uint64_t>(_mm256_extract_epi64(sums, 0)) +
                              static_cast<std::uint64_t>(_mm256_extract_epi64(sums, 1)) +
                              static_cast<std::uint64_t>(_mm256_extract_epi64(sums, 2)) +
                              static_cast<std::uint64_t>(_mm256_extract_epi64(sums, 3));
        for (; w < words; ++w) count += static_cast<std::uint64_t>(_mm_popcnt_u64(mask[w] & matrix[w]));
        counts[i] = static_cast<std::uint32_t>(count);
    }
}

__attribute__((target("avx2,bmi2,popcnt"))) void pack_bmi2(const PackPlan& plan, const std::uint64_t* row,
                                                           std::uint64_t* packed) {
    pack_with(plan, row, packed,
              [](std::uint64_t word, std::uint64_t mask) __attribute__((target("avx2,bmi2,popcnt"))) {
                  return static_cast<std::uint64_t>(_pext_u64(word, mask));
              });
}

#define DAGSCAPE_AVX512 \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi2,popcnt")))

/// Up to eight words of a row.
DAGSCAPE_AVX512 inline __m512i common_bits(const std::uint64_t* a, const std::uint64_t* b, __mmask8 lanes) {
    return _mm512_popcnt_epi64(
        _mm512_and_si512(_mm512_maskz_loadu_epi64(lanes, a), _mm512_maskz_loadu_epi64(lanes, b)));
}

DAGSCAPE_AVX512 void and_counts_avx512(const std::uint64_t* mask, const std::uint64_t* matrix,
                                       std::size_t rows, std::size_t words, std::uint32_t* counts) {
    const std::size_t whole = words / 8 * 8;
    const auto tail = static_cast<__mmask8>((1u << (words - whole)) - 1);
    std::size_t i = 0;
    // Four rows at a time: the mask is loaded once for them, and their sums are folded together.
    for (; i + 4 <= rows; i += 4) {
        const std::uint64_t* r0 = matrix + i * words;
        const std::uint64_t* r1 = r0 + words;
        const std::uint64_t* r2 = r1 + words;
        const std::uint64_t* r3 = r2 + words;
        __m512i s0 = common_bits(mask + whole, r0 + whole, tail);
        __m512i s1 = common_bits(mask + whole, r1 + whole, tail);
        __m512i s2 = common_bits(mask + whole, r2 + whole, tail);
        __m512i s3 = common_bits(mask + whole, r3 + whole, tail);
        for (std::size_t w = 0; w < whole; w += 8) {
            const __m512i m = _mm512_loadu_si512(mask + w);
            s0 = _mm512_add_epi64(s0, _mm512_popcnt_epi64(_mm512_and_si512(m, _mm512_loadu_si512(r0 + w))));
            s1 = _mm512_add_epi64(s1, _mm512_popcnt_epi64(_mm512_and_si512(m, _mm512_loadu_si512(r1 + w))));
            s2 = _mm512_add_epi64(s2, _mm512_popcnt_epi64(_mm512_and_si512(m, _mm512_loadu_si512(r2 + w))));
            s3 = _mm512_add_epi64(s3, _mm512_popcnt_epi64(_mm512_and_si512(m, _mm512_loadu_si512(r3 + w))));
        }
        // Counts fit 32 bits: interleave the sums of two rows, then add halves until one vector of four is
        // left.
        const __m512i s01 = _mm512_or_si512(s0, _mm512_slli_epi64(s1, 32));
        const __m512i s23 = _mm512_or_si512(s2, _mm512_slli_epi64(s3, 32));
        const __m512i even = _mm512_unpacklo_epi64(s01, s23);
        const __m512i odd = _mm512_unpackhi_epi64(s01, s23);
        const __m512i sums = _mm512_add_epi32(even, odd);
        const __m256i half =
            _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
        const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(counts + i), four);
    }
    for (; i < rows; ++i) {
        const std::uint64_t* row = matrix + i * words;
        __m512i sums = common_bits(mask + whole, row + whole, tail);
        for (std::size_t w = 0; w < whole; w += 8)
            sums = _mm512_add_epi64(sums, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(mask + w),
                                                                               _mm512_loadu_si512(row + w))));
        counts[i] = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sums));
    }
}

#endif

}  // namespace

const BitKernels& bit_kernels(Instructions instructions) {
    static constexpr BitKernels plain{and_counts_plain, pack_plain};
#ifdef DAGSCAPE_X86
    static constexpr BitKernels avx2{and_counts_avx2, pack_bmi2};
    static constexpr BitKernels avx512{and_counts_avx512, pack_bmi2};
    if (instructions == Instructions::avx512) return avx512;
    if (instructions == Instructions::avx2) return avx2;
#else
    (void)instructions;
#endif
    return plain;
}

double word_cost(Instructions instructions) { return instructions == Instructions::plain ? 4.0 : 0.12; }

}  // namespace dagscape
