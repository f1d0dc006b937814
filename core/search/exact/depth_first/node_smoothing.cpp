#include "search/exact/depth_first/node_smoothing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/exact/depth_first/node_ascent.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

/// The temperature at first: the gap, shared among so many times as many parts as variables are left.
constexpr double parts_per_variable = 4;
/// Families take part within so many temperatures.
constexpr double reach = 60;
constexpr double cooling = 0.67;
/// Colder when a round raised the bound by less than this share of the gap. When so many rounds in succession
/// raised the best bound by less than a smaller one, it ends.
constexpr double least_rise = 0.06, least_gain = 0.03;
constexpr std::size_t most_idle_rounds = 4;
/// A bound that is below the best by more than this share of the gap has gone astray.
constexpr double fallen = 0.5;
constexpr std::size_t sweeps = 20;
/// A price changes by at most so many temperatures at a time.
constexpr double longest_step = 4;
constexpr int halvings = 18;

template <typename Set>
class NodeSmoothing {
  public:
    using Problem = Subproblem<Set>;
    using Cost = typename Problem::Cost;

    NodeSmoothing(Problem& problem, double temperature) : problem_(problem), temperature_(temperature) {
        unite_clusters();
        for (const Var v : problem_.left()) {
            Choice& choice = choices_[v];
            for (const auto& family : problem_.families(v)) {
                const double reduced = static_cast<double>(family.reduced);
                if (reduced >= reach * temperature_) continue;
                choice.parents.push_back(family.parents);
                choice.weights.push_back(std::exp(-reduced / temperature_));
            }
        }
        for (const auto& price : problem_.prices()) {
            Cluster& cluster = clusters_.emplace_back();
            if (price.cut >= 0) continue;
            for (const Var v : price.members) {
                std::vector<std::uint32_t> avoiding;
                for (std::size_t at = 0; at < choices_[v].parents.size(); ++at)
                    if (!choices_[v].parents[at].intersects(price.members))
                        avoiding.push_back(static_cast<std::uint32_t>(at));
                if (!avoiding.empty()) cluster.members.push_back({v, std::move(avoiding)});
            }
            cluster.amount = static_cast<double>(price.amount);
        }
    }

    void run(Control& control) {
        for (std::size_t sweep = 0; sweep < sweeps && !control.stopped(); ++sweep) {
            for (const Var v : problem_.left()) choices_[v].normalize();
            for (Cluster& cluster : clusters_)
                if (!cluster.members.empty()) improve(cluster);
        }
        apply();
    }

  private:
    struct Choice {
        std::vector<Set> parents;
        std::vector<double> weights;
        double sum = 0;

        void normalize() {
            double total = 0;
            for (const double weight : weights) total += weight;
            for (double& weight : weights) weight /= total;
            sum = 1;
        }
    };
    struct Member {
        Var variable;
        std::vector<std::uint32_t> avoiding;  // families that avoid the cluster
    };
    struct Cluster {
        std::vector<Member> members;
        double amount = 0;
    };

    /// The same cluster may have been priced more than once.
    void unite_clusters() {
        auto& prices = problem_.prices();
        std::sort(prices.begin(), prices.end(), [](const auto& a, const auto& b) {
            return a.cut != b.cut ? a.cut < b.cut : a.members < b.members;
        });
        std::size_t kept = 0;
        for (std::size_t at = 0; at < prices.size(); ++at) {
            if (kept > 0 && prices[at].cut < 0 && prices[kept - 1].cut < 0 &&
                prices[kept - 1].members == prices[at].members) {
                prices[kept - 1].amount += prices[at].amount;
            } else {
                prices[kept++] = prices[at];
            }
        }
        prices.resize(kept);
    }

    /// Changes a price until just one member avoids the cluster, as weights go; 0 is the least price.
    void improve(Cluster& cluster) {
        avoiding_.clear();
        for (const Member& member : cluster.members) {
            double sum = 0;
            for (const std::uint32_t at : member.avoiding) sum += choices_[member.variable].weights[at];
            avoiding_.push_back(sum);
        }
        const auto expected = [&](double times) {
            double sum = 0;
            for (std::size_t i = 0; i < avoiding_.size(); ++i) {
                const double all = choices_[cluster.members[i].variable].sum;
                const double with = avoiding_[i] * times;
                const double total = std::max(0.0, all - avoiding_[i]) + with;
                if (total > 0) sum += with / total;
            }
            return sum;
        };
        double low = std::max(-cluster.amount / temperature_, -longest_step), high = longest_step, by = low;
        if (expected(std::exp(low)) < 1) {
            by = high;
            if (expected(std::exp(high)) > 1) {
                for (int i = 0; i < halvings; ++i) {
                    const double middle = (low + high) / 2;
                    (expected(std::exp(middle)) > 1 ? high : low) = middle;
                }
                by = (low + high) / 2;
            }
        }
        const double times = std::exp(by);
        cluster.amount = std::max(0.0, cluster.amount + by * temperature_);
        for (std::size_t i = 0; i < avoiding_.size(); ++i) {
            Choice& choice = choices_[cluster.members[i].variable];
            for (const std::uint32_t at : cluster.members[i].avoiding) choice.weights[at] *= times;
            choice.sum += avoiding_[i] * (times - 1);
            if (!(choice.sum > 1e-100 && choice.sum < 1e100)) choice.normalize();
        }
    }

    /// Makes the bound exact again, with the prices that were found.
    void apply() {
        std::vector<std::vector<typename Problem::Step>> steps(Set::most);
        auto& prices = problem_.prices();
        for (std::size_t at = 0; at < prices.size(); ++at) {
            if (clusters_[at].members.empty()) continue;
            const Cost amount = static_cast<Cost>(clusters_[at].amount), by = amount - prices[at].amount;
            if (by == 0) continue;
            prices[at].amount = amount;
            problem_.shift(by);
            for (const Var v : prices[at].members) steps[v].push_back({prices[at].members, by});
        }
        for (const Var v : problem_.left()) {
            Problem::take(problem_.families(v), steps[v]);
            problem_.level(v);
        }
        std::erase_if(prices, [](const auto& price) { return price.cut < 0 && price.amount == 0; });
    }

    Problem& problem_;
    double temperature_;
    std::array<Choice, Set::most> choices_;
    std::vector<Cluster> clusters_;  // as the prices; without members where the price stays
    std::vector<double> avoiding_;
};

}  // namespace

template <typename Set>
bool smooth(Subproblem<Set>& problem, typename Subproblem<Set>::Cost limit, std::size_t rounds,
            Random& random, std::uint64_t& steps, Control& control) {
    using Cost = typename Subproblem<Set>::Cost;
    const auto gap_of = [&](const Subproblem<Set>& one) { return static_cast<double>(limit - one.bound()); };
    double temperature = gap_of(problem) / parts_per_variable / static_cast<double>(problem.left().size());
    Subproblem<Set> best = problem;
    Cost last = problem.bound();
    std::size_t idle = 0;
    for (std::size_t round = 0; round < rounds && idle < most_idle_rounds && !control.stopped(); ++round) {
        NodeSmoothing<Set>(problem, temperature).run(control);
        if (ascend(problem, limit, random, steps, control)) return true;
        const double gap = gap_of(best);
        const double rise = static_cast<double>(problem.bound() - last);
        last = problem.bound();
        const double gain = static_cast<double>(problem.bound() - best.bound());
        idle = gain < least_gain * gap ? idle + 1 : 0;
        if (gain > 0) {
            best = problem;
        } else if (gain < -fallen * gap) {
            problem = best;
            last = problem.bound();
            temperature *= cooling;
        }
        if (rise < least_rise * gap) temperature *= cooling;
    }
    problem = std::move(best);
    return false;
}

template bool smooth(Subproblem<VarSet>&, Subproblem<VarSet>::Cost, std::size_t, Random&, std::uint64_t&,
                     Control&);
template bool smooth(Subproblem<FixedSet<2>>&, Subproblem<FixedSet<2>>::Cost, std::size_t, Random&,
                     std::uint64_t&, Control&);
template bool smooth(Subproblem<FixedSet<4>>&, Subproblem<FixedSet<4>>::Cost, std::size_t, Random&,
                     std::uint64_t&, Control&);

}  // namespace dagscape
