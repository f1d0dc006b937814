#include "search/order/best_parent_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace dagscape {

namespace {

/// Arcs that are there or not, by number.
class Arcs {
  public:
    Arcs(std::size_t variables, const std::vector<BestParentGraph::WeightedArc>& arcs)
        : arcs_(arcs), out_(variables), present_(arcs.size(), true), state_(variables) {
        for (std::size_t i = 0; i < arcs.size(); ++i) out_[arcs[i].from].push_back(i);
    }
    /// Tells whether it was there.
    bool remove(std::size_t arc) { return std::exchange(present_[arc], char{false}); }
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
    std::vector<char> present_;
    std::vector<State> state_;
};

}  // namespace

BestParentGraph::BestParentGraph(const ParentLists& parents, Control& control)
    : variables_(parents.variables()) {
    std::vector<char> in_best(variables_);
    for (std::size_t v = 0; v < variables_; ++v) {
        const ParentList& list = parents.lists[v];
        if (list.size() == 0) continue;
        const Members best = list.parents(0);
        for (const Var parent : best) in_best[parent] = true;
        // Parents without which no set was met yet; the first within the others is the best.
        std::vector<Var> open(best.begin(), best.end());
        std::vector<double> without(best.size(), -std::numeric_limits<double>::infinity());
        const bool late = control.stopped();
        for (std::size_t at = 1; at < list.size() && !open.empty() && !late; ++at) {
            const Members set = list.parents(at);
            if (!std::all_of(set.begin(), set.end(), [&](Var x) { return in_best[x] != 0; })) continue;
            std::erase_if(open, [&](Var parent) {
                if (std::binary_search(set.begin(), set.end(), parent)) return false;
                without[static_cast<std::size_t>(std::lower_bound(best.begin(), best.end(), parent) -
                                                 best.begin())] = list.score(at);
                return true;
            });
        }
        for (std::size_t i = 0; i < best.size(); ++i)
            arcs_.push_back({best[i], static_cast<Var>(v), late ? 0 : list.score(0) - without[i]});
        for (const Var parent : best) in_best[parent] = false;
    }
}

std::vector<std::size_t> BestParentGraph::feedback_arcs(Control& control) const {
    Arcs graph(variables_, arcs_);
    std::vector<double> left;
    for (const WeightedArc& arc : arcs_) left.push_back(arc.weight);
    std::vector<std::size_t> removed;
    const auto remove = [&](std::size_t arc) {
        if (graph.remove(arc)) removed.push_back(arc);
    };
    for (std::vector<std::size_t> cycle; !(cycle = graph.cycle()).empty();) {
        if (control.stopped()) {
            for (std::size_t arc = 0; arc < arcs_.size(); ++arc)
                if (arcs_[arc].from > arcs_[arc].to) remove(arc);
            break;
        }
        double least = std::numeric_limits<double>::infinity();
        for (const std::size_t arc : cycle) least = std::min(least, left[arc]);
        for (const std::size_t arc : cycle) {
            // The least goes whatever rounding makes of it, so that every round removes one at least; arcs
            // without which a variable has no set at all are infinitely dear, and go only among themselves.
            const bool gone = left[arc] == least;
            if (left[arc] < std::numeric_limits<double>::infinity()) left[arc] -= least;
            if (gone) remove(arc);
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
