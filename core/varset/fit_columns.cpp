#include "varset/fit_columns.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "clones.hpp"

namespace dagscape {

namespace {

constexpr std::size_t words = FitColumns::block / 64;
constexpr std::size_t most_size_bits = 9;  // sets of up to 256

/// A column of a block, in as few registers as the machine can have it.
using Column = std::uint64_t __attribute__((vector_size(words * sizeof(std::uint64_t))));

/// What is searched, and where.
struct Query {
    const std::uint64_t* data;
    std::size_t columns, sizes, size_bits;  // `sizes`: the first column of them
    std::size_t needed;                     // a column, or none if it is `columns`
    const std::uint16_t* listed;            // columns of the variables absent, or available
    std::size_t count;
    std::uint32_t from, end;
};

/// The first set of a block that is not struck out and not before `from`; the end of the block if none.
inline __attribute__((always_inline)) std::uint32_t first_left(const Column& struck, std::uint32_t begin,
                                                               std::uint32_t from) {
    std::uint64_t out[words];
    std::memcpy(out, &struck, sizeof out);
    for (std::size_t w = 0; w < words; ++w) {
        const std::uint32_t first = begin + static_cast<std::uint32_t>(w) * 64;
        if (first < from)
            out[w] |= from - first >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (from - first)) - 1;
        if (out[w] != ~std::uint64_t{0}) return first + static_cast<std::uint32_t>(std::countr_one(out[w]));
    }
    return begin + FitColumns::block;
}

DAGSCAPE_CLONES std::uint32_t without_absent(const Query& query) {
    for (std::uint32_t begin = query.from / FitColumns::block * FitColumns::block; begin < query.end;
         begin += FitColumns::block) {
        const std::uint64_t* base = query.data + begin / FitColumns::block * query.columns * words;
        Column struck = {}, column;
        if (query.needed < query.columns) {
            std::memcpy(&column, base + query.needed * words, sizeof column);
            struck = ~column;
        }
        for (std::size_t i = 0; i < query.count; ++i) {
            std::memcpy(&column, base + query.listed[i] * words, sizeof column);
            struck |= column;
        }
        const std::uint32_t found = first_left(struck, begin, query.from);
        if (found < begin + FitColumns::block) return std::min(found, query.end);
    }
    return query.end;
}

DAGSCAPE_CLONES std::uint32_t within_available(const Query& query) {
    for (std::uint32_t begin = query.from / FitColumns::block * FitColumns::block; begin < query.end;
         begin += FitColumns::block) {
        const std::uint64_t* base = query.data + begin / FitColumns::block * query.columns * words;
        Column left[most_size_bits], column;
        for (std::size_t bit = 0; bit < query.size_bits; ++bit)
            std::memcpy(&left[bit], base + (query.sizes + bit) * words, sizeof column);
        for (std::size_t i = 0; i < query.count; ++i) {
            std::memcpy(&column, base + query.listed[i] * words, sizeof column);
            for (std::size_t bit = 0; bit < query.size_bits; ++bit) {
                const Column before = left[bit];
                left[bit] = before ^ column;
                column &= ~before;  // borrowed from the next
            }
        }
        Column struck = {};
        if (query.needed < query.columns) {
            std::memcpy(&column, base + query.needed * words, sizeof column);
            struck = ~column;
        }
        for (std::size_t bit = 0; bit < query.size_bits; ++bit) struck |= left[bit];
        const std::uint32_t found = first_left(struck, begin, query.from);
        if (found < begin + FitColumns::block) return std::min(found, query.end);
    }
    return query.end;
}

}  // namespace

FitColumns::FitColumns(std::size_t variables, std::span<const Var> occurring, std::size_t largest,
                       std::size_t sets)
    : columns_(occurring.size() + std::bit_width(largest)),
      size_bits_(std::bit_width(largest)),
      occurring_count_(occurring.size()),
      occurring_((variables + 63) / 64),
      slots_(variables),
      words_((sets + block - 1) / block * columns_ * block_words) {
    assert(occurring_count_ <= most_variables && size_bits_ <= most_size_bits);
    for (std::size_t slot = 0; slot < occurring.size(); ++slot) {
        occurring_[occurring[slot] / 64] |= std::uint64_t{1} << (occurring[slot] % 64);
        slots_[occurring[slot]] = static_cast<std::uint16_t>(slot);
    }
}

std::size_t FitColumns::bytes_for(std::size_t occurring, std::size_t sets) {
    return (sets + block - 1) / block * (occurring + most_size_bits) * block / 8;
}

void FitColumns::put(std::uint32_t set, std::span<const Var> members) {
    const std::uint64_t mine = std::uint64_t{1} << (set % 64);
    for (const Var v : members) words_[at(set, slots_[v])] |= mine;
    for (std::size_t bit = 0; bit < size_bits_; ++bit)
        if ((members.size() >> bit & 1) != 0) words_[at(set, occurring_count_ + bit)] |= mine;
}

std::uint32_t FitColumns::first_with_column(std::size_t needed, std::uint32_t from, std::uint32_t end,
                                            const std::uint64_t* available) const {
    std::size_t usable = 0;
    for (std::size_t w = 0; w < occurring_.size(); ++w)
        usable += static_cast<std::size_t>(std::popcount(occurring_[w] & available[w]));
    // Counting down is dearer than striking out, and has the sizes to read as well.
    const bool few_usable = 2 * usable + size_bits_ < occurring_count_ - usable;
    std::uint16_t listed[most_variables];
    std::size_t count = 0;
    for (std::size_t w = 0; w < occurring_.size(); ++w)
        for (std::uint64_t left = occurring_[w] & (few_usable ? available[w] : ~available[w]); left != 0;
             left &= left - 1)
            listed[count++] = slots_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
    const Query query{words_.data(), columns_, occurring_count_, size_bits_, needed, listed, count,
                      from,          end};
    return few_usable ? within_available(query) : without_absent(query);
}

std::uint32_t FitColumns::first(std::uint32_t from, std::uint32_t end, const std::uint64_t* available) const {
    return first_with_column(columns_, from, end, available);
}

std::uint32_t FitColumns::first_with(Var needed, std::uint32_t from, std::uint32_t end,
                                     const std::uint64_t* available) const {
    return has(needed) ? first_with_column(slots_[needed], from, end, available) : end;
}

}  // namespace dagscape
