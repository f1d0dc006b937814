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
    // At its end Python may leave objects to others that hold them: threads, test runners, other modules.
    // Nobody who sees the warning could do anything about it; tests ask for it, of programs in which nothing
    // else holds any.
    nb::set_leak_warnings(false);
    m.def(
        "warn_of_leaks", [] { nb::set_leak_warnings(true); },
        "Tell on stderr of objects that are still there when Python has ended.");
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
