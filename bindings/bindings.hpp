#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "counts/bit_kernels.hpp"

namespace dagscape {
enum class InitialOrder;
}

/// One function per folder of the engine, or part of it; each adds its names to the module.
void bind_data(nanobind::module_& m);
void bind_counts(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_python_function(nanobind::module_& m);
void bind_parents(nanobind::module_& m);
void bind_score_files(nanobind::module_& m);
void bind_graphs(nanobind::module_& m);
void bind_clusters(nanobind::module_& m);
void bind_dual_bound(nanobind::module_& m);
void bind_exact(nanobind::module_& m);
void bind_order(nanobind::module_& m);
void bind_grown(nanobind::module_& m);
void bind_equivalence(nanobind::module_& m);
void bind_local(nanobind::module_& m);
void bind_greedy(nanobind::module_& m);
void bind_landscape(nanobind::module_& m);
void bind_near(nanobind::module_& m);
void bind_posterior(nanobind::module_& m);
void bind_inference(nanobind::module_& m);
void bind_chains(nanobind::module_& m);
void bind_gaps(nanobind::module_& m);

/// Instructions by name, refused where this machine lacks them.
dagscape::Instructions instructions_named(const std::string& name);
/// Initial orders by name.
dagscape::InitialOrder init_named(const std::string& name);
