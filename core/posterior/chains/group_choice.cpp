#include "posterior/chains/group_choice.hpp"

#include <algorithm>
#include <cmath>

namespace dagscape {

namespace {

/// By so many nats must the best set with a parent fall short to be drawn e times less often.
constexpr double softness = 5;

/// The share of draws that take any variable, so that every group comes up.
constexpr double any = 0.05;

}  // namespace

GroupChoice::GroupChoice(const WeightedLists& lists)
    : variables_(lists.variables()), sums_(variables_ * variables_) {
    for (std::size_t child = 0; child < variables_; ++child)
        for (std::size_t parent = 0; parent < variables_; ++parent) {
            if (parent == child) continue;
            const WeightedList& list = lists[static_cast<Var>(child)];
            const std::size_t with = list.first_with(static_cast<Var>(parent));
            if (with == list.size()) continue;
            const double loss = list.log_weight(0) - list.log_weight(with);
            const double weight = std::exp(-loss / softness);
            for (double* at : {&sums_[child * variables_ + parent], &sums_[parent * variables_ + child]})
                *at = std::max(*at, weight);
        }
    for (std::size_t x = 0; x < variables_; ++x) {
        double* row = &sums_[x * variables_];
        double total = 0;
        for (std::size_t y = 0; y < variables_; ++y) total += row[y];
        const auto others = static_cast<double>(variables_ - 1);
        const double floor = others > 0 ? (total > 0 ? total * any : 1.0) / others : 0.0;
        double sum = 0;
        for (std::size_t y = 0; y < variables_; ++y) row[y] = sum += x == y ? 0.0 : row[y] + floor;
    }
}

double GroupChoice::affinity(Var x, Var y) const {
    const double* row = &sums_[x * variables_];
    return y == 0 ? row[0] : row[y] - row[y - 1];
}

Var GroupChoice::partner(Var x, Random& random) const {
    const double* row = &sums_[x * variables_];
    const double reached = random.unit() * row[variables_ - 1];
    const double* found = std::upper_bound(row, row + variables_ - 1, reached);
    return static_cast<Var>(found - row);
}

void GroupChoice::draw(std::size_t size, std::vector<Var>& group, Random& random) const {
    group.assign(1, static_cast<Var>(random.below(variables_)));
    while (group.size() < std::min(size, variables_)) {
        const Var next = partner(group[random.below(group.size())], random);
        if (std::ranges::find(group, next) == group.end()) group.push_back(next);
    }
}

}  // namespace dagscape
