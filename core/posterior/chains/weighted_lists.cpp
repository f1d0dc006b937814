#include "posterior/chains/weighted_lists.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "clones.hpp"
#include "error.hpp"
#include "infinity.hpp"
#include "parallel.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

namespace {

/// Logs of sums from each place on. Sets come by descending weight, so the sums are built up from the end,
/// each relative to a log that follows them upwards.
std::vector<double> tails(std::span<const double> log_weights) {
    std::vector<double> logs(log_weights.size() + 1, -infinity);
    double reference = -infinity, sum = 0;  // the sum is sum × e^reference
    for (std::size_t at = log_weights.size(); at-- > 0;) {
        const double log_weight = log_weights[at];
        if (log_weight == -infinity) continue;
        if (reference == -infinity || log_weight - reference > 30) {
            sum *= reference == -infinity ? 0 : std::exp(reference - log_weight);
            reference = log_weight;
        }
        sum += std::exp(log_weight - reference);
        logs[at] = reference + std::log(sum);
    }
    return logs;
}

/// Whether one of so many sets, each a row of words, is part of another.
DAGSCAPE_CLONES bool any_part(const std::uint64_t* rows, std::size_t count, std::size_t words,
                              const std::uint64_t* whole) {
    constexpr std::size_t together = 64;
    if (words == 1) {
        for (std::size_t first = 0; first < count; first += together) {
            const std::size_t end = std::min(count, first + together);
            std::uint64_t found = 0;
            for (std::size_t i = first; i < end; ++i) found |= (rows[i] & ~whole[0]) == 0 ? 1 : 0;
            if (found != 0) return true;
        }
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t beyond = 0;
        for (std::size_t w = 0; w < words; ++w) beyond |= rows[i * words + w] & ~whole[w];
        if (beyond == 0) return true;
    }
    return false;
}

}  // namespace

WeightedList::WeightedList(const ParentList& list, std::size_t variables)
    : list_(list),
      variables_(variables),
      columns_(list.size(), variables),
      log_tails_(tails(list.scores())),
      first_with_(variables, static_cast<std::uint32_t>(list.size())) {
    for (std::size_t place = size(); place-- > 0;) {
        columns_.put(place, parents(place));
        for (const Var parent : parents(place)) first_with_[parent] = static_cast<std::uint32_t>(place);
    }
    find_best();
}

void WeightedList::find_best() {
    const std::size_t words = BitRows::width(variables_);
    std::vector<std::uint64_t> rows;
    BitRows row(1, variables_);
    for (std::size_t place = 0; place < size(); ++place) {
        row.clear();
        for (const Var parent : parents(place)) row.insert(0, parent);
        if (any_part(rows.data(), best_places_.size(), words, row[0])) continue;
        rows.insert(rows.end(), row[0], row[0] + words);
        best_places_.push_back(static_cast<std::uint32_t>(place));
        if (parents(place).empty()) break;  // which is part of all that follow
    }
    best_columns_.emplace(best_places_.size(), variables_);
    for (std::size_t best = 0; best < best_places_.size(); ++best)
        best_columns_->put(best, parents(best_places_[best]));
}

double WeightedList::bytes_for(std::size_t sets, std::size_t variables) {
    return MemberColumns::bytes_for(sets, variables) + static_cast<double>(sets) * sizeof(double);
}

std::size_t WeightedList::drawn_from(std::size_t place, double unit) const {
    const double reached = log_tails_[place] + std::log1p(-unit);
    const auto beyond = std::upper_bound(log_tails_.begin() + static_cast<std::ptrdiff_t>(place),
                                         log_tails_.end(), reached, std::greater<>());
    const auto at = static_cast<std::size_t>(beyond - log_tails_.begin());
    return std::clamp(at - 1, place, size() - 1);
}

WeightedLists::WeightedLists(std::shared_ptr<ParentLists> lists, std::size_t threads, Control& control)
    : lists_(std::move(lists)), weighted_(lists_->variables()) {
    double bytes = 0;
    for (const ParentList& list : lists_->lists) {
        if (list.size() == 0)
            throw Error(ErrorKind::graph, "every variable needs a parent set, if only the empty one");
        bytes += WeightedList::bytes_for(list.size(), variables());
    }
    if (bytes > static_cast<double>(control.max_bytes())) {
        control.stop(Stop::memory);
        return;
    }
    lists_->sort(threads);
    parallel_for(variables(), threads, control, [&](std::size_t v, std::size_t) {
        weighted_[v] = std::make_unique<WeightedList>(lists_->lists[v], variables());
        control.advance(1 / static_cast<double>(variables()));
    });
    complete_ = std::ranges::all_of(weighted_, [](const auto& list) { return list != nullptr; });
}

}  // namespace dagscape
