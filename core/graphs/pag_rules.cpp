#include "graphs/pag_rules.hpp"

#include <utility>
#include <vector>

namespace dagscape {

namespace {

class Rules {
  public:
    Rules(MarkedGraph& graph, const SaysTail& says_tail)
        : graph_(graph), says_tail_(says_tail), n_(graph.variables()) {}

    void run() {
        do {
            changed_ = false;
            heads_of_triples();
            if (!changed_) discriminating_paths();
            if (!changed_) tails();
        } while (changed_);
    }

  private:
    bool circle(Var at, Var other) const { return graph_.mark(at, other) == Mark::circle; }

    void put(Var at, Var other, Mark mark) {
        graph_.set_mark(at, other, mark);
        changed_ = true;
    }

    /// R1, R2 and R3, around each edge with a circle at its second end.
    void heads_of_triples() {
        for (Var b = 0; b < n_; ++b)
            for (const Var c : graph_.circles(b).members()) {
                // R1: a *-> b o-* c, a and c apart: b -> c.
                WideSet apart = graph_.heads(b) - graph_.adjacent(c);
                apart.erase(c);
                if (!apart.empty() && graph_.mark(c, b) != Mark::tail) {
                    put(b, c, Mark::tail);
                    if (circle(c, b)) put(c, b, Mark::head);
                    continue;
                }
                // R2, a head at b: c -> x *-> b or c *-> x -> b.
                if (gets_head(b, c) || collider_opposite(b, c)) put(b, c, Mark::head);
            }
    }

    bool gets_head(Var at, Var from) const {
        for (const Var x : graph_.heads(at)) {
            if (!graph_.heads(x).contains(from)) continue;
            if (graph_.directed(from, x) || graph_.directed(x, at)) return true;
        }
        return false;
    }

    /// R3: a *-> b <-* c, a *-o d o-* c, a and c apart, d *-o b.
    bool collider_opposite(Var b, Var d) const {
        const WideSet both = graph_.heads(b) & graph_.circles(d);
        for (const Var a : both) {
            WideSet apart = both - graph_.adjacent(a);
            apart.erase(a);
            if (!apart.empty()) return true;
        }
        return false;
    }

    /// R4, for each b o-* c.
    void discriminating_paths() {
        for (Var b = 0; b < n_; ++b)
            for (const Var c : graph_.circles(b).members())
                if (circle(b, c)) discriminate(b, c);
    }

    /// A path <first, ..., a, b, c>: all between first and b are colliders on it and parents of c, and first
    /// is not adjacent to c.
    void discriminate(Var b, Var c) {
        WideSet seen = graph_.parents(c) & graph_.adjacent(b);
        std::vector<std::pair<Var, Var>> found;  // a vertex of the path, and the one next to b
        for (const Var a : seen.members())
            if (graph_.heads(a).contains(b))
                found.emplace_back(a, a);
            else
                seen.erase(a);
        seen.insert(b);
        seen.insert(c);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto [q, a] = found[i];
            for (const Var p : graph_.heads(q)) {
                if (p == b || p == c) continue;
                if (!graph_.adjacent(p, c)) return decide(p, a, b, c);
                if (seen.contains(p) || !graph_.directed(p, c) || !graph_.heads(p).contains(q)) continue;
                seen.insert(p);
                found.emplace_back(p, a);
            }
        }
    }

    void decide(Var first, Var a, Var b, Var c) {
        if (says_tail_(first, b, c)) {
            if (graph_.mark(c, b) == Mark::tail) return;
            put(b, c, Mark::tail);
            if (circle(c, b)) put(c, b, Mark::head);
            return;
        }
        put(b, c, Mark::head);
        if (circle(c, b)) put(c, b, Mark::head);
        if (circle(b, a)) put(b, a, Mark::head);
    }

    /// R8 to R10, for each a o-> c.
    void tails() {
        for (Var a = 0; a < n_; ++a) {
            std::vector<std::pair<Var, WideSet>> walks;  // first steps, and where they lead; made when needed
            for (const Var c : graph_.circles(a).members()) {
                if (!graph_.heads(c).contains(a)) continue;
                if (!between(a, c)) {
                    if (walks.empty()) walks = uncovered_from(a);
                    if (!leads_to(walks, c)) continue;
                }
                put(a, c, Mark::tail);
            }
        }
    }

    /// R8: a -> b -> c.
    bool between(Var a, Var c) const {
        for (const Var b : graph_.parents(c))
            if (graph_.directed(a, b)) return true;
        return false;
    }

    /// R9: an uncovered potentially directed walk to c whose first step is not adjacent to c. R10: two to
    /// parents of c, whose first steps are not adjacent to each other.
    bool leads_to(const std::vector<std::pair<Var, WideSet>>& walks, Var c) const {
        for (const auto& [first, reached] : walks)
            if (first != c && !graph_.adjacent(first, c) && reached.contains(c)) return true;
        const auto useful = [&](const std::pair<Var, WideSet>& walk) {
            return walk.first != c && walk.second.intersects(graph_.parents(c));
        };
        for (std::size_t i = 0; i < walks.size(); ++i) {
            if (!useful(walks[i])) continue;
            for (std::size_t j = 0; j < i; ++j)
                if (!graph_.adjacent(walks[i].first, walks[j].first) && useful(walks[j])) return true;
        }
        return false;
    }

    /// Whether an edge could be an arrow this way: no head where it begins, no tail where it ends.
    bool could_lead(Var from, Var to) const {
        return !graph_.heads(from).contains(to) && !graph_.tails(to).contains(from);
    }

    std::vector<std::pair<Var, WideSet>> uncovered_from(Var start) const {
        std::vector<std::pair<Var, WideSet>> walks;
        for (const Var first : graph_.adjacent(start)) {
            if (!could_lead(start, first)) continue;
            WideSet reached(n_);
            reached.insert(first);
            std::vector<WideSet> seen(n_);  // by where a step ends: where it began
            std::vector<std::pair<Var, Var>> steps{{start, first}};
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const auto [x, y] = steps[i];
                for (const Var z : graph_.adjacent(y) - graph_.adjacent(x)) {
                    if (z == x || z == start || !could_lead(y, z)) continue;
                    if (seen[z] == WideSet()) seen[z] = WideSet(n_);
                    if (seen[z].contains(y)) continue;
                    seen[z].insert(y);
                    reached.insert(z);
                    steps.emplace_back(y, z);
                }
            }
            walks.emplace_back(first, std::move(reached));
        }
        return walks;
    }

    MarkedGraph& graph_;
    const SaysTail& says_tail_;
    std::size_t n_;
    bool changed_ = false;
};

}  // namespace

void follow_rules(MarkedGraph& graph, const SaysTail& says_tail) { Rules(graph, says_tail).run(); }

}  // namespace dagscape
