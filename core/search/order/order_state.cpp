#include "search/order/order_state.hpp"

#include <algorithm>
#include <numeric>

namespace dagscape {

namespace {

void insert(std::vector<std::uint64_t>& set, Var v) { set[v / 64] |= std::uint64_t{1} << (v % 64); }
void erase(std::vector<std::uint64_t>& set, Var v) { set[v / 64] &= ~(std::uint64_t{1} << (v % 64)); }

}  // namespace

OrderState::OrderState(const OrderLists& lists, std::vector<Var> order)
    : lists_(lists),
      before_(lists.words()),
      mover_(lists.words()),
      start_(lists.words()),
      is_changed_(lists.variables()) {
    now_.positions.resize(lists.variables());
    now_.places.resize(lists.variables());
    set(std::move(order));
}

void OrderState::set(std::vector<Var> order) {
    now_.order.clear();
    std::fill(before_.begin(), before_.end(), 0);
    std::vector<Var> waiting;
    for (const Var v : order) {
        if (lists_.first_fit(v, 0, before_.data()) == lists_.sets(v)) {
            waiting.push_back(v);
            continue;
        }
        std::size_t at = now_.order.size();
        append(v);
        // Who waits can come when one came that it was waiting for; that may be what others waited for.
        for (; !waiting.empty() && at < now_.order.size(); ++at) {
            const Var came = now_.order[at];
            const auto still = std::stable_partition(waiting.begin(), waiting.end(), [&](Var w) {
                return lists_.better_with(w, came, lists_.sets(w), before_.data()) == lists_.sets(w);
            });
            for (auto w = still; w != waiting.end(); ++w) append(*w);
            waiting.erase(still, waiting.end());
        }
    }
    for (const Var v : waiting) append(v);
    forget_changes();
}

void OrderState::append(Var v) {
    now_.positions[v] = now_.order.size();
    now_.order.push_back(v);
    now_.places[v] = lists_.first_fit(v, 0, before_.data());
    insert(before_, v);
}

double OrderState::score() const {
    double sum = 0;
    for (std::size_t v = 0; v < now_.places.size(); ++v)
        sum += lists_.score(static_cast<Var>(v), now_.places[v]);
    return sum;
}

void OrderState::forget_changes() {
    for (const Var v : changed_) is_changed_[v] = false;
    changed_.clear();
}

void OrderState::mark(Var v) {
    if (is_changed_[v]) return;
    is_changed_[v] = true;
    changed_.push_back(v);
}

void OrderState::place(Var v, std::uint32_t place) {
    if (place == now_.places[v]) return;
    now_.places[v] = place;
    mark(v);
}

void OrderState::fill_before(std::size_t position) {
    std::fill(before_.begin(), before_.end(), 0);
    for (std::size_t at = 0; at < position; ++at) insert(before_, now_.order[at]);
}

void OrderState::move(std::size_t from, std::size_t to) {
    if (from == to) return;
    std::vector<Var>& order = now_.order;
    const Var v = order[from];
    fill_before(from);
    mark(v);
    // Each variable passed gains v before it, or loses it; `before_` is all but v that is before the pair.
    if (to < from) {
        for (std::size_t at = from; at-- > to;) {
            const Var passed = order[at];
            erase(before_, passed);
            insert(before_, v);
            place(passed, lists_.better_with(passed, v, now_.places[passed], before_.data()));
            erase(before_, v);
            order[at + 1] = passed;
            now_.positions[passed] = at + 1;
        }
    } else {
        for (std::size_t at = from + 1; at <= to; ++at) {
            const Var passed = order[at];
            if (lists_.contains(passed, now_.places[passed], v))
                place(passed, lists_.first_fit(passed, now_.places[passed] + 1, before_.data()));
            insert(before_, passed);
            order[at - 1] = passed;
            now_.positions[passed] = at - 1;
        }
    }
    order[to] = v;
    now_.positions[v] = to;
    place(v, lists_.first_fit(v, 0, before_.data()));
}

double OrderState::swap_gain(std::size_t at) {
    const Var first = now_.order[at], second = now_.order[at + 1];
    const std::uint32_t of_first = now_.places[first], of_second = now_.places[second];
    fill_before(at);
    double gain = 0;
    if (lists_.contains(second, of_second, first))
        gain += lists_.score(second, lists_.first_fit(second, of_second + 1, before_.data())) -
                lists_.score(second, of_second);
    insert(before_, second);
    gain += lists_.score(first, lists_.better_with(first, second, of_first, before_.data())) -
            lists_.score(first, of_first);
    ++swaps_;
    return gain;
}

bool OrderState::improve(Var v) {
    const std::vector<Var>& order = now_.order;
    const std::size_t start = now_.positions[v];
    std::size_t target = start;
    double most = least_gain;
    fill_before(start);
    start_ = before_;

    // To the left: `before_` is what stays before the pair, to which the one passed gains v.
    mover_ = start_;
    double gain = 0;
    std::uint32_t own = now_.places[v];
    for (std::size_t at = start; at-- > 0;) {
        const Var passed = order[at];
        erase(before_, passed);
        erase(mover_, passed);
        insert(before_, v);
        const std::uint32_t old = now_.places[passed];
        const std::uint32_t now = lists_.better_with(passed, v, old, before_.data());
        erase(before_, v);
        if (now != old) gain += lists_.score(passed, now) - lists_.score(passed, old);
        if (lists_.contains(v, own, passed)) {
            const std::uint32_t next = lists_.first_fit(v, own + 1, mover_.data());
            gain += lists_.score(v, next) - lists_.score(v, own);
            own = next;
        }
        ++swaps_;
        if (gain > most) most = gain, target = at;
    }

    // To the right: the one passed loses v, which gains it.
    before_ = start_;
    mover_ = start_;
    gain = 0;
    own = now_.places[v];
    for (std::size_t at = start + 1; at < order.size(); ++at) {
        const Var passed = order[at];
        const std::uint32_t old = now_.places[passed];
        if (lists_.contains(passed, old, v)) {
            const std::uint32_t now = lists_.first_fit(passed, old + 1, before_.data());
            gain += lists_.score(passed, now) - lists_.score(passed, old);
        }
        insert(before_, passed);
        insert(mover_, passed);
        const std::uint32_t next = lists_.better_with(v, passed, own, mover_.data());
        if (next != own) gain += lists_.score(v, next) - lists_.score(v, own);
        own = next;
        ++swaps_;
        if (gain > most) most = gain, target = at;
    }
    if (target == start) return false;
    move(start, target);
    return true;
}

bool OrderState::improve_block(std::size_t start, std::size_t length, std::size_t within) {
    const std::vector<Var>& order = now_.order;
    const std::size_t end = start + length;
    const auto begin_own = [&] {
        own_.clear();
        for (std::size_t at = start; at < end; ++at) own_.push_back(now_.places[order[at]]);
    };
    std::size_t target = start;
    double most = least_gain;
    fill_before(start);
    start_ = before_;

    // To the left: the one passed gains all of the block, which loses it. `before_` is what stays before it.
    double gain = 0;
    begin_own();
    for (std::size_t at = start; at-- > 0 && start - at <= within;) {
        const Var passed = order[at];
        erase(before_, passed);
        mover_ = before_;
        const std::uint32_t old = now_.places[passed];
        std::uint32_t now = old;
        for (std::size_t i = 0; i < length; ++i, ++swaps_) {
            const Var v = order[start + i];
            if (lists_.contains(v, own_[i], passed)) {
                const std::uint32_t next = lists_.first_fit(v, own_[i] + 1, mover_.data());
                gain += lists_.score(v, next) - lists_.score(v, own_[i]);
                own_[i] = next;
            }
            insert(mover_, v);
            now = lists_.better_with(passed, v, now, mover_.data());
        }
        if (now != old) gain += lists_.score(passed, now) - lists_.score(passed, old);
        if (gain > most) most = gain, target = at;
    }

    // To the right: the one passed loses all of the block, which gains it.
    before_ = start_;
    gain = 0;
    begin_own();
    for (std::size_t at = end; at < order.size() && at - end < within; ++at) {
        const Var passed = order[at];
        const std::uint32_t old = now_.places[passed];
        bool loses = false;
        for (std::size_t i = 0; i < length; ++i)
            loses = loses || lists_.contains(passed, old, order[start + i]);
        if (loses) {
            const std::uint32_t now = lists_.first_fit(passed, old + 1, before_.data());
            gain += lists_.score(passed, now) - lists_.score(passed, old);
        }
        insert(before_, passed);
        mover_ = before_;
        for (std::size_t i = 0; i < length; ++i, ++swaps_) {
            const Var v = order[start + i];
            const std::uint32_t next = lists_.better_with(v, passed, own_[i], mover_.data());
            if (next != own_[i]) gain += lists_.score(v, next) - lists_.score(v, own_[i]);
            own_[i] = next;
            insert(mover_, v);
        }
        if (gain > most) most = gain, target = at - length + 1;
    }
    if (target == start) return false;
    for (std::size_t i = 0; i < length; ++i) {
        const std::size_t which = target < start ? i : length - 1 - i;  // those in front go first
        move(start + which, target + which);
    }
    return true;
}

bool OrderState::improve_blocks(Random& random, Control& control) {
    const std::size_t n = now_.order.size();
    std::vector<std::size_t> turn(n);
    std::iota(turn.begin(), turn.end(), std::size_t{0});
    bool gained = false;
    for (std::size_t length = 2; length <= longest_block && !gained; ++length) {
        random.shuffle(turn);
        for (std::size_t i = 0; i < n && (i % 16 != 15 || !control.stopped()); ++i)
            if (turn[i] + length <= n) gained = improve_block(turn[i], length, reach) || gained;
    }
    return gained;
}

void OrderState::settle(Random& random, Control& control) {
    std::vector<Var> turn;
    while (!changed_.empty() && !control.stopped()) {
        turn.assign(changed_.begin(), changed_.end());
        forget_changes();
        random.shuffle(turn);
        for (std::size_t i = 0; i < turn.size() && (i % 64 != 63 || !control.stopped()); ++i)
            improve(turn[i]);
    }
}

void OrderState::climb(Random& random, Control& control, bool blocks) {
    std::vector<Var> turn(now_.order.size());
    std::iota(turn.begin(), turn.end(), Var{0});
    for (bool gained = true; gained && !control.stopped();) {
        gained = false;
        random.shuffle(turn);
        for (std::size_t i = 0; i < turn.size() && (i % 64 != 63 || !control.stopped()); ++i)
            gained = improve(turn[i]) || gained;
        settle(random, control);
        if (!gained && blocks) {
            forget_changes();
            gained = improve_blocks(random, control);
            if (gained) settle(random, control);
        }
    }
}

}  // namespace dagscape
