#include "search/exact/order_graph/heuristics/variable_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/exact/order_graph/width.hpp"

namespace dagscape {

namespace {

class Ties {
  public:
    explicit Ties(const Choices& choices) : n_(choices.variables()), ties_(n_ * n_) {
        double greatest = 0;
        for (std::size_t v = 0; v < n_; ++v)
            for (std::size_t at = 0; at < choices.sets(static_cast<Var>(v)); ++at)
                if (const double regret = choices.regret(static_cast<Var>(v), at); std::isfinite(regret))
                    greatest = std::max(greatest, regret);
        for (std::size_t x = 0; x < n_; ++x) {
            for (std::size_t y = 0; y < n_; ++y)
                if (x != y) ties_[x * n_ + y] = std::min(greatest, regret_without(choices, x, y));
        }
        for (std::size_t x = 0; x < n_; ++x) {
            for (std::size_t y = 0; y < x; ++y) {
                double &a = ties_[x * n_ + y], &b = ties_[y * n_ + x];
                // The lesser is the price of a cycle of the two; the rest may be part of a longer cycle's.
                a = b = std::min(a, b) + longer_cycles * std::max(a, b);
            }
        }
    }
    double operator()(std::size_t x, std::size_t y) const { return ties_[x * n_ + y]; }
    double to(Var x, const std::vector<Var>& group) const {
        double sum = 0;
        for (const Var y : group) sum += (*this)(x, y);
        return sum;
    }

  private:
    /// What x loses when y cannot be its parent.
    static double regret_without(const Choices& choices, std::size_t x, std::size_t y) {
        const Var child = static_cast<Var>(x);
        for (std::size_t at = 0; at < choices.sets(child); ++at) {
            std::uint64_t words[most_for_orders / 64] = {};
            choices.copy(child, at, words);
            if ((words[y / 64] >> (y % 64) & 1) == 0) return choices.regret(child, at);
        }
        return std::numeric_limits<double>::infinity();
    }

    static constexpr double longer_cycles = 0.05;
    std::size_t n_;
    std::vector<double> ties_;
};

/// Merges the two groups that are tied most, for their size.
bool merge(const Ties& ties, std::size_t most, std::vector<std::vector<Var>>& groups) {
    double best = -1;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
        for (std::size_t b = a + 1; b < groups.size(); ++b) {
            if (groups[a].size() + groups[b].size() > most) continue;
            double sum = 0;
            for (const Var x : groups[a]) sum += ties.to(x, groups[b]);
            const double tied = sum / static_cast<double>(std::min(groups[a].size(), groups[b].size()));
            if (tied > best) best = tied, first = a, second = b;
        }
    }
    if (best < 0) return false;
    groups[first].insert(groups[first].end(), groups[second].begin(), groups[second].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
    return true;
}

/// Moves a variable to another group, or exchanges two, where that ties the groups closer.
bool improve(const Ties& ties, std::size_t most, std::vector<std::vector<Var>>& groups) {
    constexpr double rounding = 1e-9;
    for (std::vector<Var>& a : groups) {
        for (std::vector<Var>& b : groups) {
            if (&a == &b) continue;
            for (std::size_t i = 0; i < a.size(); ++i) {
                const double gain = ties.to(a[i], b) - ties.to(a[i], a);
                if (b.size() < most && gain > rounding) {
                    b.push_back(a[i]);
                    a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
                    return true;
                }
                for (std::size_t j = 0; j < b.size(); ++j) {
                    const double back = ties.to(b[j], a) - ties.to(b[j], b);
                    if (gain + back - 2 * ties(a[i], b[j]) > rounding) {
                        std::swap(a[i], b[j]);
                        return true;
                    }
                }
            }
        }
    }
    return false;
}

}  // namespace

std::vector<std::vector<Var>> variable_groups(const Choices& choices, std::size_t most, Control& control) {
    const Ties ties(choices);
    std::vector<std::vector<Var>> groups;
    for (std::size_t v = 0; v < choices.variables(); ++v) groups.push_back({static_cast<Var>(v)});
    while (!control.stopped() && merge(ties, most, groups)) {
    }
    // Each exchange ties them closer, so this ends; a limit in case that takes long.
    for (int exchanges = 0; exchanges < 1000 && !control.stopped() && improve(ties, most, groups);
         ++exchanges) {
    }
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    for (std::vector<Var>& group : groups) std::sort(group.begin(), group.end());
    std::sort(groups.begin(), groups.end());
    return groups;
}

}  // namespace dagscape
