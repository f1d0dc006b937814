#include "parents/parent_lists.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "parallel.hpp"

namespace dagscape {

ParentList::ParentList(std::vector<double> scores, std::vector<std::uint64_t> begins,
                       std::vector<Var> members)
    : scores_(std::move(scores)), begins_(std::move(begins)), members_(std::move(members)) {
    for (std::size_t at = 1; at < size() && sorted_; ++at)
        sorted_ = !before(scores_[at], at, scores_[at - 1], at - 1);
}

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

void ParentList::take(ParentList& other) {
    if (size() == 0) {
        *this = std::exchange(other, {});
    } else if (other.size() > 0) {
        scores_.insert(scores_.end(), other.scores_.begin(), other.scores_.end());
        for (std::size_t at = 1; at <= other.size(); ++at)
            begins_.push_back(members_.size() + other.begins_[at]);
        members_.insert(members_.end(), other.members_.begin(), other.members_.end());
        sorted_ = false;
        other = {};
    }
}

bool ParentList::before(double score, std::size_t at, double other_score, std::size_t other) const {
    if (score != other_score) return score > other_score;
    const Members first = parents(at), second = parents(other);
    if (first.size() != second.size()) return first.size() < second.size();
    return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
}

namespace {

/// So many sets are gone over between two looks at the control.
constexpr std::size_t between_looks = 1 << 16;

bool over(std::size_t at, Control& control) { return at % between_looks == 0 && control.stopped(); }

/// Sorts by pieces, which are merged: between them `control` may stop it.
template <typename Iterator, typename Before>
void sort_by_pieces(Iterator begin, Iterator end, const Before& before, Control& control) {
    const auto count = end - begin;
    auto length = static_cast<std::ptrdiff_t>(between_looks);
    const auto at = [&](std::ptrdiff_t place) { return begin + std::min(place, count); };
    for (std::ptrdiff_t from = 0; from < count; from += length) {
        if (count > length && control.stopped()) return;
        std::sort(at(from), at(from + length), before);
    }
    for (; length < count; length *= 2)
        for (std::ptrdiff_t from = 0; from + length < count; from += 2 * length) {
            if (control.stopped()) return;
            std::inplace_merge(at(from), at(from + length), at(from + 2 * length), before);
        }
}

}  // namespace

void ParentList::sort(Control& control) {
    if (sorted_ || size() == 0) return;
    // Scores are spread over as many buckets as there are sets, so that few are left to be compared: in lists
    // of a million that takes a third of the time.
    const auto [lowest, highest] = std::minmax_element(scores_.begin(), scores_.end());
    const double top = *highest;
    double scale = static_cast<double>(size() - 1) / (top - *lowest);
    if (!std::isfinite(scale)) scale = 0;  // all alike, or next to it
    const auto bucket = [&](double score) {
        return scale > 0 ? static_cast<std::size_t>((top - score) * scale) : 0;
    };
    std::vector<std::uint32_t> ends(size() + 1);
    for (std::size_t at = 0; at < size(); ++at) {
        if (over(at, control)) return;
        ++ends[bucket(scores_[at]) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    struct Placed {
        double score;
        std::uint32_t at;
    };
    std::vector<Placed> order(size());  // scores beside the places, which are far apart
    for (std::size_t at = 0; at < size(); ++at) {
        if (over(at, control)) return;
        order[ends[bucket(scores_[at])]++] = {scores_[at], static_cast<std::uint32_t>(at)};
    }
    for (std::size_t i = 0, begin = 0; i < size(); begin = ends[i++]) {
        if (over(i, control)) return;
        if (ends[i] - begin > 1)
            sort_by_pieces(
                order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + ends[i],
                [&](const Placed& a, const Placed& b) { return before(a.score, a.at, b.score, b.at); },
                control);
    }
    ParentList sorted;
    sorted.reserve(size(), members_.size());
    for (std::size_t i = 0; i < size(); ++i) {
        if (over(i, control)) return;
        sorted.append(order[i].score, parents(order[i].at));
    }
    if (control.stopped()) return;  // perhaps within a piece
    sorted.sorted_ = true;
    *this = std::move(sorted);
}

ParentList ParentList::best_few(std::size_t most) const {
    const auto earlier = [&](std::size_t a, std::size_t b) { return before(a, b); };
    std::vector<std::size_t> few;  // a heap, the last in front
    std::size_t least = 0, fewest = size() > 0 ? parents(0).size() : 0;
    double last = -std::numeric_limits<double>::infinity();  // the score in front, once there are so many
    for (std::size_t at = 0; at < size(); ++at) {
        const std::size_t now = begins_[at + 1] - begins_[at];
        if (now < fewest || (now == fewest && before(at, least))) {
            least = at;
            fewest = now;
        }
        if (scores_[at] < last || (few.size() == most && !before(at, few.front()))) continue;
        if (few.size() == most) {
            std::ranges::pop_heap(few, earlier);
            few.pop_back();
        }
        few.push_back(at);
        std::ranges::push_heap(few, earlier);
        if (few.size() == most) last = scores_[few.front()];
    }
    if (size() > 0 && std::ranges::find(few, least) == few.end()) few.push_back(least);
    std::ranges::sort(few, earlier);
    ParentList found;
    for (const std::size_t at : few) found.append(scores_[at], parents(at));
    found.sorted_ = true;
    return found;
}

ParentList ParentList::best_of_each_size(std::size_t most) const {
    const auto earlier = [&](std::size_t a, std::size_t b) { return before(a, b); };
    std::vector<std::vector<std::size_t>> by_size;
    for (std::size_t at = 0; at < size(); ++at) {
        const std::size_t of = parents(at).size();
        if (of >= by_size.size()) by_size.resize(of + 1);
        by_size[of].push_back(at);
    }
    std::vector<std::size_t> kept;
    for (std::vector<std::size_t>& some : by_size) {
        if (some.size() > most) {
            std::ranges::nth_element(some, some.begin() + static_cast<std::ptrdiff_t>(most), earlier);
            some.resize(most);
        }
        kept.insert(kept.end(), some.begin(), some.end());
    }
    std::ranges::sort(kept, earlier);
    ParentList found;
    std::size_t members = 0;
    for (const std::size_t at : kept) members += parents(at).size();
    found.reserve(kept.size(), members);
    for (const std::size_t at : kept) found.append(scores_[at], parents(at));
    found.sorted_ = true;
    return found;
}

void ParentLists::sort(std::size_t threads, Control& control) {
    parallel_for(lists.size(), threads, control, [&](std::size_t v, std::size_t) { lists[v].sort(control); });
}

ParentLists ParentLists::best_few(std::size_t most, std::size_t threads) const {
    ParentLists found;
    found.lists.resize(lists.size());
    Control unlimited;
    parallel_for(lists.size(), threads, unlimited,
                 [&](std::size_t v, std::size_t) { found.lists[v] = lists[v].best_few(most); });
    return found;
}

ParentLists ParentLists::best_of_each_size(std::size_t most, std::size_t threads) const {
    ParentLists found;
    found.lists.resize(lists.size());
    Control unlimited;
    parallel_for(lists.size(), threads, unlimited,
                 [&](std::size_t v, std::size_t) { found.lists[v] = lists[v].best_of_each_size(most); });
    std::size_t first_full = std::numeric_limits<std::size_t>::max();
    for (const ParentList& list : found.lists) {
        std::vector<std::size_t> counts;
        for (std::size_t at = 0; at < list.size(); ++at) {
            const std::size_t of = list.parents(at).size();
            if (of >= counts.size()) counts.resize(of + 1);
            if (++counts[of] == most) first_full = std::min(first_full, of);
        }
    }
    found.exhaustive = exhaustive && first_full == std::numeric_limits<std::size_t>::max();
    found.exhaustive_to = first_full == 0 ? 0 : std::min(exhaustive_to, first_full - 1);
    return found;
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
