#pragma once

#include "independence/independence_test.hpp"
#include "search/local/local_method.hpp"

namespace dagscape {

/// Spouses by tests, as in HITON-MB and MMMB (Aliferis et al., JMLR 2010, GLL-MB): a neighbor's neighbor v,
/// which the set S separates from the target, is a spouse with the common neighbor u as a child if the two
/// depend on each other given S and u. No wrapper weeds them out.
PotentialSpouses separated_spouses(Var target, const Surroundings& around, const IndependenceTest& test,
                                   Control& control);

}  // namespace dagscape
