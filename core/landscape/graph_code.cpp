#include "landscape/graph_code.hpp"

#include <algorithm>

#include "bytes.hpp"

namespace dagscape {

namespace {

constexpr std::size_t bytes_per_pair = 2 * sizeof(Var);

}  // namespace

std::string encode(const Pdag& graph) {
    std::vector<Var> numbers;
    for (std::size_t v = 0; v < graph.variables(); ++v) {
        const Var a = static_cast<Var>(v);
        for (const Var b : graph.children(a) | graph.undirected(a)) {
            numbers.push_back(a);
            numbers.push_back(b);
        }
    }
    std::string code(numbers.size() * sizeof(Var), '\0');
    ByteWriter(code.data()).numbers(numbers.data(), numbers.size());
    return code;
}

Pdag decode(std::size_t variables, std::string_view code) {
    if (code.size() % bytes_per_pair != 0) throw Error(ErrorKind::file, "the code of a graph is cut off");
    const std::vector<Var> numbers =
        ByteReader(code, "codes of graphs").numbers<Var>(code.size() / sizeof(Var));
    std::vector<Arc> pairs;
    for (std::size_t at = 0; at < numbers.size(); at += 2) pairs.emplace_back(numbers[at], numbers[at + 1]);
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
