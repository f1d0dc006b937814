#include "landscape/graph_code.hpp"

#include <algorithm>

#include "error.hpp"

namespace dagscape {

namespace {

constexpr std::size_t bytes_per_pair = 4;

void append(std::string& code, Var v) {
    code.push_back(static_cast<char>(v & 0xff));
    code.push_back(static_cast<char>(v >> 8));
}

Var number_at(std::string_view code, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(code[i]); };
    return static_cast<Var>(byte(at) | byte(at + 1) << 8);
}

}  // namespace

std::string encode(const Pdag& graph) {
    std::string code;
    for (std::size_t v = 0; v < graph.variables(); ++v) {
        const Var a = static_cast<Var>(v);
        for (const Var b : graph.children(a) | graph.undirected(a)) {
            append(code, a);
            append(code, b);
        }
    }
    return code;
}

Pdag decode(std::size_t variables, std::string_view code) {
    if (code.size() % bytes_per_pair != 0) throw Error(ErrorKind::file, "the code of a graph is cut off");
    std::vector<Arc> pairs;
    for (std::size_t at = 0; at < code.size(); at += bytes_per_pair)
        pairs.emplace_back(number_at(code, at), number_at(code, at + 2));
    Pdag graph(variables);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& [a, b] = pairs[i];
        if (a >= variables || b >= variables || a == b || (i > 0 && pairs[i] <= pairs[i - 1]))
            throw Error(ErrorKind::file, "the code of a graph does not fit its variables");
        if (!std::binary_search(pairs.begin(), pairs.end(), Arc(b, a)))
            graph.add_directed(a, b);
        else if (a < b)
            graph.add_undirected(a, b);
    }
    return graph;
}

}  // namespace dagscape
