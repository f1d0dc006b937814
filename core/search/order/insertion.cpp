#include "search/order/insertion.hpp"

#include <algorithm>
#include <numeric>

namespace dagscape {

namespace {

/// Gains below this are rounding; following them could go in circles.
constexpr double least_gain = 1e-9;

void insert(std::vector<std::uint64_t>& set, Var v) { set[v / 64] |= std::uint64_t{1} << (v % 64); }
void erase(std::vector<std::uint64_t>& set, Var v) { set[v / 64] &= ~(std::uint64_t{1} << (v % 64)); }

}  // namespace

Insertion::Insertion(const OrderLists& lists, std::vector<Var> order)
    : lists_(lists),
      position_(lists.variables()),
      places_(lists.variables()),
      before_(lists.words()),
      mover_(lists.words()),
      other_(lists.words()) {
    set(std::move(order));
}

void Insertion::set(std::vector<Var> order) {
    order_ = std::move(order);
    evaluate(0, order_.size());
    score_ = 0;
    for (const Var v : order_) score_ += lists_.score(v, places_[v]);
}

void Insertion::evaluate(std::size_t from, std::size_t to) {
    std::fill(before_.begin(), before_.end(), 0);
    for (std::size_t at = 0; at < to; ++at) {
        const Var v = order_[at];
        position_[v] = at;
        if (at >= from) places_[v] = lists_.first_fit(v, 0, lists_.sets(v), before_.data());
        insert(before_, v);
    }
}

void Insertion::move(std::size_t from, std::size_t to) {
    const auto at = [&](std::size_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
    if (from < to)
        std::rotate(at(from), at(from + 1), at(to + 1));
    else
        std::rotate(at(to), at(from), at(from + 1));
    const std::size_t low = std::min(from, to), high = std::max(from, to) + 1;
    for (std::size_t i = low; i < high; ++i) score_ -= lists_.score(order_[i], places_[order_[i]]);
    evaluate(low, high);
    for (std::size_t i = low; i < high; ++i) score_ += lists_.score(order_[i], places_[order_[i]]);
}

bool Insertion::improve(Var v) {
    const std::size_t start = position_[v];
    std::size_t target = start;
    double most = least_gain;
    std::fill(before_.begin(), before_.end(), 0);
    for (std::size_t at = 0; at < start; ++at) insert(before_, order_[at]);
    const std::vector<std::uint64_t>& at_start = other_ = before_;

    // To the left: `before_` is what stays before the pair, to which the other gains v.
    mover_ = at_start;
    double gain = 0;
    std::uint32_t place = places_[v];
    for (std::size_t at = start; at-- > 0;) {
        const Var passed = order_[at];
        erase(before_, passed);
        erase(mover_, passed);
        insert(before_, v);
        const std::uint32_t old = places_[passed], now = lists_.first_fit(passed, 0, old, before_.data());
        erase(before_, v);
        if (now != old) gain += lists_.score(passed, now) - lists_.score(passed, old);
        if (lists_.contains(v, place, passed)) {
            const std::uint32_t next = lists_.first_fit(v, place + 1, lists_.sets(v), mover_.data());
            gain += lists_.score(v, next) - lists_.score(v, place);
            place = next;
        }
        ++swaps_;
        if (gain > most) most = gain, target = at;
    }

    // To the right: the other loses v, which gains it.
    before_ = at_start;
    mover_ = at_start;
    gain = 0;
    place = places_[v];
    for (std::size_t at = start + 1; at < order_.size(); ++at) {
        const Var passed = order_[at];
        const std::uint32_t old = places_[passed];
        if (lists_.contains(passed, old, v)) {
            const std::uint32_t now = lists_.first_fit(passed, old + 1, lists_.sets(passed), before_.data());
            gain += lists_.score(passed, now) - lists_.score(passed, old);
        }
        insert(before_, passed);
        insert(mover_, passed);
        const std::uint32_t next = lists_.first_fit(v, 0, place, mover_.data());
        if (next != place) gain += lists_.score(v, next) - lists_.score(v, place);
        place = next;
        ++swaps_;
        if (gain > most) most = gain, target = at;
    }
    if (target == start) return false;
    move(start, target);
    return true;
}

void Insertion::climb(Random& random, Control& control) {
    std::vector<Var> turn(order_.size());
    std::iota(turn.begin(), turn.end(), Var{0});
    for (bool gained = true; gained && !control.stopped();) {
        gained = false;
        random.shuffle(turn);
        for (const Var v : turn) gained = improve(v) || gained;
    }
}

IteratedClimb iterated_climb(const OrderLists& lists, std::vector<Var> order, std::size_t patience,
                             std::uint64_t most_swaps, std::uint64_t seed, Control& control) {
    Random random(seed);
    Insertion here(lists, std::move(order));
    const std::size_t n = lists.variables();
    here.climb(random, control);
    IteratedClimb best{here.order(), here.places(), here.score(), 0};
    for (std::size_t tries = 0; n > 1 && tries < patience && here.swaps() < most_swaps && !control.stopped();
         ++tries) {
        const std::size_t moved = 2 + random.below(1 + n / 8);
        for (std::size_t i = 0; i < moved; ++i) here.move(random.below(n), random.below(n));
        here.climb(random, control);
        if (here.score() > best.score + least_gain) {
            best = {here.order(), here.places(), here.score(), 0};
            tries = 0;
        } else if (here.score() < best.score - least_gain) {
            here.set(best.order);
        }
    }
    best.swaps = here.swaps();
    return best;
}

}  // namespace dagscape
