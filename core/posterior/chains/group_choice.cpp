#include "posterior/chains/group_choice.hpp"

#include <algorithm>
#include <cmath>

namespace dagscape {

namespace {

/// By so many nats must the best set with a parent fall short to be drawn e times less often.
constexpr double softness = 5;

/// The share of draws that take any variable, so that every group comes up.
constexpr double share_of_all = 0.05;

/// What the lists say counts so much, beside what was seen.
constexpr double of_lists = 0.1;

}  // namespace

GroupChoice::GroupChoice(const WeightedLists& lists)
    : variables_(lists.variables()), affinities_(variables_ * variables_), sums_(affinities_.size()) {
    for (std::size_t child = 0; child < variables_; ++child)
        for (std::size_t parent = 0; parent < variables_; ++parent) {
            const WeightedList& list = lists[static_cast<Var>(child)];
            const std::size_t with = list.first_with(static_cast<Var>(parent));
            if (parent == child || with == list.size()) continue;
            const double loss = list.log_weight(0) - list.log_weight(with);
            const double weight = std::exp(-loss / softness);
            for (const std::size_t pair : {child * variables_ + parent, parent * variables_ + child})
                affinities_[pair] = std::max(affinities_[pair], weight);
        }
    add_up();
}

GroupChoice GroupChoice::seen(const std::vector<double>& arcs) const {
    GroupChoice made = *this;
    for (std::size_t x = 0; x < variables_; ++x)
        for (std::size_t y = 0; y < variables_; ++y) {
            double& affinity = made.affinities_[x * variables_ + y];
            affinity = of_lists * affinity + arcs[x * variables_ + y] + arcs[y * variables_ + x];
        }
    made.add_up();
    return made;
}

void GroupChoice::add_up() {
    const auto others = static_cast<double>(variables_ - 1);
    for (std::size_t x = 0; x < variables_; ++x) {
        const double* row = &affinities_[x * variables_];
        double total = 0;
        for (std::size_t y = 0; y < variables_; ++y) total += row[y];
        const double least = (total > 0 ? total * share_of_all : 1.0) / std::max(1.0, others);
        double sum = 0;
        for (std::size_t y = 0; y < variables_; ++y)
            sums_[x * variables_ + y] = sum += x == y ? 0.0 : row[y] + least;
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
