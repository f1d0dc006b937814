#include "search/order/order_lists.hpp"

#include <algorithm>
#include <optional>

#include "parallel.hpp"
#include "varset/first_fit.hpp"

namespace dagscape {

namespace {

/// Up to so many words, sets are kept as rows of bits, which are compared several at a time.
constexpr std::size_t most_row_words = 4;
static_assert(most_row_words * 64 <= FitColumns::most_variables);

/// So many sets are kept as rows; more would be no quicker to compare one by one.
constexpr std::size_t most_rows = FitColumns::block;

std::size_t head_of(std::size_t sets, std::size_t words) {
    return words <= most_row_words ? std::min(sets, most_rows) : sets;
}

bool has(const std::uint64_t* set, Var v) { return (set[v / 64] >> (v % 64) & 1) != 0; }

/// The set that is within all others, if there is one: nothing after it is ever better.
std::optional<std::size_t> least_set(const ParentList& list) {
    std::size_t least = list.size() - 1;  // where it is if no set has a better subset
    for (std::size_t at = least; at-- > 0 && !list.parents(least).empty();)
        if (list.parents(at).size() < list.parents(least).size()) least = at;
    const Members within = list.parents(least);
    for (std::size_t at = 0; at < list.size() && !within.empty(); ++at) {
        const Members set = list.parents(at);
        if (!std::includes(set.begin(), set.end(), within.begin(), within.end())) return std::nullopt;
    }
    return least;
}

}  // namespace

OrderLists::OrderLists(const ParentLists& parents) {
    Control control;
    *this = OrderLists(parents, whole, 1, control);
}

OrderLists::OrderLists(const ParentLists& parents, std::size_t longest, std::size_t threads, Control& control)
    : words_((parents.variables() + 63) / 64) {
    double most_gained = 1;
    for (const ParentList& list : parents.lists)
        if (list.size() > 0) most_gained += list.score(0) - list.score(list.size() - 1);
    children_.reserve(parents.variables());
    for (const ParentList& list : parents.lists) {
        Child child;
        child.list = &list;
        child.sets = static_cast<std::uint32_t>(list.size());
        child.last = child.sets - 1;
        child.none = (list.size() > 0 ? list.score(list.size() - 1) : 0) - most_gained;
        child.tables = longest > 0;
        if (longest > 0 && list.size() > longest) {
            if (const auto least = least_set(list)) {
                child.last = static_cast<std::uint32_t>(*least);
                child.sets = static_cast<std::uint32_t>(std::min(longest, *least + 1));
            } else {
                child.tables = false;
            }
        }
        children_.push_back(std::move(child));
    }
    std::vector<char> built(children_.size());
    parallel_for(children_.size(), threads, control, [&](std::size_t v, std::size_t) {
        if (children_[v].tables) build_tables(children_[v]), built[v] = true;
    });
    for (std::size_t v = 0; v < children_.size(); ++v) children_[v].tables = built[v];
}

void OrderLists::build_tables(Child& child) const {
    const std::size_t n = children_.size();
    child.head = static_cast<std::uint32_t>(head_of(child.sets, words_));
    child.begins.resize(n + 1);
    for (std::uint32_t at = 0; at < child.head; ++at)
        for (const Var v : child.parents(at)) ++child.begins[v + 1];
    for (std::size_t v = 0; v < n; ++v) child.begins[v + 1] += child.begins[v];
    child.having.resize(child.begins[n]);
    std::vector<std::uint32_t> next(child.begins.begin(), child.begins.end() - 1);
    for (std::uint32_t at = 0; at < child.head; ++at)
        for (const Var v : child.parents(at)) child.having[next[v]++] = at;
    if (words_ > most_row_words) return;
    child.rows.resize(fit_rows(child.head) * words_);
    for (std::uint32_t at = 0; at < child.head; ++at)
        for (const Var v : child.parents(at))
            child.rows[at * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
    if (child.head == child.sets) return;
    std::vector<char> occurs(n);
    std::size_t largest = 0;
    for (std::uint32_t at = 0; at < child.sets; ++at) {
        const Members members = child.parents(at);
        largest = std::max(largest, members.size());
        for (const Var v : members) occurs[v] = true;
    }
    std::vector<Var> occurring;
    for (std::size_t v = 0; v < n; ++v)
        if (occurs[v]) occurring.push_back(static_cast<Var>(v));
    child.columns = FitColumns(n, occurring, largest, child.sets);
    for (std::uint32_t at = 0; at < child.sets; ++at) child.columns.put(at, child.parents(at));
}

std::uint64_t OrderLists::left_out() const {
    std::uint64_t sets = 0;
    for (const Child& child : children_)
        if (child.list->size() > 0) sets += child.last + 1 - child.sets;
    return sets;
}

bool OrderLists::contains(Var child, std::uint32_t place, Var parent) const {
    const Child& lists = children_[child];
    if (place >= lists.sets) return false;
    if (!lists.rows.empty())
        return place < lists.head ? has(&lists.rows[place * words_], parent)
                                  : lists.columns.contains(place, parent);
    const Members members = lists.parents(place);
    return std::find(members.begin(), members.end(), parent) != members.end();
}

bool OrderLists::fits(const Child& lists, std::uint32_t place, const std::uint64_t* available) const {
    if (!lists.rows.empty()) {
        const std::uint64_t* row = &lists.rows[place * words_];
        std::uint64_t wrong = 0;
        for (std::size_t w = 0; w < words_; ++w) wrong |= row[w] & ~available[w];
        return wrong == 0;
    }
    for (const Var parent : lists.parents(place))
        if (!has(available, parent)) return false;
    return true;
}

std::uint32_t OrderLists::first_fit(Var child, std::uint32_t from, const std::uint64_t* available) const {
    const Child& lists = children_[child];
    if (lists.rows.empty()) {
        while (from < lists.sets && !fits(lists, from, available)) ++from;
        return from;
    }
    if (from < lists.head) {
        std::uint64_t absent[most_row_words];
        for (std::size_t w = 0; w < words_; ++w) absent[w] = ~available[w];
        from = dagscape::first_fit(lists.rows.data(), words_, from, absent);
        if (from < lists.head) return from;
    }
    return from < lists.sets ? lists.columns.first(from, lists.sets, available) : from;
}

std::uint32_t OrderLists::better_with(Var child, Var parent, std::uint32_t present,
                                      const std::uint64_t* available) const {
    const Child& lists = children_[child];
    if (!lists.tables) {
        for (std::uint32_t place = 0; place < present; ++place)
            if (fits(lists, place, available) && contains(child, place, parent)) return place;
        return present;
    }
    for (std::uint32_t at = lists.begins[parent]; at < lists.begins[parent + 1]; ++at) {
        const std::uint32_t place = lists.having[at];
        if (place >= present) return present;
        if (fits(lists, place, available)) return place;
    }
    return present > lists.head ? lists.columns.first_with(parent, lists.head, present, available) : present;
}

std::size_t OrderLists::bytes_for(const ParentLists& parents, std::size_t longest) {
    const std::size_t n = parents.variables(), words = (n + 63) / 64;
    std::size_t bytes = n * (sizeof(Child) + (n + 1) * sizeof(std::uint32_t));
    for (const ParentList& list : parents.lists) {
        const std::size_t sets = std::min(list.size(), longest), head = head_of(sets, words);
        if (words <= most_row_words) bytes += fit_rows(head) * words * sizeof(std::uint64_t);
        if (head < sets) bytes += FitColumns::bytes_for(n - 1, sets);
        bytes += list.members(head) * sizeof(std::uint32_t);
    }
    return bytes;
}

std::size_t OrderLists::longest_within(const ParentLists& parents, std::size_t sets, std::size_t bytes) {
    const auto within = [&](std::size_t longest) {
        std::size_t sum = 0;
        for (const ParentList& list : parents.lists) sum += std::min(list.size(), longest);
        return sum <= sets && bytes_for(parents, longest) <= bytes;
    };
    if (within(whole)) return whole;
    std::size_t fits = 0, too_long = 1;
    for (const ParentList& list : parents.lists) too_long = std::max(too_long, list.size());
    while (too_long - fits > 1) {
        const std::size_t middle = fits + (too_long - fits) / 2;
        (within(middle) ? fits : too_long) = middle;
    }
    return fits;
}

}  // namespace dagscape
