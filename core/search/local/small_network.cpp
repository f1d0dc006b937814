#include "search/local/small_network.hpp"

#include <bit>
#include <cassert>

namespace dagscape {

namespace {

bool sparser(SmallNetwork::Set a, SmallNetwork::Set b) {
    const int more = std::popcount(a) - std::popcount(b);
    return more != 0 ? more < 0 : a < b;
}

}  // namespace

std::span<const SmallNetwork::Set> SmallNetwork::best(std::span<const double> joint, std::size_t variables,
                                                      std::size_t max_parents, double tolerance) {
    assert(variables <= most);
    const Set count = Set{1} << variables;
    if (choices_.size() < variables * count) choices_.resize(variables * count);
    if (scores_.size() < count) {
        scores_.resize(count);
        last_.resize(count);
    }
    for (std::size_t x = 0; x < variables; ++x) {
        Choice* const choice = &choices_[x * count];
        const Set self = Set{1} << x;
        choice[0] = {joint[self] - joint[0], 0};
        for (Set available = 1; available < count; ++available) {
            if (available & self) continue;
            Choice here{0, 0};
            bool first = true;
            for (Set rest = available; rest != 0; rest &= rest - 1) {
                const Choice& without = choice[available & ~(rest & (~rest + 1))];
                const double gain = without.score - here.score;
                if (first || gain > tolerance ||
                    (gain >= -tolerance && sparser(without.parents, here.parents)))
                    here = without;
                first = false;
            }
            if (static_cast<std::size_t>(std::popcount(available)) <= max_parents) {
                const double all = joint[available | self] - joint[available];
                if (all > here.score + tolerance) here = {all, available};
            }
            choice[available] = here;
        }
    }
    scores_[0] = 0;
    for (Set set = 1; set < count; ++set) {
        bool first = true;
        for (Set rest = set; rest != 0; rest &= rest - 1) {
            const auto x = static_cast<std::size_t>(std::countr_zero(rest));
            const Set before = set & ~(Set{1} << x);
            const double score = scores_[before] + choices_[x * count + before].score;
            if (!first && score <= scores_[set] + tolerance) continue;
            first = false;
            scores_[set] = score;
            last_[set] = static_cast<std::uint8_t>(x);
        }
    }
    parents_.assign(variables, 0);
    for (Set set = count - 1; set != 0;) {
        const std::size_t x = last_[set];
        set &= ~(Set{1} << x);
        parents_[x] = choices_[x * count + set].parents;
    }
    return parents_;
}

}  // namespace dagscape
