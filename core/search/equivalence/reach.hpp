#pragma once

#include <cstdint>
#include <vector>

#include "search/equivalence/essential.hpp"

namespace dagscape {

/// Where paths that follow arcs and undirected edges of an essential graph lead, for every variable.
///
/// Variables joined by undirected edges make components, and no such path comes back to a component that it
/// has left: essential graphs are chain graphs (Andersson, Madigan and Perlman, Annals of Statistics 1997).
/// So what lies below a component is found once for all of it, the lowest first.
template <typename Set>
class Reach {
  public:
    explicit Reach(const Essential<Set>& graph) : graph_(graph) {}

    /// To be called after the graph has changed.
    void update() {
        const std::size_t n = graph_.variables();
        component_.assign(n, none);
        below_.assign(n, Set());
        all_.clear();
        arcs_.clear();
        lowest_.clear();
        for (std::size_t v = 0; v < n; ++v)
            if (component_[v] == none) add_component(static_cast<Var>(v));
        while (!lowest_.empty()) {
            const std::uint32_t at = lowest_.back();
            lowest_.pop_back();
            const Set members = all_[at];
            for (const Var v : members) all_[at] = all_[at] | below_[v];
            for (const Var v : members)
                for (const Var parent : graph_.parents(v)) {
                    below_[parent] = below_[parent] | all_[at];
                    if (--arcs_[component_[parent]] == 0) lowest_.push_back(component_[parent]);
                }
        }
    }
    /// The variables that paths from one lead to, and itself.
    const Set& all(Var from) const { return all_[component_[from]]; }
    /// Those that paths lead to without some of its undirected neighbors.
    Set without(Var from, const Set& some) const {
        if (some.empty()) return all(from);
        Set found, reached = Set() | from, front = reached;
        while (!front.empty()) {
            Set next;
            for (const Var v : front) {
                found = found | below_[v];
                next = next | graph_.neighbors(v);
            }
            front = next - some - reached;
            reached = reached | front;
        }
        return found | reached;
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void add_component(Var first) {
        const auto number = static_cast<std::uint32_t>(all_.size());
        Set members = Set() | first, front = members;
        std::size_t arcs = 0;
        while (!front.empty()) {
            Set next;
            for (const Var v : front) {
                component_[v] = number;
                arcs += graph_.children(v).size();
                next = next | graph_.neighbors(v);
            }
            front = next - members;
            members = members | front;
        }
        all_.push_back(members);
        arcs_.push_back(arcs);
        if (arcs == 0) lowest_.push_back(number);
    }

    const Essential<Set>& graph_;
    std::vector<std::uint32_t> component_;  // by variable
    std::vector<Set> below_;                // what the variable's own arcs lead to
    std::vector<Set> all_;                  // by component: its members, then all that paths lead to
    std::vector<std::size_t> arcs_;         // by component: out of it, to what is not yet done
    std::vector<std::uint32_t> lowest_;     // components all of whose arcs are done
};

}  // namespace dagscape
