#pragma once

#include <nanobind/nanobind.h>

/// One function per folder of the engine; each adds that folder's names to the module.
void bind_data(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_ad_tree(nanobind::module_& m);
void bind_parents(nanobind::module_& m);
void bind_graphs(nanobind::module_& m);
