#include "search/exact/integer_program/set_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "clones.hpp"

namespace dagscape {

namespace {

using Word = SetColumns::Word;

/// Sets looked at together: few enough that what is noted of them stays near.
constexpr std::size_t block = 512;

DAGSCAPE_CLONES void note_common(const Word* __restrict words, Word mask, std::size_t count,
                                 Word* __restrict common) {
    for (std::size_t at = 0; at < count; ++at) common[at] |= words[at] & mask;
}

DAGSCAPE_CLONES void take_where_none(const Word* __restrict common, double amount, std::size_t count,
                                     double* __restrict costs) {
    for (std::size_t at = 0; at < count; ++at) costs[at] -= common[at] == 0 ? amount : 0.0;
}

DAGSCAPE_CLONES double least_where_none(const Word* __restrict common, std::size_t count,
                                        const double* __restrict costs, double least) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> leasts;
    leasts.fill(least);
    std::size_t at = 0;
    for (; at + lanes <= count; at += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double cost =
                common[at + lane] == 0 ? costs[at + lane] : std::numeric_limits<double>::infinity();
            leasts[lane] = cost < leasts[lane] ? cost : leasts[lane];
        }
    for (; at < count; ++at)
        if (common[at] == 0 && costs[at] < leasts[0]) leasts[0] = costs[at];
    for (const double other : leasts) least = other < least ? other : least;
    return least;
}

DAGSCAPE_CLONES void note_member(const Word* __restrict words, unsigned bit, unsigned to, std::size_t count,
                                 Word* __restrict among) {
    for (std::size_t at = 0; at < count; ++at) among[at] |= (words[at] >> bit & 1) << to;
}

DAGSCAPE_CLONES void take_from_table(const Word* __restrict among, const double* __restrict table,
                                     double times, std::size_t count, double* __restrict costs) {
    for (std::size_t at = 0; at < count; ++at) costs[at] -= times * table[among[at]];
}

}  // namespace

SetColumns::SetColumns(const BitRows& rows, std::size_t count) : size_(count), words_(rows.width()) {
    for (std::size_t i = 0; i < width(); ++i) {
        words_[i].resize(count);
        for (std::size_t at = 0; at < count; ++at) words_[i][at] = rows[at][i];
    }
}

void SetColumns::keep(std::span<const std::uint32_t> places) {
    for (std::vector<Word>& words : words_) {
        for (std::size_t at = 0; at < places.size(); ++at) words[at] = words[places[at]];
        words.resize(places.size());
    }
    size_ = places.size();
}

void SetColumns::take_apart(const Word* mask, double amount, std::span<double> costs) const {
    std::array<Word, block> common;
    for (std::size_t from = 0; from < costs.size(); from += block) {
        const std::size_t count = std::min(block, costs.size() - from);
        std::fill_n(common.begin(), count, 0);
        for (std::size_t i = 0; i < width(); ++i)
            if (mask[i] != 0) note_common(words_[i].data() + from, mask[i], count, common.data());
        take_where_none(common.data(), amount, count, costs.data() + from);
    }
}

double SetColumns::least_apart(const Word* mask, std::span<const double> costs) const {
    std::array<Word, block> common;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t from = 0; from < costs.size(); from += block) {
        const std::size_t count = std::min(block, costs.size() - from);
        std::fill_n(common.begin(), count, 0);
        for (std::size_t i = 0; i < width(); ++i)
            if (mask[i] != 0) note_common(words_[i].data() + from, mask[i], count, common.data());
        least = least_where_none(common.data(), count, costs.data() + from, least);
    }
    return least;
}

void SetColumns::take_fewer(const Word* mask, std::uint32_t least, double amount,
                            std::span<double> costs) const {
    for (std::size_t at = 0; at < costs.size(); ++at) {
        std::uint32_t members = 0;
        for (std::size_t i = 0; i < width(); ++i)
            members += static_cast<std::uint32_t>(std::popcount(words_[i][at] & mask[i]));
        if (members < least) costs[at] -= amount;
    }
}

void SetColumns::take_by_members(std::span<const Var> members, std::span<const double> table, double times,
                                 std::span<double> costs) const {
    std::array<Word, block> among;
    for (std::size_t from = 0; from < costs.size(); from += block) {
        const std::size_t count = std::min(block, costs.size() - from);
        std::fill_n(among.begin(), count, 0);
        for (unsigned i = 0; i < members.size(); ++i)
            note_member(words_[members[i] / 64].data() + from, members[i] % 64, i, count, among.data());
        take_from_table(among.data(), table.data(), times, count, costs.data() + from);
    }
}

}  // namespace dagscape
