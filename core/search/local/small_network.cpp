#include "search/local/small_network.hpp"

#include <bit>
#include <cmath>

namespace dagscape {

namespace {

using Set = SmallNetwork::Set;

Set lowest(Set set) { return set & (~set + 1); }
std::size_t place_of(Set one) { return static_cast<std::size_t>(std::countr_zero(one)); }
std::size_t size(Set set) { return static_cast<std::size_t>(std::popcount(set)); }

/// The set with its bit `last` moved to where `place` is.
Set in_order(Set set, std::size_t last, std::size_t place) {
    const Set below = (Set{1} << place) - 1, base = set & ~(Set{1} << last);
    return (base & below) | (base & ~below) << 1 | (set >> last & 1) << place;
}

}  // namespace

/// `place` is the base's size where there is no other variable.
bool SmallNetwork::better(const Choice& a, const Choice& b, std::size_t place) const {
    const double gain = a.score - b.score;
    if (std::abs(gain) > limits_.tolerance) return gain > 0;
    if (size(a.parents) != size(b.parents)) return size(a.parents) < size(b.parents);
    return in_order(a.parents, variables_, place) < in_order(b.parents, variables_, place);
}

void SmallNetwork::set_base(std::span<const double> joint, std::size_t variables, const ParentRules& limits) {
    variables_ = variables;
    limits_ = limits;
    const Set count = Set{1} << variables;
    joint_.assign(joint.begin(), joint.begin() + count);
    choices_.resize((variables + 1) * std::size_t{count} * 2);
    scores_.resize(std::size_t{count} * 2);
    last_.resize(std::size_t{count} * 2);
    for (std::size_t x = 0; x < variables; ++x) {
        Choice* const choice = choices(x);
        const Set self = Set{1} << x;
        choice[0] = {joint[self] - joint[0], 0};
        for (Set available = 1; available < count; ++available) {
            if (available & self) continue;
            Choice here = choice[available & ~lowest(available)];
            for (Set rest = available & (available - 1); rest != 0; rest &= rest - 1) {
                const Choice& fewer = choice[available & ~lowest(rest)];
                if (better(fewer, here, variables_)) here = fewer;
            }
            if (size(available) <= limits.max_parents) {
                const double own = joint[available | self] - joint[available];
                if (own > here.score + limits.tolerance) here = {own, available};
            }
            choice[available] = here;
        }
    }
    scores_[0] = 0;
    for (Set set = 1; set < count; ++set) {
        for (Set rest = set; rest != 0; rest &= rest - 1) {
            const std::size_t x = place_of(rest);
            const Set before = set & ~lowest(rest);
            const double score = scores_[before] + choices(x)[before].score;
            if (rest != set && score <= scores_[set] + limits.tolerance) continue;
            scores_[set] = score;
            last_[set] = static_cast<std::uint8_t>(x);
        }
    }
}

std::span<const Set> SmallNetwork::best() { return follow(all(), 0); }

std::span<const Set> SmallNetwork::best_with(std::span<const double> joint, std::size_t place, Set partners) {
    const Set tried = Set{1} << variables_;
    for (Set rest = partners; rest != 0; rest &= rest - 1) choose_with(joint, place_of(rest), place);
    choose_for_tried(joint, place, partners);
    const Choice* const own = choices(variables_);
    for (Set set = 0; set < tried; ++set) {
        double best = scores_[set] + own[set & partners].score;
        std::size_t last = variables_;
        for (Set rest = set; rest != 0; rest &= rest - 1) {
            const std::size_t x = place_of(rest);
            const Set before = set & ~lowest(rest);
            const Set seen = partners >> x & 1 ? before | tried : before;
            const double score = scores_[before | tried] + choices(x)[seen].score;
            // A tie goes to the lower variable, and those of the base come in their order.
            const bool lower = last == variables_ && x < place && score >= best - limits_.tolerance;
            if (!lower && score <= best + limits_.tolerance) continue;
            best = score;
            last = x;
        }
        scores_[set | tried] = best;
        last_[set | tried] = static_cast<std::uint8_t>(last);
    }
    return follow(all() | tried, partners);
}

/// What x has where the variable that is tried is available too.
void SmallNetwork::choose_with(std::span<const double> joint, std::size_t x, std::size_t place) {
    Choice* const choice = choices(x);
    const Set self = Set{1} << x, tried = Set{1} << variables_;
    for (Set available = 0; available < tried; ++available) {
        if (available & self) continue;
        Choice here = choice[available];
        for (Set rest = available; rest != 0; rest &= rest - 1) {
            const Choice& fewer = choice[(available & ~lowest(rest)) | tried];
            if (better(fewer, here, place)) here = fewer;
        }
        if (size(available) < limits_.max_parents && !std::isnan(joint[available | self])) {
            const double own = joint[available | self] - joint[available];
            if (own > here.score + limits_.tolerance) here = {own, available | tried};
        }
        choice[available | tried] = here;
    }
}

/// What the variable that is tried has among its partners.
void SmallNetwork::choose_for_tried(std::span<const double> joint, std::size_t place, Set partners) {
    Choice* const choice = choices(variables_);
    choice[0] = {joint[0] - joint_[0], 0};
    for (Set available = lowest(partners); available != 0; available = (available - partners) & partners) {
        Choice here = choice[available & ~lowest(available)];
        for (Set rest = available & (available - 1); rest != 0; rest &= rest - 1) {
            const Choice& fewer = choice[available & ~lowest(rest)];
            if (better(fewer, here, place)) here = fewer;
        }
        if (size(available) <= limits_.max_parents && !std::isnan(joint[available])) {
            const double own = joint[available] - joint_[available];
            if (own > here.score + limits_.tolerance) here = {own, available};
        }
        choice[available] = here;
    }
}

/// From the whole set back to none.
std::span<const Set> SmallNetwork::follow(Set set, Set partners) {
    const Set tried = Set{1} << variables_;
    parents_.assign(variables_ + (set > all()), 0);
    while (set != 0) {
        const std::size_t x = last_[set];
        set &= ~(Set{1} << x);
        const Set seen = x == variables_ ? set & partners : partners >> x & 1 ? set : set & ~tried;
        parents_[x] = choices(x)[seen].parents;
    }
    return parents_;
}

}  // namespace dagscape
