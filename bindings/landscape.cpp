#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "landscape/features.hpp"
#include "landscape/graph_code.hpp"

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

/// The weight of the graphs with a feature, for all pairs of variables.
auto feature_weights(const std::string& feature, std::size_t variables, const std::vector<nb::bytes>& codes,
                     const std::vector<double>& weights) {
    if (codes.size() != weights.size())
        throw Error(ErrorKind::parameter, "there must be one weight for each graph");
    if (variables > max_variables) throw Error(ErrorKind::parameter, "too many variables");
    std::vector<std::string_view> views;
    for (const nb::bytes& code : codes) views.push_back(view(code));
    FeatureTable table(feature_named(feature), variables);
    {
        const nb::gil_scoped_release unlocked;
        for (std::size_t i = 0; i < views.size(); ++i) table.add(decode(variables, views[i]), weights[i]);
    }
    return array_of(table.weights(), variables, variables);
}

}  // namespace

void bind_landscape(nb::module_& m) {
    m.def("encode_graph", [](const Pdag& graph) { return bytes_of(encode(graph)); }, "graph"_a);
    m.def(
        "decode_graph",
        [](std::size_t variables, const nb::bytes& code) {
            if (variables > max_variables) throw Error(ErrorKind::parameter, "too many variables");
            return decode(variables, view(code));
        },
        "variables"_a, "code"_a);
    m.def("feature_weights", &feature_weights, "feature"_a, "variables"_a, "codes"_a, "weights"_a);
}
