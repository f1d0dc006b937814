#include "search/exact/dual_bound/cluster_climb.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace dagscape {

namespace {

/// Pairs of parent and child that begin a cluster have at least so much weight.
constexpr double least_pair = 0.1;
/// The first joins are made even where nothing gains by them: single variables have nothing to lose.
constexpr int blind_steps = 4;
constexpr int most_steps = 40;
constexpr double least_gain = 1e-6;

class Climb {
  public:
    Climb(const Families& families, std::span<const Families::Column> columns, std::span<const double> x)
        : n_(families.variables()), of_child_(n_), of_parent_(n_), own_(n_), drawn_(n_), member_(n_) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto number = static_cast<std::uint32_t>(all_.size());
            all_.push_back({families.child(columns[c]), families.parents(columns[c]), x[c], 0});
            of_child_[all_.back().child].push_back(number);
            for (const Var parent : all_.back().parents) of_parent_[parent].push_back(number);
        }
    }

    /// Where clusters begin.
    std::vector<std::vector<Var>> seeds() const {
        std::vector<std::vector<Var>> result;
        std::map<std::pair<Var, Var>, double> pairs;
        for (const Family& family : all_)
            for (const Var parent : family.parents) pairs[std::minmax(parent, family.child)] += family.weight;
        for (std::size_t v = 0; v < n_; ++v) result.push_back({static_cast<Var>(v)});
        for (const auto& [pair, weight] : pairs)
            if (weight > least_pair) result.push_back({pair.first, pair.second});
        return result;
    }

    /// The cluster that a climb from these ends at, and what its members' families without a parent in it
    /// weigh.
    std::pair<std::vector<Var>, double> from(const std::vector<Var>& seed) {
        clear();
        for (const Var v : seed) join(v);
        for (int step = 0; step < most_steps; ++step) {
            const auto [joining, gain] = best_join();
            const auto [leaving, other] = step > blind_steps ? best_leave() : std::pair{none, 0.0};
            if (leaving != none && other > least_gain && other > gain) {
                leave(leaving);
            } else if (joining != none && (gain > least_gain || step < blind_steps)) {
                join(joining);
            } else {
                break;
            }
        }
        std::vector<Var> members;
        double weight = 0;
        for (std::size_t v = 0; v < n_; ++v) {
            if (!member_[v]) continue;
            members.push_back(static_cast<Var>(v));
            weight += own_[v];
        }
        return {std::move(members), weight};
    }

  private:
    static constexpr Var none = static_cast<Var>(-1);
    struct Family {
        Var child;
        std::vector<Var> parents;
        double weight;
        std::uint32_t inside;  // parents in the cluster
    };

    void clear() {
        std::fill(member_.begin(), member_.end(), false);
        std::fill(drawn_.begin(), drawn_.end(), 0.0);
        std::fill(own_.begin(), own_.end(), 0.0);
        for (Family& family : all_) {
            family.inside = 0;
            own_[family.child] += family.weight;
        }
    }
    /// A member's family that has no parent inside draws its parents in.
    void draw(const Family& family, double weight) {
        for (const Var parent : family.parents) drawn_[parent] += weight;
    }
    void join(Var v) {
        for (const std::uint32_t f : of_parent_[v]) {
            Family& family = all_[f];
            if (family.inside++ > 0) continue;
            own_[family.child] -= family.weight;
            if (member_[family.child]) draw(family, -family.weight);
        }
        member_[v] = true;
        for (const std::uint32_t f : of_child_[v])
            if (all_[f].inside == 0) draw(all_[f], all_[f].weight);
    }
    void leave(Var v) {
        for (const std::uint32_t f : of_child_[v])
            if (all_[f].inside == 0) draw(all_[f], -all_[f].weight);
        member_[v] = false;
        for (const std::uint32_t f : of_parent_[v]) {
            Family& family = all_[f];
            if (--family.inside > 0) continue;
            own_[family.child] += family.weight;
            if (member_[family.child]) draw(family, family.weight);
        }
    }
    std::pair<Var, double> best_join() const {
        std::pair<Var, double> best{none, 0};
        for (std::size_t v = 0; v < n_; ++v) {
            if (member_[v] || drawn_[v] <= least_gain) continue;
            const double gain = drawn_[v] - own_[v];
            if (best.first == none || gain > best.second) best = {static_cast<Var>(v), gain};
        }
        return best;
    }
    std::pair<Var, double> best_leave() const {
        std::pair<Var, double> best{none, 0};
        for (std::size_t v = 0; v < n_; ++v) {
            if (!member_[v]) continue;
            double gain = own_[v];
            for (const std::uint32_t f : of_parent_[v])
                if (all_[f].inside == 1 && member_[all_[f].child]) gain -= all_[f].weight;
            if (best.first == none || gain > best.second) best = {static_cast<Var>(v), gain};
        }
        return best;
    }

    std::size_t n_;
    std::vector<Family> all_;
    std::vector<std::vector<std::uint32_t>> of_child_, of_parent_;
    std::vector<double> own_;    // by variable: weight of its families without a parent inside
    std::vector<double> drawn_;  // by variable: weight of such families of members that have it as parent
    std::vector<bool> member_;
};

}  // namespace

std::vector<Cut> climbed_clusters(const Families& families, std::span<const Families::Column> columns,
                                  std::span<const double> x, double by_at_least) {
    Climb climb(families, columns, x);
    std::map<std::vector<Var>, double> found;
    for (const std::vector<Var>& seed : climb.seeds()) {
        auto [members, weight] = climb.from(seed);
        if (members.size() > 1 && weight < 1 - by_at_least) found.emplace(std::move(members), weight);
    }
    std::vector<Cut> cuts;
    for (const auto& [members, weight] : found) cuts.push_back({members, 1, 1, {}});
    return cuts;
}

}  // namespace dagscape
