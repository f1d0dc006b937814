#pragma once

#include <optional>

#include "graphs/pdag.hpp"

namespace dagscape {

/// A DAG with the same skeleton, the same directed edges and no further v-structure, if there is one.
std::optional<Dag> consistent_extension(const Pdag& pdag);

}  // namespace dagscape
