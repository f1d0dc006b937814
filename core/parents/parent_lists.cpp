#include "parents/parent_lists.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dagscape {

std::size_t ParentList::bytes() const {
    return scores_.capacity() * sizeof(double) + begins_.capacity() * sizeof(std::uint64_t) +
           members_.capacity() * sizeof(Var);
}

void ParentList::append(double score, Members parents) {
    scores_.push_back(score);
    members_.insert(members_.end(), parents.begin(), parents.end());
    begins_.push_back(members_.size());
    sorted_ = size() == 1;
}

void ParentList::reserve(std::size_t sets, std::size_t members) {
    scores_.reserve(sets);
    begins_.reserve(sets + 1);
    members_.reserve(members);
}

void ParentList::sort() {
    if (sorted_) return;
    std::vector<std::pair<double, std::size_t>> order;  // scores beside the places, which are far apart
    order.reserve(size());
    for (std::size_t at = 0; at < size(); ++at) order.emplace_back(scores_[at], at);
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        const Members first = parents(a.second), second = parents(b.second);
        if (first.size() != second.size()) return first.size() < second.size();
        return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
    });
    ParentList sorted;
    sorted.reserve(size(), members_.size());
    for (const auto& [score, at] : order) sorted.append(score, parents(at));
    sorted.sorted_ = true;
    *this = std::move(sorted);
}

ParentIndex::ParentIndex(const ParentList& list, std::size_t variables) : sets_(list.size()) {
    std::vector<std::size_t> place(variables, variables);
    for (std::size_t at = 0; at < sets_; ++at) {
        for (const Var parent : list.parents(at)) {
            if (place[parent] == variables) {
                place[parent] = parents_.size();
                parents_.push_back(parent);
                having_.emplace_back((sets_ + 63) / 64);
            }
            having_[place[parent]][at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
}

std::optional<std::size_t> ParentIndex::best(const WideSet& allowed) const {
    std::vector<const std::uint64_t*> out;
    for (std::size_t p = 0; p < parents_.size(); ++p)
        if (!allowed.contains(parents_[p])) out.push_back(having_[p].data());
    for (std::size_t word = 0; word * 64 < sets_; ++word) {
        std::uint64_t struck = 0;
        for (const std::uint64_t* having : out) struck |= having[word];
        if (struck == ~std::uint64_t{0}) continue;
        const std::size_t at = word * 64 + static_cast<std::size_t>(std::countr_one(struck));
        if (at < sets_) return at;
    }
    return std::nullopt;
}

std::optional<std::size_t> BestParents::best(Var child, const WideSet& allowed) {
    const ParentIndex* index = nullptr;
    {
        const std::lock_guard lock(making_);
        if (!indexes_[child])
            indexes_[child] = std::make_unique<ParentIndex>(lists_.lists[child], lists_.variables());
        index = indexes_[child].get();
    }
    return index->best(allowed);
}

std::size_t ParentLists::sets() const {
    std::size_t total = 0;
    for (const ParentList& list : lists) total += list.size();
    return total;
}

std::size_t ParentLists::bytes() const {
    std::size_t total = 0;
    for (const ParentList& list : lists) total += list.bytes();
    return total;
}

}  // namespace dagscape
