#include "posterior/class_weight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "graphs/meek.hpp"

namespace dagscape {

namespace {

constexpr double zero = -std::numeric_limits<double>::infinity();

/// Logs of weights, added up.
class LogSum {
  public:
    void add(double log) {
        if (log == zero) return;
        if (log > most_) {
            sum_ = sum_ * std::exp(most_ - log) + 1;
            most_ = log;
        } else {
            sum_ += std::exp(log - most_);
        }
        ++count_;
    }
    double log() const { return count_ == 0 ? zero : most_ + std::log(sum_); }
    double most() const { return most_; }
    std::size_t count() const { return count_; }

  private:
    double sum_ = 0, most_ = zero;
    std::size_t count_ = 0;
};

/// The ways to direct one undirected component.
class Directions {
  public:
    Directions(const Scorer& scorer, const Constraints& constraints, const Pdag& essential,
               std::vector<Var> members, std::size_t most)
        : scorer_(scorer),
          constraints_(constraints),
          essential_(essential),
          members_(std::move(members)),
          left_(most) {}

    /// Whether all could be listed.
    bool list(LogSum& sum) {
        std::vector<Arc> edges;
        for (std::size_t i = 0; i < members_.size(); ++i)
            for (std::size_t j = i + 1; j < members_.size(); ++j)
                if (essential_.undirected(members_[i]).contains(members_[j]))
                    edges.emplace_back(static_cast<Var>(i), static_cast<Var>(j));
        return direct(Orientation(members_.size(), edges), sum);
    }

  private:
    bool direct(const Orientation& so_far, LogSum& sum) {
        const Pdag graph = so_far.pdag();
        const std::vector<Arc> open = graph.undirected_edges();
        if (open.empty()) {
            if (left_-- == 0) return false;
            sum.add(weight(graph));
            return true;
        }
        for (const auto& [from, to] : {open[0], Arc(open[0].second, open[0].first)}) {
            Orientation next = so_far;
            next.add_arc(from, to);
            next.follow();
            if (!direct(next, sum)) return false;
        }
        return true;
    }
    double weight(const Pdag& directed) const {
        double total = 0;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            WideSet parents = essential_.parents(members_[i]);
            for (const Var parent : directed.parents(static_cast<Var>(i))) parents.insert(members_[parent]);
            const std::vector<Var> set = parents.members();
            if (!constraints_.allows(members_[i], set)) return zero;
            total += scorer_.local(members_[i], set);
        }
        return total;
    }

    const Scorer& scorer_;
    const Constraints& constraints_;
    const Pdag& essential_;
    std::vector<Var> members_;
    std::size_t left_;
};

/// Variables that undirected edges join, a variable without any by itself.
std::vector<std::vector<Var>> undirected_components(const Pdag& graph) {
    std::vector<std::vector<Var>> components;
    std::vector<bool> seen(graph.variables());
    for (std::size_t v = 0; v < graph.variables(); ++v) {
        if (seen[v]) continue;
        std::vector<Var> component{static_cast<Var>(v)};
        seen[v] = true;
        for (std::size_t at = 0; at < component.size(); ++at)
            for (const Var next : graph.undirected(component[at]))
                if (!seen[next]) {
                    seen[next] = true;
                    component.push_back(next);
                }
        std::sort(component.begin(), component.end());
        components.push_back(std::move(component));
    }
    return components;
}

}  // namespace

std::optional<ClassWeight> class_weight(const Scorer& scorer, const Constraints& constraints,
                                        const Pdag& essential, std::size_t most) {
    ClassWeight weight{0, 0, 1};
    for (std::vector<Var>& members : undirected_components(essential)) {
        LogSum sum;
        if (!Directions(scorer, constraints, essential, std::move(members), most).list(sum))
            return std::nullopt;
        weight.log_sum += sum.log();
        weight.log_best += sum.most();
        weight.networks *= static_cast<double>(sum.count());
    }
    return weight;
}

}  // namespace dagscape
