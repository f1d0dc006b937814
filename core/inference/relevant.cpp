#include "inference/relevant.hpp"

namespace dagscape {

namespace {

std::vector<bool> with_ancestors(const TableNetwork& network, std::vector<Var> stack) {
    std::vector<bool> has(network.variables(), false);
    for (const Var v : stack) has[v] = true;
    while (!stack.empty()) {
        const Var v = stack.back();
        stack.pop_back();
        for (const Var p : network.families[v].parents)
            if (!has[p]) {
                has[p] = true;
                stack.push_back(p);
            }
    }
    return has;
}

void join_all(BitRows& joined, const std::vector<Var>& members) {
    for (const Var u : members)
        for (const Var v : members)
            if (u != v) joined.insert(u, v);
}

std::vector<bool> reached(const BitRows& joined, std::vector<Var> stack, std::size_t variables) {
    std::vector<bool> has(variables, false);
    for (const Var v : stack) has[v] = true;
    while (!stack.empty()) {
        const Var v = stack.back();
        stack.pop_back();
        joined.for_each(v, [&](Var u) {
            if (!has[u]) stack.push_back(u);
            has[u] = true;
        });
    }
    return has;
}

std::vector<Var> open_part(const TableNetwork& network, const Question& question, Var child) {
    std::vector<Var> members;
    for (const Var v : network.scope(child))
        if (!question.observed[v]) members.push_back(v);
    return members;
}

}  // namespace

Relevant relevant(const TableNetwork& network, const Question& question) {
    const std::size_t n = network.variables();
    std::vector<Var> asked = question.wanted;
    asked.insert(asked.end(), question.weighted.begin(), question.weighted.end());
    for (Var v = 0; v < n; ++v)
        if (question.observed[v] || question.wanted.empty()) asked.push_back(v);
    const std::vector<bool> above = with_ancestors(network, asked);

    Relevant found{{}, {{}, network.arities, BitRows(n, n)}};
    for (Var v = 0; v < n; ++v)
        if (above[v]) join_all(found.graph.joined, open_part(network, question, v));
    join_all(found.graph.joined, question.wanted);

    const bool all = question.evidence || question.wanted.empty();
    const std::vector<bool> near =
        all ? std::vector<bool>(n, true) : reached(found.graph.joined, question.wanted, n);
    for (Var v = 0; v < n; ++v) {
        if (!above[v]) continue;
        if (!question.observed[v] && near[v]) found.graph.members.push_back(v);
        const std::vector<Var> open = open_part(network, question, v);
        if (all || (!open.empty() && near[open.front()])) found.families.push_back(v);
    }
    return found;
}

Relevant bearing(const TableNetwork& network, const Question& question, const std::vector<Var>& families) {
    const std::size_t n = network.variables();
    std::vector<Var> asked;
    for (Var v = 0; v < n; ++v)
        if (question.observed[v]) asked.push_back(v);
    const std::vector<bool> above = with_ancestors(network, asked);
    std::vector<bool> open(n, false);
    Relevant found{{}, {{}, network.arities, BitRows(n, n)}};
    for (const Var child : families) {
        if (!above[child]) continue;
        found.families.push_back(child);
        const std::vector<Var> members = open_part(network, question, child);
        join_all(found.graph.joined, members);
        for (const Var v : members) open[v] = true;
    }
    for (Var v = 0; v < n; ++v)
        if (open[v]) found.graph.members.push_back(v);
    return found;
}

}  // namespace dagscape
