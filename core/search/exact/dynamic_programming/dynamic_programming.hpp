#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "search/exact/gap.hpp"
#include "search/exact/regrets.hpp"
#include "uninitialized.hpp"

namespace dagscape {

struct DynamicProgrammingWork {
    std::uint64_t nodes = 0;  // sets of variables, of the order graph
    std::uint64_t edges = 0;
    std::size_t bytes = 0;
};

/// Dynamic programming over all sets of variables (Silander and Myllymäki, UAI 2006; Singh and Moore 2005;
/// Wu 2010, section 2.5).
///
/// The least regret of a network on the set S is R(S) = min over X in S of R(S - X) + regret(X, S - X),
/// X being its last variable. One number is kept for each set, in a flat array; which variable came last is
/// found again on the way back. It visits every set whatever the data, so time and memory are known before,
/// and there is no bound before the end. Ties go to the lower variable. The order of the best network goes to
/// `order`, if that is given.
DynamicProgrammingWork dynamic_programming(const Regrets& regrets, std::size_t threads, Gap& gap,
                                           Control& control, std::vector<Var>* order = nullptr);
/// The same, with regrets made within the limits of the control.
DynamicProgrammingWork dynamic_programming(const ParentLists& parents, std::size_t threads, Gap& gap,
                                           Control& control);

/// The least regret of a network on every set of variables, by the set's bits; and an order of the best
/// network on all of them. Empty where the control stopped it. The caller charges and releases the memory.
struct LeastRegrets {
    UninitializedVector<double> of;
    std::vector<Var> order;
};
LeastRegrets least_regrets(const Regrets& regrets, std::size_t threads, Control& control);

/// The memory it takes.
std::size_t dynamic_programming_bytes(std::size_t variables, std::size_t threads);

}  // namespace dagscape
