#include "posterior/chains/pattern_scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "clones.hpp"
#include "infinity.hpp"

namespace dagscape {

namespace {

using Hits = std::array<MemberColumns::Block, AcyclicPattern::most>;
using Having = std::array<MemberColumns::Block, PatternScan::most_patterns>;

/// For each open pattern the sets of a block that have it; returns which have any.
DAGSCAPE_CLONES std::uint32_t match(const Hits& hit, std::size_t group, std::size_t self, std::uint32_t open,
                                    Having& having) {
    constexpr std::size_t words = MemberColumns::block_words;
    std::uint32_t found = 0;
    for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
        const auto pattern = static_cast<std::size_t>(std::countr_zero(rest));
        std::uint64_t sets[words];
        for (std::size_t w = 0; w < words; ++w) sets[w] = ~hit[self][w];
        for (std::size_t j = 0; j < group; ++j) {
            if (j == self) continue;
            const std::uint64_t flip = (pattern >> j & 1) != 0 ? 0 : ~std::uint64_t{0};
            for (std::size_t w = 0; w < words; ++w) sets[w] &= hit[j][w] ^ flip;
        }
        std::uint64_t any = 0;
        for (std::size_t w = 0; w < words; ++w) any |= sets[w];
        if (any == 0) continue;
        for (std::size_t w = 0; w < words; ++w) having[pattern][w] = sets[w];
        found |= 1U << pattern;
    }
    return found;
}

}  // namespace

void PatternScan::begin(const WeightedList& list, std::span<const std::vector<Var>> below, std::size_t self) {
    list_ = &list;
    group_ = below.size();
    self_ = self;
    find_begins(below);
    std::array<std::uint32_t, AcyclicPattern::most> having{};  // where sets begin that have one of these
    for (std::size_t j = 0; j < group_; ++j) {
        having[j] = static_cast<std::uint32_t>(list.size());
        for (const Var v : below[j]) having[j] = std::min(having[j], list.first_with(v));
    }
    for (std::size_t pattern = 0; pattern < std::size_t{1} << group_; ++pattern) {
        std::uint32_t first = patterns_[pattern].begin;
        for (std::size_t j = 0; j < group_; ++j)
            if ((pattern >> j & 1) != 0) first = std::max(first, having[j]);
        log_bounds_[pattern] = list.log_tail(first);
        patterns_[pattern] = {log_bounds_[pattern], 0, 1, first, first};
    }
}

void PatternScan::find_begins(std::span<const std::vector<Var>> below) {
    const MemberColumns& best = list_->best_columns();
    std::uint32_t missing = 0;
    for (std::size_t pattern = 0; pattern < std::size_t{1} << group_; ++pattern) {
        patterns_[pattern].begin = static_cast<std::uint32_t>(list_->size());
        if ((pattern >> self_ & 1) == 0) missing |= 1U << pattern;
    }
    for (std::size_t b = 0; b < best.blocks() && missing != 0; ++b) {
        for (std::size_t j = 0; j < group_; ++j) best.unite(b, below[j], hit_[j]);
        for (std::uint32_t rest = missing; rest != 0; rest &= rest - 1) {
            const auto pattern = static_cast<std::size_t>(std::countr_zero(rest));
            for (std::size_t w = 0; w < MemberColumns::block_words; ++w) {
                std::uint64_t forbidden = 0;
                for (std::size_t j = 0; j < group_; ++j)
                    if ((pattern >> j & 1) == 0) forbidden |= hit_[j][w];
                if (forbidden == ~std::uint64_t{0}) continue;
                const std::size_t at = b * MemberColumns::block + w * 64 +
                                       static_cast<std::size_t>(std::countr_zero(~forbidden));
                if (at < best.size()) patterns_[pattern].begin = list_->best_place(at);
                missing &= ~(1U << pattern);
                break;
            }
        }
    }
}

void PatternScan::read(std::span<const std::vector<Var>> below, std::span<const double> least) {
    entries_.clear();
    open_ = 0;
    std::size_t next = list_->size();  // place from which something is to be read
    for (std::size_t pattern = 0; pattern < std::size_t{1} << group_; ++pattern) {
        if (!(log_bounds_[pattern] > least[pattern])) continue;
        open_ |= 1U << pattern;
        next = std::min<std::size_t>(next, patterns_[pattern].begin);
    }
    const std::uint32_t wanted = open_;
    while (open_ != 0 && next < list_->size()) {
        const std::size_t number = next / MemberColumns::block;
        read_block(number, below, least);
        next = list_->size();
        for (std::uint32_t rest = open_; rest != 0; rest &= rest - 1)
            next = std::min<std::size_t>(next,
                                         patterns_[static_cast<std::size_t>(std::countr_zero(rest))].begin);
        next = std::max(next, (number + 1) * MemberColumns::block);
    }
    for (std::uint32_t rest = open_; rest != 0; rest &= rest - 1)
        close(static_cast<std::size_t>(std::countr_zero(rest)), list_->size());
    for (std::uint32_t rest = wanted; rest != 0; rest &= rest - 1) {
        const auto pattern = static_cast<std::size_t>(std::countr_zero(rest));
        const Pattern& p = patterns_[pattern];
        log_bounds_[pattern] = p.reference + std::log(p.sum + p.rest);
    }
}

void PatternScan::read_block(std::size_t number, std::span<const std::vector<Var>> below,
                             std::span<const double> least) {
    const std::size_t first = number * MemberColumns::block;
    const std::size_t end = std::min(list_->size(), first + MemberColumns::block);
    for (std::size_t j = 0; j < group_; ++j) list_->columns().unite(number, below[j], hit_[j]);
    // Beyond the end of the list there are no sets.
    for (std::size_t w = 0; w < MemberColumns::block_words; ++w)
        if (const std::size_t place = first + w * 64; place + 64 > end)
            hit_[self_][w] |= place >= end ? ~std::uint64_t{0} : ~std::uint64_t{0} << (end - place);
    std::uint32_t rest = match(hit_, group_, self_, open_, having_);
    for (; rest != 0; rest &= rest - 1) {
        const auto pattern = static_cast<std::size_t>(std::countr_zero(rest));
        const auto open = [&] { return (open_ >> pattern & 1) != 0; };
        for (std::size_t w = 0; w < MemberColumns::block_words && open(); ++w) {
            for (std::uint64_t sets = having_[pattern][w]; sets != 0 && open(); sets &= sets - 1)
                take(first + w * 64 + static_cast<std::size_t>(std::countr_zero(sets)), pattern);
            if (const std::size_t next = std::min(end, first + w * 64 + 64); open() && enough(pattern, next))
                close(pattern, next);
        }
    }
    // The next blocks may have none of a pattern's sets for long.
    const double after = list_->log_tail(end);
    for (rest = open_; rest != 0; rest &= rest - 1) {
        const auto pattern = static_cast<std::size_t>(std::countr_zero(rest));
        if (after <= least[pattern] || enough(pattern, end)) close(pattern, end);
    }
}

void PatternScan::take(std::size_t place, std::size_t pattern) {
    Pattern& p = patterns_[pattern];
    const double log_weight = list_->log_weight(place);
    if (log_weight == -infinity) {  // as all that follow
        close(pattern, place);
        return;
    }
    const bool first = p.sum == 0;
    if (first) p.reference = log_weight;
    const double weight = std::exp(log_weight - p.reference);
    entries_.push_back({static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(pattern), weight});
    p.sum += weight;
    // Often the first set is all there is to see; after that, logs are taken once for many sets.
    if (first && enough(pattern, place + 1)) close(pattern, place + 1);
}

bool PatternScan::enough(std::size_t pattern, std::size_t end) const {
    const Pattern& p = patterns_[pattern];
    return p.sum > 0 && list_->log_tail(end) - p.reference <= std::log(open_share_ * p.sum);
}

void PatternScan::close(std::size_t pattern, std::size_t end) {
    Pattern& p = patterns_[pattern];
    open_ &= ~(1U << pattern);
    p.end = static_cast<std::uint32_t>(end);
    if (p.sum == 0) p.reference = list_->log_tail(end);
    p.rest = p.reference == -infinity ? 0 : std::exp(list_->log_tail(end) - p.reference);
}

std::uint32_t PatternScan::draw_listed(std::size_t pattern, Random& random) const {
    double left = random.unit() * patterns_[pattern].sum;
    std::uint32_t last = 0;
    for (const Entry& entry : entries_) {
        if (entry.pattern != pattern) continue;
        last = entry.place;
        left -= entry.weight;
        if (left < 0) break;
    }
    return last;
}

std::uint32_t PatternScan::draw_beyond(std::size_t pattern, Random& random) const {
    return static_cast<std::uint32_t>(list_->drawn_from(patterns_[pattern].end, random.unit()));
}

}  // namespace dagscape
