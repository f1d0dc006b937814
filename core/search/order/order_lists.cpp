#include "search/order/order_lists.hpp"

#include <algorithm>

#include "varset/first_fit.hpp"

namespace dagscape {

namespace {

/// Up to so many words, sets are kept as rows of bits, which are compared several at a time.
constexpr std::size_t most_row_words = 4;

bool has(const std::uint64_t* set, Var v) { return (set[v / 64] >> (v % 64) & 1) != 0; }

}  // namespace

OrderLists::OrderLists(const ParentLists& parents) : words_((parents.variables() + 63) / 64) {
    const std::size_t n = parents.variables();
    children_.reserve(n);
    double most_gained = 1;
    for (const ParentList& list : parents.lists)
        if (list.size() > 0) most_gained += list.score(0) - list.score(list.size() - 1);
    for (const ParentList& list : parents.lists) {
        Child child{&list, {}, {}, std::vector<std::uint32_t>(n + 1), {}};
        child.scores.reserve(list.size() + 1);
        for (std::size_t at = 0; at < list.size(); ++at) {
            child.scores.push_back(list.score(at));
            for (const Var v : list.parents(at)) ++child.begins[v + 1];
        }
        child.scores.push_back((list.size() > 0 ? child.scores.back() : 0) - most_gained);
        for (std::size_t v = 0; v < n; ++v) child.begins[v + 1] += child.begins[v];
        child.having.resize(child.begins[n]);
        std::vector<std::uint32_t> next(child.begins.begin(), child.begins.end() - 1);
        for (std::size_t at = 0; at < list.size(); ++at)
            for (const Var v : list.parents(at)) child.having[next[v]++] = static_cast<std::uint32_t>(at);
        if (words_ <= most_row_words) {
            child.rows.resize(fit_rows(list.size()) * words_);
            for (std::size_t at = 0; at < list.size(); ++at)
                for (const Var v : list.parents(at))
                    child.rows[at * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
        }
        children_.push_back(std::move(child));
    }
}

bool OrderLists::contains(Var child, std::uint32_t place, Var parent) const {
    if (place >= sets(child)) return false;
    if (words_ <= most_row_words) return has(&children_[child].rows[place * words_], parent);
    const Members members = children_[child].list->parents(place);
    return std::find(members.begin(), members.end(), parent) != members.end();
}

bool OrderLists::fits(Var child, std::uint32_t place, const std::uint64_t* available) const {
    if (words_ <= most_row_words) {
        const std::uint64_t* row = &children_[child].rows[place * words_];
        std::uint64_t wrong = 0;
        for (std::size_t w = 0; w < words_; ++w) wrong |= row[w] & ~available[w];
        return wrong == 0;
    }
    for (const Var parent : children_[child].list->parents(place))
        if (!has(available, parent)) return false;
    return true;
}

std::uint32_t OrderLists::first_fit(Var child, std::uint32_t from, const std::uint64_t* available) const {
    if (words_ <= most_row_words) {
        std::uint64_t absent[most_row_words];
        for (std::size_t w = 0; w < words_; ++w) absent[w] = ~available[w];
        return dagscape::first_fit(children_[child].rows.data(), words_, from, absent);
    }
    const std::uint32_t end = sets(child);
    while (from < end && !fits(child, from, available)) ++from;
    return from;
}

std::uint32_t OrderLists::better_with(Var child, Var parent, std::uint32_t present,
                                      const std::uint64_t* available) const {
    const Child& lists = children_[child];
    for (std::uint32_t at = lists.begins[parent]; at < lists.begins[parent + 1]; ++at) {
        const std::uint32_t place = lists.having[at];
        if (place >= present) break;
        if (fits(child, place, available)) return place;
    }
    return present;
}

std::size_t OrderLists::bytes_for(const ParentLists& parents) {
    const std::size_t n = parents.variables();
    std::size_t members = 0;
    for (const ParentList& list : parents.lists)
        for (std::size_t at = 0; at < list.size(); ++at) members += list.parents(at).size();
    return parents.sets() * (1 + std::min((n + 63) / 64, most_row_words)) * sizeof(double) +
           members * sizeof(std::uint32_t) + n * (sizeof(Child) + (n + 1) * sizeof(std::uint32_t));
}

}  // namespace dagscape
