#pragma once

#include <vector>

#include "independence/independence_test.hpp"
#include "search/local/local_method.hpp"

namespace dagscape {

/// What methods by tests begin with: the variables that depend on the target by themselves.
struct Candidate {
    double log_p;
    double statistic;
    Var variable;

    /// The strongest dependence first; of equals the lower variable.
    friend bool operator<(const Candidate& a, const Candidate& b) {
        if (a.log_p != b.log_p) return a.log_p < b.log_p;
        if (a.statistic != b.statistic) return a.statistic > b.statistic;
        return a.variable < b.variable;
    }
};

/// The others are left out, with the empty set as their separator where the test was done.
std::vector<Candidate> candidate_neighbors(Var target, const IndependenceTest& test, Control& control,
                                           Potential& found);

/// A set of at most so many of the others, but at least one, that makes v and the target independent; tells
/// whether there is one. Where a test cannot be done, its set separates nothing.
bool separate(Var target, Var v, Members others, std::size_t max_conditioning, const IndependenceTest& test,
              Control& control, std::vector<Var>& separator);

/// Leaves out who is separated by a set of the others in the end, asked in the order in which they came.
void drop_separated(Var target, std::vector<Var>& kept, std::size_t max_conditioning,
                    const IndependenceTest& test, Control& control, Potential& found);

}  // namespace dagscape
