#include "search/exact/systematic/systematic.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "infinity.hpp"
#include "search/exact/arc_decisions.hpp"
#include "search/exact/systematic/cluster_bound.hpp"
#include "search/exact/systematic/widest_cycle.hpp"

namespace dagscape {

namespace {

constexpr std::size_t most_nodes = std::numeric_limits<std::uint32_t>::max();

/// A branch of another node. No more is kept: decisions are gathered again on the way to the root.
struct Node {
    std::uint32_t parent;  // among all nodes
    std::uint32_t arcs;    // where the arcs of the parent's cycle begin
    std::uint32_t branch;  // which of them is forbidden; those before it are required
};

struct Open {
    double bound;
    std::uint32_t node;
};

/// Ties go to the newest, so that equals are followed to the end one by one.
bool comes_later(const Open& a, const Open& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    return a.node < b.node;
}

class Systematic {
  public:
    Systematic(const ParentLists& parents, Gap& gap, Control& control, const SystematicOptions& options)
        : options_(options),
          gap_(gap),
          control_(control),
          n_(parents.variables()),
          sets_(parents),
          decisions_(n_),
          clusters_(sets_),
          cycles_(n_),
          places_(n_),
          rows_(2, n_) {}
    ~Systematic() { control_.release(bytes_); }

    SystematicWork run() {
        if (room(nodes_, 1) && room(open_, 1)) push({0, 0, 0}, 0);
        while (!open_.empty() && !gap_.closed() && !control_.stopped()) {
            const Open node = open_.front();
            gap_.raise(node.bound);
            std::pop_heap(open_.begin(), open_.end(), comes_later);
            open_.pop_back();
            if (cut(node.bound) || !enter(node.node)) continue;
            if (!expand(node)) break;
        }
        if (open_.empty() && control_.why() == Stop::none) gap_.raise(gap_.regret());
        work_.clusters = clusters_.clusters();
        work_.bytes = bytes_;
        return work_;
    }

  private:
    /// Gathers what was decided on the way to a node, and the sets that are best then; false if there is no
    /// network left.
    bool enter(std::uint32_t id) {
        decisions_.clear();
        for (; id != 0; id = nodes_[id].parent) {
            const Arc* arc = &arcs_[nodes_[id].arcs];
            for (const Arc* end = arc + nodes_[id].branch; arc != end; ++arc)
                if (!decisions_.require(arc->parent, arc->child)) return false;
            decisions_.forbid(arc->parent, arc->child);
        }
        std::fill(places_.begin(), places_.end(), 0);
        return choose_sets();
    }

    /// Goes on to the best sets that obey; false if a variable has none.
    bool choose_sets() {
        relaxed_ = 0;
        for (std::size_t v = 0; v < n_; ++v) {
            const Var child = static_cast<Var>(v);
            places_[v] = look_up(child, decisions_.forbidden(child));
            relaxed_ += sets_.regret(child, places_[v]);
        }
        return relaxed_ < infinity;
    }

    /// False if a limit is reached.
    bool expand(const Open& node) {
        double raised = relaxed_;
        if (options_.clusters)
            raised += clusters_.raise(decisions_, places_, gap_.regret() - relaxed_, control_);
        const double bound = std::max(node.bound, raised);
        const double least_open = open_.empty() ? infinity : open_.front().bound;
        gap_.raise(std::min({bound, least_open, gap_.regret()}));
        if (control_.stopped()) return false;
        if (options_.clusters && clusters_.order().size() == n_) offer_along(clusters_.order());
        if (cut(bound)) return true;

        const std::vector<DearArc> cycle = cycle_to_break();
        if (cycle.empty()) {
            gap_.offer(relaxed_, places_);
            return true;
        }
        ++work_.expanded;
        return branch(node, raised, cycle);
    }

    std::vector<DearArc> cycle_to_break() {
        std::vector<DearArc> arcs;
        for (std::size_t v = 0; v < n_; ++v) {
            const Var child = static_cast<Var>(v);
            BitRows::for_each(sets_.set(child, places_[v]), rows_.width(),
                              [&](Var parent) { arcs.push_back({0, 0, {parent, child}}); });
        }
        trim(arcs, n_);
        for (DearArc& a : arcs) {
            const auto [parent, child] = a.arc;
            const bool kept = decisions_.is_required(parent, child);
            a.cost_among_equals = kept ? infinity : regret_without(a.arc);
            a.cost = kept || !options_.clusters ? a.cost_among_equals : clusters_.cost_without(parent, child);
        }
        std::vector<DearArc> cycle = cycles_.find(arcs);
        std::erase_if(cycle,
                      [&](const DearArc& a) { return decisions_.is_required(a.arc.parent, a.arc.child); });
        // The cheapest arc comes first in a cycle as it is found.
        std::stable_sort(cycle.begin(), cycle.end(), [](const DearArc& a, const DearArc& b) {
            if (a.cost != b.cost) return a.cost > b.cost;
            return a.cost_among_equals > b.cost_among_equals;
        });
        return cycle;
    }

    bool branch(const Open& node, double raised, const std::vector<DearArc>& cycle) {
        const std::size_t more = cycle.size();
        if (!room(arcs_, more) || !room(nodes_, more) || !room(open_, more)) return false;
        const auto begin = static_cast<std::uint32_t>(arcs_.size());
        for (const DearArc& a : cycle) arcs_.push_back(a.arc);
        for (std::uint32_t i = 0; i < more; ++i) {
            const Arc arc = cycle[i].arc;
            // Clusters leave each set what it costs beyond their bound; beyond the node's own it may be less.
            const double without =
                std::max({node.bound, raised + cycle[i].cost, relaxed_ + regret_without(arc)});
            if (!cut(without)) push({node.node, begin, i}, without);
            if (i + 1 < more && !(decisions_.require(arc.parent, arc.child) && choose_sets())) break;
        }
        return true;
    }

    /// What the child loses further if this arc is forbidden.
    double regret_without(Arc arc) {
        rows_.copy(0, decisions_.forbidden(arc.child));
        rows_.insert(0, arc.parent);
        return sets_.regret(arc.child, look_up(arc.child, rows_[0])) -
               sets_.regret(arc.child, places_[arc.child]);
    }

    std::uint32_t look_up(Var child, const BitRows::Word* forbidden) {
        ++work_.lookups;
        return sets_.place(child, decisions_.required(child), forbidden, places_[child]);
    }

    /// Each variable takes its best set among those before it, whatever was decided.
    void offer_along(const std::vector<Var>& order) {
        constexpr std::size_t none = 0, later = 1;
        rows_.clear();
        for (const Var v : order) rows_.insert(later, v);
        std::vector<std::uint32_t> chosen(n_);
        double regret = 0;
        for (const Var v : order) {
            ++work_.lookups;
            chosen[v] = sets_.place(v, rows_[none], rows_[later], 0);
            regret += sets_.regret(v, chosen[v]);
            if (regret >= gap_.regret()) return;
            rows_.erase(later, v);
        }
        gap_.offer(regret, std::move(chosen));
    }

    bool cut(double bound) {
        if (bound < gap_.regret() - Gap::tolerance) return false;
        ++work_.cut;
        return true;
    }

    void push(const Node& node, double bound) {
        open_.push_back({bound, static_cast<std::uint32_t>(nodes_.size())});
        std::push_heap(open_.begin(), open_.end(), comes_later);
        nodes_.push_back(node);
        ++work_.nodes;
        work_.most_open = std::max(work_.most_open, open_.size());
    }

    /// Makes room for more items; false if that would take too much memory.
    template <typename Item>
    bool room(std::vector<Item>& items, std::size_t more) {
        const std::size_t before = items.capacity();
        if (items.size() + more <= before) return true;
        const std::size_t after = std::max(2 * before, items.size() + more);
        if (after > most_nodes) control_.stop(Stop::memory);
        control_.charge(after * sizeof(Item));  // while items move, there are two of each
        bytes_ += after * sizeof(Item);
        if (control_.why() == Stop::memory) return false;
        items.reserve(after);
        control_.release(before * sizeof(Item));
        bytes_ -= before * sizeof(Item);
        return true;
    }

    const SystematicOptions options_;
    Gap& gap_;
    Control& control_;
    std::size_t n_;
    DecidedRegrets sets_;
    ArcDecisions decisions_;
    ClusterBound clusters_;
    WidestCycle cycles_;
    std::vector<std::uint32_t> places_;  // of the node at hand
    double relaxed_ = 0;                 // what these sets lose together
    BitRows rows_;                       // to look up with
    std::vector<Node> nodes_;
    std::vector<Open> open_;  // a heap
    std::vector<Arc> arcs_;
    std::size_t bytes_ = 0;
    SystematicWork work_;
};

}  // namespace

SystematicWork systematic(const ParentLists& parents, Gap& gap, Control& control,
                          const SystematicOptions& options) {
    const std::size_t bytes = DecidedRegrets::bytes(parents) + ClusterBound::bytes(parents.sets());
    control.charge(bytes);
    SystematicWork work;
    if (!control.stopped()) {
        work = Systematic(parents, gap, control, options).run();
        work.bytes += bytes;
    }
    control.release(bytes);
    return work;
}

}  // namespace dagscape
