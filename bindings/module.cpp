#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "error.hpp"

namespace nb = nanobind;

namespace {

const char* python_name(dagscape::ErrorKind kind) {
    switch (kind) {
        case dagscape::ErrorKind::data:
            return "DataError";
        case dagscape::ErrorKind::parameter:
            return "ParameterError";
        case dagscape::ErrorKind::graph:
            return "GraphError";
        case dagscape::ErrorKind::file:
            return "FileFormatError";
    }
    return "DagscapeError";
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The engine. Variables are numbers here; the package around it gives them names.";
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const dagscape::Error& error) {
            const nb::object type = nb::module_::import_("dagscape.errors").attr(python_name(error.kind()));
            PyErr_SetString(type.ptr(), error.what());
        }
    });
    // A thread that Python leaves running at its end keeps what it has in hand: that is no leak to warn of.
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
        if (nb::len(nb::module_::import_("threading").attr("enumerate")()) > 1) nb::set_leak_warnings(false);
    }));
    bind_data(m);
    bind_counts(m);
    bind_scores(m);
    bind_parents(m);
    bind_score_files(m);
    bind_graphs(m);
    bind_exact(m);
    bind_clusters(m);
    bind_dual_bound(m);
    bind_order(m);
    bind_grown(m);
    bind_equivalence(m);
    bind_local(m);
    bind_greedy(m);
    bind_landscape(m);
    bind_near(m);
    bind_posterior(m);
    bind_inference(m);
    bind_chains(m);
    bind_gaps(m);
}
