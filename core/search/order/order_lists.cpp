#include "search/order/order_lists.hpp"

namespace dagscape {

OrderLists::OrderLists(const ParentLists& parents) : words_((parents.variables() + 63) / 64) {
    children_.reserve(parents.variables());
    for (const ParentList& list : parents.lists) {
        Child child;
        child.rows.resize(list.size() * words_);
        child.scores.reserve(list.size() + 1);
        for (std::size_t at = 0; at < list.size(); ++at) {
            for (const Var v : list.parents(at))
                child.rows[at * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
            child.scores.push_back(list.score(at));
        }
        child.scores.push_back(no_set);
        children_.push_back(std::move(child));
    }
}

std::uint32_t OrderLists::first_fit(Var child, std::uint32_t from, std::uint32_t end,
                                    const std::uint64_t* available) const {
    if (words_ == 1) {
        const std::uint64_t absent = ~available[0];
        const std::uint64_t* rows = children_[child].rows.data();
        while (from < end && (rows[from] & absent) != 0) ++from;
        return from;
    }
    for (; from < end; ++from) {
        const std::uint64_t* set = row(child, from);
        std::size_t word = 0;
        while (word < words_ && (set[word] & ~available[word]) == 0) ++word;
        if (word == words_) break;
    }
    return from;
}

std::size_t OrderLists::bytes_for(const ParentLists& parents) {
    const std::size_t words = (parents.variables() + 63) / 64;
    return parents.sets() * (words * sizeof(std::uint64_t) + sizeof(double)) +
           parents.variables() * (sizeof(Child) + sizeof(double));
}

}  // namespace dagscape
