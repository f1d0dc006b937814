#include "posterior/chains/member_columns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "clones.hpp"

namespace dagscape {

namespace {

DAGSCAPE_CLONES void unite_columns(const std::uint64_t* columns, const Var* having, std::size_t count,
                                   std::uint64_t* found) {
    std::uint64_t united[MemberColumns::block_words] = {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t* column = columns + having[i] * MemberColumns::block_words;
        for (std::size_t w = 0; w < MemberColumns::block_words; ++w) united[w] |= column[w];
    }
    for (std::size_t w = 0; w < MemberColumns::block_words; ++w) found[w] = united[w];
}

}  // namespace

MemberColumns::MemberColumns(std::size_t sets, std::size_t variables)
    : sets_(sets), variables_(variables), words_(blocks() * variables * block_words) {}

double MemberColumns::bytes_for(std::size_t sets, std::size_t variables) {
    return std::ceil(static_cast<double>(sets) / block) * block * static_cast<double>(variables) / 8;
}

void MemberColumns::put(std::size_t set, Members members) {
    std::uint64_t* words = &words_[set / block * variables_ * block_words + set % block / 64];
    for (const Var v : members) words[v * block_words] |= std::uint64_t{1} << (set % 64);
}

void MemberColumns::unite(std::size_t number, Members having, Block& found) const {
    unite_columns(&words_[number * variables_ * block_words], having.data(), having.size(), found.data());
}

std::size_t MemberColumns::first_without(Var v) const {
    for (std::size_t b = 0; b < blocks(); ++b)
        for (std::size_t w = 0; w < block_words; ++w)
            if (const std::uint64_t lacking = ~words_[(b * variables_ + v) * block_words + w]; lacking != 0)
                return std::min(sets_,
                                b * block + w * 64 + static_cast<std::size_t>(std::countr_zero(lacking)));
    return sets_;
}

}  // namespace dagscape
