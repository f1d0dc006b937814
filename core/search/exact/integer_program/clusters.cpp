#include "search/exact/integer_program/clusters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace dagscape {

namespace {

/// A family that has weight in the solution.
struct Supported {
    Var child;
    std::vector<Var> parents;
    double weight;
    std::uint32_t inside = 0;  // parents that joined
    std::uint32_t open = 0;    // parents not decided
};

class ClusterSearch {
  public:
    ClusterSearch(std::size_t variables, std::vector<Supported> families, double limit,
                  std::uint64_t most_steps)
        : families_(std::move(families)),
          of_child_(variables),
          of_parent_(variables),
          state_(variables, State::open),
          limit_(limit),
          most_steps_(most_steps) {
        for (std::uint32_t f = 0; f < families_.size(); ++f) {
            families_[f].open = static_cast<std::uint32_t>(families_[f].parents.size());
            of_child_[families_[f].child].push_back(f);
            for (const Var parent : families_[f].parents) of_parent_[parent].push_back(f);
        }
        for (auto& own : of_child_)
            std::stable_sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) {
                return families_[a].weight > families_[b].weight;
            });
    }

    /// Searches sets with `root` in them; tells whether it came to an end.
    bool from(Var root) {
        steps_ = 0;
        best_ = limit_;
        join(root);
        grow();
        leave(root);
        total_steps_ += steps_;
        const bool ended = steps_ < most_steps_;
        if (ended && best_ == limit_) shut(root);
        return ended;
    }
    bool is_open(Var v) const { return state_[v] == State::open; }
    const std::map<std::vector<Var>, double>& found() const { return found_; }
    std::uint64_t steps() const { return total_steps_; }

  private:
    enum class State : std::uint8_t { open, in, out };

    void join(Var v) {
        state_[v] = State::in;
        members_.push_back(v);
        for (const std::uint32_t f : of_parent_[v]) {
            --families_[f].open;
            ++families_[f].inside;
        }
        for (const std::uint32_t f : of_child_[v])
            if (families_[f].inside == 0 && families_[f].open == 0) lost_ += families_[f].weight;
    }
    void leave(Var v) {
        for (const std::uint32_t f : of_child_[v])
            if (families_[f].inside == 0 && families_[f].open == 0) lost_ -= families_[f].weight;
        for (const std::uint32_t f : of_parent_[v]) {
            ++families_[f].open;
            --families_[f].inside;
        }
        members_.pop_back();
        state_[v] = State::open;
    }
    void shut(Var v) {
        state_[v] = State::out;
        for (const std::uint32_t f : of_parent_[v]) {
            Supported& family = families_[f];
            --family.open;
            if (family.open == 0 && family.inside == 0 && state_[family.child] == State::in)
                lost_ += family.weight;
        }
    }
    void reopen(Var v) {
        for (const std::uint32_t f : of_parent_[v]) {
            Supported& family = families_[f];
            if (family.open == 0 && family.inside == 0 && state_[family.child] == State::in)
                lost_ -= family.weight;
            ++family.open;
        }
        state_[v] = State::open;
    }
    /// What a variable loses at once by joining.
    double loss(Var v) const {
        double sum = 0;
        for (const std::uint32_t f : of_child_[v])
            if (families_[f].inside == 0 && families_[f].open == 0) sum += families_[f].weight;
        return sum;
    }

    void grow() {
        if (lost_ >= best_ - 1e-9 || ++steps_ >= most_steps_) return;
        const Supported* heaviest = nullptr;
        for (const Var v : members_)
            for (const std::uint32_t f : of_child_[v]) {
                const Supported& family = families_[f];
                if (family.inside > 0 || family.open == 0) continue;
                if (heaviest == nullptr || family.weight > heaviest->weight) heaviest = &family;
                break;  // the child's others weigh less
            }
        if (heaviest == nullptr) {
            best_ = lost_;
            std::vector<Var> cluster = members_;
            std::sort(cluster.begin(), cluster.end());
            found_.emplace(std::move(cluster), lost_);
            return;
        }
        std::vector<std::pair<double, Var>> choices;
        for (const Var parent : heaviest->parents)
            if (state_[parent] == State::open) choices.emplace_back(loss(parent), parent);
        std::sort(choices.begin(), choices.end());
        for (const auto& [cost, parent] : choices) {
            join(parent);
            grow();
            leave(parent);
            shut(parent);
        }
        grow();
        for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) reopen(choice->second);
    }

    std::vector<Supported> families_;
    std::vector<std::vector<std::uint32_t>> of_child_, of_parent_;
    std::vector<State> state_;
    std::vector<Var> members_;
    std::map<std::vector<Var>, double> found_;  // with what they lose
    double limit_;
    double best_ = 0;
    double lost_ = 0;
    std::uint64_t most_steps_;
    std::uint64_t steps_ = 0, total_steps_ = 0;
};

}  // namespace

Violated violated_clusters(const Families& families, std::span<const Families::Column> columns,
                           std::span<const double> x, double by_at_least, std::uint64_t most_steps,
                           std::size_t most_cuts) {
    std::vector<Supported> supported;
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (x[c] > 1e-9)
            supported.push_back({families.child(columns[c]), families.parents(columns[c]), x[c]});
    ClusterSearch search(families.variables(), std::move(supported), 1 - by_at_least, most_steps);
    Violated result;
    for (std::size_t v = 0; v < families.variables(); ++v)
        if (!search.from(static_cast<Var>(v))) result.exhaustive = false;
    result.steps = search.steps();
    std::vector<std::pair<double, std::vector<Var>>> order;
    for (const auto& [cluster, lost] : search.found()) order.emplace_back(lost, cluster);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        if (a.second.size() != b.second.size()) return a.second.size() < b.second.size();
        return a.second < b.second;
    });
    if (order.size() > most_cuts) order.resize(most_cuts);
    for (auto& [lost, cluster] : order) result.cuts.push_back({std::move(cluster), 1, 1, {}});
    return result;
}

std::vector<Cut> violated_packings(const Families& families, std::span<const Families::Column> columns,
                                   std::span<const double> x, double by_at_least) {
    std::map<std::vector<Var>, double> weights;
    const auto add = [&](std::vector<Var> members, double weight) {
        std::sort(members.begin(), members.end());
        weights[std::move(members)] += weight;
    };
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (x[c] < 1e-9) continue;
        const Var child = families.child(columns[c]);
        const std::vector<Var> parents = families.parents(columns[c]);
        for (std::size_t i = 0; i < parents.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                add({child, parents[i], parents[j]}, x[c]);
                for (std::size_t k = 0; k < j; ++k) add({child, parents[i], parents[j], parents[k]}, x[c]);
            }
    }
    std::vector<Cut> cuts;
    for (const auto& [members, weight] : weights) {
        const auto least = static_cast<std::uint32_t>(members.size() - 1);
        if (weight > 1 + by_at_least) cuts.push_back({members, least, static_cast<double>(least), {}});
    }
    return cuts;
}

}  // namespace dagscape
