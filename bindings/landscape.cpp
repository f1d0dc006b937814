#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "landscape/features.hpp"
#include "landscape/graph_code.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

Feature feature_named(const std::string& name) {
    return named<Feature>("feature", name,
                          {{"directed", Feature::directed_edge},
                           {"undirected", Feature::undirected_edge},
                           {"paths", Feature::path},
                           {"blankets", Feature::blanket}});
}

std::size_t checked_count(std::size_t variables) {
    if (variables > max_variables) throw Error(ErrorKind::parameter, "too many variables");
    return variables;
}

auto weights(const std::string& name, std::size_t variables, const std::vector<nb::bytes>& codes,
             const std::vector<double>& weights_of_graphs) {
    if (codes.size() != weights_of_graphs.size())
        throw Error(ErrorKind::parameter, "there must be one weight for each graph");
    checked_count(variables);
    const Feature feature = feature_named(name);
    std::vector<std::string_view> views;
    for (const nb::bytes& code : codes) views.push_back(view(code));
    std::vector<double> found =
        unlocked([&] { return feature_weights(feature, variables, views, weights_of_graphs); });
    return array_of(std::move(found), variables, variables);
}

}  // namespace

void bind_landscape(nb::module_& m) {
    m.def("encode_graph", [](const Pdag& graph) { return bytes_of(encode(graph)); }, "graph"_a);
    m.def(
        "decode_graph",
        [](std::size_t variables, const nb::bytes& code) {
            return decode(checked_count(variables), view(code));
        },
        "variables"_a, "code"_a);
    m.def("feature_weights", &weights, "feature"_a, "variables"_a, "codes"_a, "weights"_a);
}
