#include "search/grown/grown_order.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

/// The order with every variable after those it must follow.
std::vector<Var> obeying(const GrownParents& parents, const std::vector<Var>& order) {
    const std::size_t n = parents.variables();
    std::vector<std::size_t> missing(n);
    std::vector<bool> came(n);
    for (std::size_t v = 0; v < n; ++v) missing[v] = parents.constraints().required[v].size();
    std::vector<Var> placed, next;
    placed.reserve(n);
    for (const Var v : order) {
        came[v] = true;
        if (missing[v] == 0) next.push_back(v);
        // Who waited comes as soon as it can.
        while (!next.empty()) {
            const Var at = next.back();
            next.pop_back();
            placed.push_back(at);
            for (const Var child : parents.must_follow(at))
                if (--missing[child] == 0 && came[child]) next.push_back(child);
        }
    }
    if (placed.size() != n) throw Error(ErrorKind::parameter, "the required arcs have a cycle");
    return placed;
}

}  // namespace

GrownOrder::GrownOrder(GrownParents::Visit& visit, const std::vector<Var>& order, Control& control)
    : visit_(visit),
      control_(control),
      cares_(order.size() + 1, order.size()),
      path_(order.size() + 1, order.size()),
      before_(order.size()),
      is_changed_(order.size()) {
    now_.order = obeying(visit.parents(), order);
    now_.positions.resize(order.size());
    now_.ends.resize(order.size());
    walk_all();
}

void GrownOrder::walk_all() {
    now_.clearings = visit_.parents().clearings();
    before_.clear();
    for (std::size_t at = 0; at < now_.order.size(); ++at) {
        const Var v = now_.order[at];
        now_.positions[v] = at;
        now_.ends[v] = walk(v);
        write_rows(v, now_.ends[v]);
        before_.insert(v);
    }
}

void GrownOrder::refresh() {
    if (now_.clearings != visit_.parents().clearings()) walk_all();
}

double GrownOrder::score() const {
    double sum = 0;
    for (const Node* end : now_.ends) sum += end->score();
    return sum;
}

void GrownOrder::restore(const Snapshot& before) {
    const Snapshot old = std::exchange(now_, before);
    if (now_.clearings != visit_.parents().clearings()) {
        walk_all();
    } else {
        for (std::size_t v = 0; v < old.ends.size(); ++v)
            // A new node may be where one was that is gone.
            if (old.clearings != now_.clearings || old.ends[v] != now_.ends[v]) write_rows(v, now_.ends[v]);
    }
    forget_changes();
}

void GrownOrder::forget_changes() {
    for (const Var v : changed_) is_changed_[v] = false;
    changed_.clear();
}

void GrownOrder::end_at(Var v, const Node* node) {
    if (node == now_.ends[v]) return;
    now_.ends[v] = node;
    write_rows(v, node);
    if (is_changed_[v]) return;
    is_changed_[v] = true;
    changed_.push_back(v);
}

void GrownOrder::write_rows(std::size_t row, const Node* node) {
    cares_.clear(row);
    path_.clear(row);
    for (const Var parent : node->grown()) path_.insert(row, parent);
    for (; node; node = node->above())
        if (const std::uint64_t* gaining = node->gaining()) cares_.unite(row, gaining);
}

void GrownOrder::fill_before(std::size_t position) {
    before_.clear();
    for (std::size_t at = 0; at < position; ++at) before_.insert(now_.order[at]);
}

std::pair<std::size_t, std::size_t> GrownOrder::room(Var v) const {
    std::size_t first = 0, last = now_.order.size() - 1;
    for (const Var parent : visit_.parents().constraints().required[v])
        first = std::max(first, now_.positions[parent] + 1);
    for (const Var child : visit_.parents().must_follow(v)) last = std::min(last, now_.positions[child] - 1);
    return {first, last};
}

void GrownOrder::move(std::size_t from, std::size_t to) {
    std::vector<Var>& order = now_.order;
    const Var v = order[from];
    const auto [first, last] = room(v);
    to = std::clamp(to, first, last);
    fill_before(from);
    // Each variable passed gains v before it, or loses it; `before_` is all but v that is before the pair.
    for (std::size_t at = from; at-- > to;) {
        const Var passed = order[at];
        before_.erase(passed);
        if (cares_.has(passed, v)) {
            before_.insert(v);
            end_at(passed, walk(passed));
            before_.erase(v);
        }
        order[at + 1] = passed;
        now_.positions[passed] = at + 1;
    }
    for (std::size_t at = from + 1; at <= to; ++at) {
        const Var passed = order[at];
        if (path_.has(passed, v)) end_at(passed, walk(passed));
        before_.insert(passed);
        order[at - 1] = passed;
        now_.positions[passed] = at - 1;
    }
    order[to] = v;
    now_.positions[v] = to;
    end_at(v, walk(v));
}

std::size_t GrownOrder::best_position(Var v) {
    const std::vector<Var>& order = now_.order;
    const std::size_t start = now_.positions[v];
    const auto [first, last] = room(v);
    const std::size_t mover = order.size();  // its row
    std::size_t target = start;
    double most = 0, gain = 0;
    const Node* own = nullptr;
    const auto begin = [&] {
        fill_before(start);
        own = now_.ends[v];
        write_rows(mover, own);
        gain = 0;
    };
    const auto walk_on = [&] {
        const Node* next = walk(v);
        gain += next->score() - own->score();
        own = next;
        write_rows(mover, own);
    };

    // Of positions that gain the same, the nearest one that is found first: gains are sums in an order of
    // their own, and which of two equal ones has the larger last digit depends on how the machine counts.
    const auto offer = [&](std::size_t at) {
        ++looks_;
        if (gain > most + least_gain) most = gain, target = at;
    };

    begin();
    for (std::size_t at = start; at-- > first;) {
        const Var passed = order[at];
        before_.erase(passed);
        if (cares_.has(passed, v)) {
            before_.insert(v);
            gain += walk(passed)->score() - now_.ends[passed]->score();
            before_.erase(v);
        }
        if (path_.has(mover, passed)) walk_on();
        offer(at);
    }

    begin();
    for (std::size_t at = start + 1; at <= last; ++at) {
        const Var passed = order[at];
        if (path_.has(passed, v)) gain += walk(passed)->score() - now_.ends[passed]->score();
        before_.insert(passed);
        if (cares_.has(mover, passed)) walk_on();
        offer(at);
    }
    return control_.stopped() ? start : target;  // walks that were stopped told nothing
}

bool GrownOrder::improve(Var v) {
    const std::size_t from = now_.positions[v], to = best_position(v);
    if (from != to) move(from, to);
    return from != to;
}

void GrownOrder::settle(Random& random) {
    std::vector<Var> turn;
    while (!changed_.empty() && !control_.stopped()) {
        turn.assign(changed_.begin(), changed_.end());
        forget_changes();
        random.shuffle(turn);
        for (std::size_t i = 0; i < turn.size() && !control_.stopped(); ++i) improve(turn[i]);
    }
}

}  // namespace dagscape
