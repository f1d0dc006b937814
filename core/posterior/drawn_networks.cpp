#include "posterior/drawn_networks.hpp"

#include <algorithm>
#include <array>

#include "error.hpp"
#include "graphs/essential_graph.hpp"
#include "landscape/graph_code.hpp"

namespace dagscape {

namespace {

std::string code_of(const ParentLists& lists, std::span<const std::uint32_t> places) {
    Pdag network(lists.variables());
    for (std::size_t v = 0; v < places.size(); ++v)
        for (const Var parent : lists.lists[v].parents(places[v]))
            network.add_directed(parent, static_cast<Var>(v));
    return encode(network);
}

/// Chooses a set for one variable after another, as long as there is no cycle.
class Listing {
  public:
    explicit Listing(const ParentLists& lists) : lists_(lists), places_(lists.variables()) {}

    ListedNetworks list() {
        choose(0, 0);
        return std::move(found_);
    }

  private:
    using Set = std::uint32_t;

    void choose(std::size_t v, double log_weight) {
        if (v == lists_.variables()) {
            found_.codes.push_back(code_of(lists_, places_));
            found_.log_weights.push_back(log_weight);
            return;
        }
        const ParentList& list = lists_.lists[v];
        for (std::size_t at = 0; at < list.size(); ++at) {
            parents_[v] = 0;
            for (const Var parent : list.parents(at)) parents_[v] |= Set{1} << parent;
            if (on_cycle(v)) continue;
            places_[v] = static_cast<std::uint32_t>(at);
            choose(v + 1, log_weight + list.score(at));
        }
        parents_[v] = 0;
    }
    bool on_cycle(std::size_t v) const {
        Set above = parents_[v];
        for (Set before = 0; above != before;) {
            before = above;
            for (std::size_t u = 0; u < lists_.variables(); ++u)
                if ((before >> u & 1) != 0) above |= parents_[u];
        }
        return (above >> v & 1) != 0;
    }

    const ParentLists& lists_;
    std::vector<std::uint32_t> places_;
    std::array<Set, ListedNetworks::most_variables> parents_{};
    ListedNetworks found_;
};

}  // namespace

std::vector<std::string> network_codes(const ParentLists& lists, std::span<const std::uint32_t> places) {
    const std::size_t n = lists.variables();
    std::vector<std::string> codes;
    for (std::size_t at = 0; at + n <= places.size() && n > 0; at += n)
        codes.push_back(code_of(lists, places.subspan(at, n)));
    return codes;
}

std::vector<std::string> class_codes(std::size_t variables, const std::vector<std::string>& networks,
                                     std::span<const std::uint32_t> kinds) {
    std::vector<std::string> codes;
    codes.reserve(networks.size());
    for (const std::string& code : networks) {
        const Pdag network = decode(variables, code);
        if (!network.undirected_edges().empty())
            throw Error(ErrorKind::graph, "a network has directed edges only");
        const Dag dag(variables, network.directed_edges());
        codes.push_back(encode(kinds.empty() ? essential_graph(dag) : essential_graph(dag, kinds)));
    }
    return codes;
}

ListedNetworks list_networks(const ParentLists& lists) {
    if (lists.variables() > ListedNetworks::most_variables)
        throw Error(ErrorKind::parameter, "the networks of more than five variables are too many to list");
    return Listing(lists).list();
}

}  // namespace dagscape
