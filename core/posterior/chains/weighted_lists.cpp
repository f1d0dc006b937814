#include "posterior/chains/weighted_lists.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "clones.hpp"
#include "error.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

DAGSCAPE_CLONES void unite_columns(const std::uint64_t* columns, const Var* having, std::size_t count,
                                   std::uint64_t* found) {
    std::uint64_t united[WeightedList::block_words] = {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t* column = columns + having[i] * WeightedList::block_words;
        for (std::size_t w = 0; w < WeightedList::block_words; ++w) united[w] |= column[w];
    }
    for (std::size_t w = 0; w < WeightedList::block_words; ++w) found[w] = united[w];
}

}  // namespace

WeightedList::WeightedList(const ParentList& list, std::size_t variables)
    : list_(list),
      variables_(variables),
      columns_(blocks() * variables * block_words),
      log_tails_(tails(list.scores())),
      first_with_(variables, static_cast<std::uint32_t>(size())),
      first_without_(first_with_) {
    for (std::size_t place = size(); place-- > 0;) {
        std::uint64_t* words = &columns_[place / block * variables_ * block_words + place % block / 64];
        for (const Var parent : parents(place)) {
            words[parent * block_words] |= std::uint64_t{1} << (place % 64);
            first_with_[parent] = static_cast<std::uint32_t>(place);
        }
    }
    for (std::size_t v = 0; v < variables; ++v)
        for (std::size_t b = 0; b < blocks() && first_without_[v] == size(); ++b)
            for (std::size_t w = 0; w < block_words && first_without_[v] == size(); ++w) {
                const std::uint64_t lacking = ~columns_[(b * variables_ + v) * block_words + w];
                const auto first = b * block + w * 64 + static_cast<std::size_t>(std::countr_zero(lacking));
                if (lacking != 0) first_without_[v] = static_cast<std::uint32_t>(std::min(size(), first));
            }
}

double WeightedList::bytes_for(std::size_t sets, std::size_t variables) {
    const double padded = std::ceil(static_cast<double>(sets) / block) * block;
    return padded * static_cast<double>(variables) / 8 + static_cast<double>(sets) * sizeof(double);
}

void WeightedList::unite(std::size_t block_number, std::span<const Var> having, Block& found) const {
    unite_columns(&columns_[block_number * variables_ * block_words], having.data(), having.size(),
                  found.data());
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
