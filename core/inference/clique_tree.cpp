#include "inference/clique_tree.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "error.hpp"
#include "inference/elimination_order.hpp"

namespace dagscape {

namespace {

/// The cells of a table, refused where they are too many to be kept.
std::size_t cells_of(const std::vector<Var>& members, const std::vector<std::size_t>& arities,
                     std::size_t most_cells) {
    std::size_t cells = 1;
    for (const Var v : members) {
        if (cells > most_cells / arities[v])
            throw Error(ErrorKind::parameter,
                        "a table of more than " + std::to_string(most_cells) + " cells would be needed");
        cells *= arities[v];
    }
    return cells;
}

/// Cliques from the tables of an elimination. The one that a variable is summed out of hands what is left to
/// the first of its other members to be summed out. It is joined with that one's clique where it holds all of
/// it, so that no clique is part of the next.
struct Joined {
    std::vector<std::vector<Var>> cliques;  // by place in the order; empty where it went into another
    std::vector<std::size_t> parents;
};

constexpr std::size_t none = CliqueTree::Clique::none;

Joined joined_cliques(const std::vector<Var>& order, std::vector<std::vector<Var>> tables,
                      std::size_t variables) {
    const std::size_t count = order.size();
    std::vector<std::size_t> place(variables, none);
    for (std::size_t i = 0; i < count; ++i) place[order[i]] = i;
    std::vector<std::size_t> parents(count, none), sizes(count);
    for (std::size_t i = 0; i < count; ++i) {
        sizes[i] = tables[i].size();
        for (const Var v : tables[i])
            if (v != order[i]) parents[i] = std::min(parents[i], place[v]);
    }
    // The last ones first: so the variables that were summed out last end up in the root, all together.
    std::vector<std::size_t> went(count, none);  // into which clique one was joined
    std::vector<bool> grown(count, false);
    const auto where = [&](std::size_t i) {
        while (went[i] != none) i = went[i];
        return i;
    };
    for (std::size_t i = count; i-- > 0;) {
        const std::size_t next = parents[i];
        if (next == none || grown[next] || sizes[i] != sizes[next] + 1) continue;
        tables[where(next)] = std::move(tables[i]);
        tables[i].clear();
        grown[next] = true;
        went[i] = next;
    }
    for (std::size_t& parent : parents)
        if (parent != none) parent = where(parent);
    return {std::move(tables), std::move(parents)};
}

}  // namespace

CliqueTree::CliqueTree(const TableNetwork& network, const Question& question, const Relevant& part,
                       std::size_t most_cells)
    : arities_(network.arities), homes_(network.variables(), Clique::none) {
    Elimination found = elimination(part.graph, question.wanted);
    build(found.order, std::move(found.tables), most_cells);
    for (const Var child : part.families) place(network, child, question.observed);
}

void CliqueTree::build(const std::vector<Var>& order, std::vector<std::vector<Var>> tables,
                       std::size_t most_cells) {
    Joined joined = joined_cliques(order, std::move(tables), arities_.size());
    std::vector<std::size_t> number(joined.cliques.size(), Clique::none);
    for (std::size_t i = 0; i < joined.cliques.size(); ++i) {
        if (joined.cliques[i].empty()) continue;
        number[i] = cliques_.size();
        cliques_.emplace_back();
        cliques_.back().members = std::move(joined.cliques[i]);
        cliques_.back().parent = joined.parents[i];
    }
    if (cliques_.empty()) cliques_.emplace_back();  // all is observed: a clique of one cell
    const std::size_t root = cliques_.size() - 1;
    for (std::size_t i = 0; i <= root; ++i) {
        Clique& clique = cliques_[i];
        clique.cells = cells_of(clique.members, arities_, most_cells);
        for (const Var v : clique.members)
            if (homes_[v] == Clique::none || clique.cells < cliques_[homes_[v]].cells) homes_[v] = i;
        if (i == root) break;
        // Parts of the graph that are not joined hang on the root by an empty separator.
        clique.parent = clique.parent == Clique::none ? root : number[clique.parent];
    }
    for (Clique& clique : cliques_) {
        if (clique.parent == Clique::none) continue;
        const Clique& above = cliques_[clique.parent];
        std::ranges::set_intersection(clique.members, above.members, std::back_inserter(clique.separator));
        clique.separator_cells = cells_of(clique.separator, arities_, most_cells);
        clique.to_separator = walk_beside(clique.members, clique.separator, arities_);
        clique.parent_to_separator = walk_beside(above.members, clique.separator, arities_);
    }
}

void CliqueTree::place(const TableNetwork& network, Var child, const std::vector<bool>& observed) {
    const std::vector<Var> scope = network.scope(child);
    std::vector<std::size_t> steps(scope.size());
    std::size_t step = 1;
    for (std::size_t i = scope.size(); i-- > 0;) {
        steps[i] = step;
        step *= arities_[scope[i]];
    }
    Placed placed{child, {}, {}};
    std::vector<Var> open;
    for (std::size_t i = 0; i < scope.size(); ++i)
        if (observed[scope[i]])
            placed.offsets.emplace_back(scope[i], steps[i]);
        else
            open.push_back(scope[i]);
    std::ranges::sort(open);
    std::size_t best = cliques_.size() - 1;
    bool fits = open.empty();
    for (std::size_t i = 0; i < cliques_.size() && !open.empty(); ++i)
        if (std::ranges::includes(cliques_[i].members, open) &&
            (!fits || cliques_[i].cells < cliques_[best].cells)) {
            best = i;
            fits = true;
        }
    assert(fits);
    std::vector<AlignedWalk::Axis> axes;
    for (const Var v : cliques_[best].members) {
        const auto at = std::ranges::find(scope, v);
        axes.push_back(
            {arities_[v], at == scope.end() ? 0 : steps[static_cast<std::size_t>(at - scope.begin())]});
    }
    placed.walk = AlignedWalk(axes);
    cliques_[best].families.push_back(std::move(placed));
}

std::size_t CliqueTree::cells() const {
    std::size_t all = 0;
    for (const Clique& clique : cliques_) all += clique.cells + clique.separator_cells;
    return all;
}

AlignedWalk CliqueTree::beside(Var v) const {
    return walk_beside(cliques_[homes_[v]].members, std::vector<Var>{v}, arities_);
}

TreeCost tree_cost(const TableNetwork& network, const Question& question) {
    const Elimination found = elimination(relevant(network, question).graph, question.wanted);
    TreeCost cost;
    for (const std::vector<Var>& table : found.tables) {
        double cells = 1;
        for (const Var v : table) cells *= static_cast<double>(network.arities[v]);
        cost.largest = std::max(cost.largest, cells);
        cost.cells += cells;
    }
    return cost;
}

}  // namespace dagscape
