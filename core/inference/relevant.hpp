#pragma once

#include <vector>

#include "inference/elimination_order.hpp"
#include "inference/tables.hpp"

namespace dagscape {

/// What of a network is asked for.
struct Question {
    std::vector<bool> observed;
    /// Variables whose joint distribution is asked for, none of them observed. Nothing: each variable by
    /// itself.
    std::vector<Var> wanted;
    /// Whether the probability of what is observed is asked for too.
    bool evidence = true;
    /// Variables whose states have weights: they bear on others as if a child of theirs were observed.
    std::vector<Var> weighted;
};

/// The families that bear on a question, and their variables that are not observed, joined where a family or
/// the question has both.
struct Relevant {
    std::vector<Var> families;  // by their child
    JoinedVariables graph;
};

/// A variable that is neither asked for nor observed, nor above one that is, has no bearing on the answer:
/// its table sums to one. If the probability of what is observed is not asked for, neither has a family that
/// is joined with nothing that is wanted once the observed are taken out.
Relevant relevant(const TableNetwork& network, const Question& question);

/// Those of some families that bear on whether a case can be, with what is not observed in them.
Relevant bearing(const TableNetwork& network, const Question& question, const std::vector<Var>& families);

}  // namespace dagscape
