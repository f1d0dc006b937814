#include "search/order/best_parent_graph.hpp"

#include <algorithm>
#include <limits>

namespace dagscape {

namespace {

/// Arcs that are there or not, by number.
class Arcs {
  public:
    Arcs(std::size_t variables, const std::vector<BestParentGraph::WeightedArc>& arcs)
        : arcs_(arcs), out_(variables), present_(arcs.size(), true), state_(variables) {
        for (std::size_t i = 0; i < arcs.size(); ++i) out_[arcs[i].from].push_back(i);
    }
    void remove(std::size_t arc) { present_[arc] = false; }
    void add(std::size_t arc) { present_[arc] = true; }

    /// The arcs of some cycle, or none: a depth-first search, from the lowest variable on.
    std::vector<std::size_t> cycle() {
        std::fill(state_.begin(), state_.end(), State::unseen);
        for (std::size_t v = 0; v < out_.size(); ++v) {
            if (state_[v] != State::unseen) continue;
            std::vector<std::size_t> found = cycle_from(static_cast<Var>(v));
            if (!found.empty()) return found;
        }
        return {};
    }
    bool reaches(Var from, Var to) {
        std::fill(state_.begin(), state_.end(), State::unseen);
        std::vector<Var> waiting = {from};
        state_[from] = State::open;
        while (!waiting.empty()) {
            const Var v = waiting.back();
            waiting.pop_back();
            if (v == to) return true;
            for (const std::size_t arc : out_[v])
                if (present_[arc] && state_[arcs_[arc].to] == State::unseen) {
                    state_[arcs_[arc].to] = State::open;
                    waiting.push_back(arcs_[arc].to);
                }
        }
        return false;
    }

  private:
    enum class State : unsigned char { unseen, open, done };

    std::vector<std::size_t> cycle_from(Var start) {
        std::vector<std::pair<Var, std::size_t>> path = {{start, 0}};  // with the next arc to look at
        std::vector<std::size_t> taken;
        state_[start] = State::open;
        while (!path.empty()) {
            auto& [v, next] = path.back();
            if (next == out_[v].size()) {
                state_[v] = State::done;
                path.pop_back();
                if (!taken.empty()) taken.pop_back();
                continue;
            }
            const std::size_t arc = out_[v][next++];
            const Var to = arcs_[arc].to;
            if (!present_[arc] || state_[to] == State::done) continue;
            taken.push_back(arc);
            if (state_[to] == State::open) {
                while (arcs_[taken.front()].from != to) taken.erase(taken.begin());
                return taken;
            }
            state_[to] = State::open;
            path.emplace_back(to, 0);
        }
        return {};
    }

    const std::vector<BestParentGraph::WeightedArc>& arcs_;
    std::vector<std::vector<std::size_t>> out_;
    std::vector<bool> present_;
    std::vector<State> state_;
};

}  // namespace

BestParentGraph::BestParentGraph(const ParentLists& parents) : variables_(parents.variables()) {
    for (std::size_t v = 0; v < variables_; ++v) {
        const ParentList& list = parents.lists[v];
        if (list.size() == 0) continue;
        const Members best = list.parents(0);
        for (const Var parent : best) {
            double without = -std::numeric_limits<double>::infinity();
            for (std::size_t at = 1; at < list.size(); ++at) {
                const Members set = list.parents(at);
                const bool within = std::includes(best.begin(), best.end(), set.begin(), set.end()) &&
                                    !std::binary_search(set.begin(), set.end(), parent);
                if (!within) continue;
                without = list.score(at);
                break;
            }
            arcs_.push_back({parent, static_cast<Var>(v), list.score(0) - without});
        }
    }
}

std::vector<std::size_t> BestParentGraph::feedback_arcs() const {
    Arcs graph(variables_, arcs_);
    std::vector<double> left;
    for (const WeightedArc& arc : arcs_) left.push_back(arc.weight);
    std::vector<std::size_t> removed;
    for (std::vector<std::size_t> cycle; !(cycle = graph.cycle()).empty();) {
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t arc : cycle) least = std::min(least, left[arc]);
        for (const std::size_t arc : cycle) {
            // The least goes whatever rounding makes of it, so that every round removes one at least; arcs
            // without which a variable has no set at all are infinitely dear, and go only among themselves.
            const bool gone = left[arc] == least;
            if (left[arc] < std::numeric_limits<double>::infinity()) left[arc] -= least;
            if (!gone) continue;
            graph.remove(arc);
            removed.push_back(arc);
        }
    }
    std::stable_sort(removed.begin(), removed.end(),
                     [&](std::size_t a, std::size_t b) { return arcs_[a].weight > arcs_[b].weight; });
    std::vector<std::size_t> out;
    for (const std::size_t arc : removed) {
        if (graph.reaches(arcs_[arc].to, arcs_[arc].from))
            out.push_back(arc);
        else
            graph.add(arc);
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace dagscape
