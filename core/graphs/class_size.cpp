#include "graphs/class_size.hpp"

#include <bit>
#include <unordered_map>

#include "error.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

[[noreturn]] void too_large() {
    throw Error(ErrorKind::graph, "the class has too many networks to count them");
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > ~std::uint64_t{0} / b) too_large();
    return a * b;
}

/// Chordal graphs within one connected part, as sets of its vertices.
class Orientations {
  public:
    explicit Orientations(std::vector<VarSet> neighbors) : neighbors_(std::move(neighbors)) {}

    /// Of a connected set of vertices.
    std::uint64_t count(VarSet part) {
        const std::size_t vertices = part.size();
        std::size_t ends = 0;
        for (const Var v : part) ends += (neighbors_[v] & part).size();
        if (ends == 2 * (vertices - 1)) return vertices;  // a tree: the source decides
        if (ends == vertices * (vertices - 1)) {          // a clique: the order decides
            std::uint64_t orders = 1;
            for (std::uint64_t k = 2; k <= vertices; ++k) orders = times(orders, k);
            return orders;
        }
        if (const auto known = known_.find(part.bits()); known != known_.end()) return known->second;
        std::uint64_t total = 0;
        for (const Var source : part) {
            const std::uint64_t ways = count_from(source, part);
            if (total + ways < total) too_large();
            total += ways;
        }
        known_.emplace(part.bits(), total);
        return total;
    }

  private:
    /// With this vertex as the only source. Edges between vertices at different distances from it point away;
    /// between two at the same, y → z where y has a parent that is no neighbor of z.
    std::uint64_t count_from(Var source, VarSet part) {
        std::uint64_t ways = 1;
        std::vector<VarSet> parents(neighbors_.size());
        VarSet layer = VarSet{} | source, seen = layer;
        while (true) {
            VarSet next;
            for (const Var v : layer) next = next | (neighbors_[v] & part);
            next = next - seen;
            if (next.empty()) return ways;
            for (const Var v : next) parents[v] = neighbors_[v] & layer;
            direct(next, parents);
            ways = times(ways, count_parts(next, parents));
            seen = seen | next;
            layer = next;
        }
    }
    void direct(VarSet layer, std::vector<VarSet>& parents) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Var y : layer)
                for (const Var z : (neighbors_[y] & layer) - parents[y]) {
                    if (parents[z].contains(y) || (parents[y] - neighbors_[z] - z).empty()) continue;
                    parents[z] = parents[z] | y;
                    changed = true;
                }
        }
    }
    /// Of what is left undirected in a layer.
    std::uint64_t count_parts(VarSet layer, const std::vector<VarSet>& parents) {
        std::uint64_t ways = 1;
        while (!layer.empty()) {
            VarSet part = VarSet{} | layer.lowest(), edge = part;
            while (!edge.empty()) {
                VarSet reached;
                for (const Var v : edge)
                    for (const Var w : (neighbors_[v] & layer) - parents[v])
                        if (!parents[w].contains(v)) reached = reached | w;
                edge = reached - part;
                part = part | edge;
            }
            // An edge that is directed has its ends in different parts, since the graph is chordal.
            ways = times(ways, count(part));
            layer = layer - part;
        }
        return ways;
    }

    std::vector<VarSet> neighbors_;
    std::unordered_map<std::uint64_t, std::uint64_t> known_;
};

}  // namespace

std::vector<std::uint64_t> class_size(const Pdag& graph) {
    const std::size_t n = graph.variables();
    std::vector<std::uint64_t> sizes;
    WideSet seen(n);
    for (std::size_t start = 0; start < n; ++start) {
        const Var first = static_cast<Var>(start);
        if (seen.contains(first) || graph.undirected(first).empty()) continue;
        std::vector<Var> members = {first};
        seen.insert(first);
        for (std::size_t at = 0; at < members.size(); ++at)
            for (const Var w : graph.undirected(members[at]))
                if (!seen.contains(w)) {
                    seen.insert(w);
                    members.push_back(w);
                }
        if (members.size() > VarSet::most) too_large();
        std::vector<std::size_t> number(n);
        for (std::size_t i = 0; i < members.size(); ++i) number[members[i]] = i;
        std::vector<VarSet> neighbors(members.size());
        for (std::size_t i = 0; i < members.size(); ++i)
            for (const Var w : graph.undirected(members[i]))
                neighbors[i] = neighbors[i] | static_cast<Var>(number[w]);
        sizes.push_back(Orientations(std::move(neighbors)).count(VarSet::first(members.size())));
    }
    return sizes;
}

}  // namespace dagscape
