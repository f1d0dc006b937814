#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// An arc with a bound on its probability.
struct BoundedArc {
    Var parent, child;
    double bound;
};

/// The arcs of the lists with bounds on their probabilities, the least first.
///
/// An arc u→v can be taken out of any network without closing a cycle. So networks in which v has the parents
/// P with u weigh w(P) / w(P∖u) times as much as as many networks in which it has P∖u, and of the two
/// together the first are at most a share r / (1 + r) with that r. Over all P,
///
///     P(u→v) ≤ max_P r / (1 + r),    r = w(P) / w(P∖u).
///
/// An arc whose child has a set with u but not the same without it, such as a required one, is left out: no
/// bound is known. Nothing where `control` stopped it.
std::vector<BoundedArc> bounded_arcs(const ParentLists& lists, std::size_t threads, Control& control);

struct PrunedLists {
    ParentLists lists;
    std::size_t arcs = 0;  // that were taken out
    /// Networks with such arcs have at most this probability, all together.
    double lost = 0;
};

/// What sums over components of these sizes cost; infinite where they cannot be done.
using CostOfSizes = std::function<double(const std::vector<std::size_t>&)>;

/// Takes out the least probable arcs, and with them all sets that have one, so that components fall apart.
///
/// At most `most` of the probability may be lost by it. Of the arcs that this allows, as few are taken as
/// come within a factor of two of what all would cost. Nothing where the sums cannot be done nonetheless.
/// Sets with a heavier one in them stay: for a sum that rule would be wrong.
std::optional<PrunedLists> pruned_to_fit(const ParentLists& lists, const std::vector<BoundedArc>& arcs,
                                         double most, const CostOfSizes& cost);

}  // namespace dagscape
