#include "posterior/chains/allowed_sets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "infinity.hpp"

namespace dagscape {

namespace {}  // namespace

void AllowedSets::read(const WeightedList& list, Members forbidden) {
    taken_.clear();
    MemberColumns::Block hit;
    for (std::size_t number = 0; number < list.columns().blocks(); ++number) {
        const std::size_t first = number * MemberColumns::block;
        list.columns().unite(number, forbidden, hit);
        for (std::size_t w = 0; w < MemberColumns::block_words; ++w) {
            const std::size_t begin = first + w * 64;
            if (begin >= list.size()) return;
            for (std::uint64_t sets = ~hit[w]; sets != 0; sets &= sets - 1) {
                const std::size_t place = begin + static_cast<std::size_t>(std::countr_zero(sets));
                if (place >= list.size() || list.log_weight(place) == -infinity) return;  // as all after it
                if (taken_.empty()) reference_ = list.log_weight(place);
                const double before = taken_.empty() ? 0.0 : taken_.back().below;
                taken_.push_back({static_cast<std::uint32_t>(place),
                                  before + std::exp(list.log_weight(place) - reference_)});
            }
            if (enough(list, std::min(list.size(), begin + 64))) return;
        }
    }
}

bool AllowedSets::enough(const WeightedList& list, std::size_t end) const {
    return !taken_.empty() && list.log_tail(end) - reference_ <= std::log(open_share_ * taken_.back().below);
}

double AllowedSets::log_sum() const {
    return taken_.empty() ? -infinity : reference_ + std::log(taken_.back().below);
}

bool AllowedSets::has(std::uint32_t place) const {
    const auto found = std::ranges::lower_bound(taken_, place, {}, &Taken::place);
    return found != taken_.end() && found->place == place;
}

std::uint32_t AllowedSets::draw(Random& random) const {
    const double reached = random.unit() * taken_.back().below;
    // A set whose weight rounds to nothing beside those before it is never drawn.
    return std::ranges::upper_bound(taken_.begin(), taken_.end() - 1, reached, {}, &Taken::below)->place;
}

}  // namespace dagscape
