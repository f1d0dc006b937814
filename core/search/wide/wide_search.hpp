#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "graphs/dag.hpp"
#include "parents/constraints.hpp"
#include "search/wide/part_search.hpp"
#include "set_functions/scorer.hpp"

namespace dagscape {

struct WideSearchOptions {
    std::size_t candidates = 30;  // that each child keeps by itself
    std::uint64_t rounds = 20;
    std::uint64_t looks = 5;  // at all pairs, on the way
    std::size_t firsts = 10;  // candidates beside which a second parent is looked for
    std::size_t times = 4;    // that each variable is shaken in a round
    std::size_t part = 500;   // variables
    ShakeOptions shakes;
    std::uint64_t seed = 0;
    std::size_t threads = 1;
};

struct WideSearch {
    std::vector<Arc> arcs;
    double score = 0;
    std::uint64_t candidates = 0;  // pairs of a child and a candidate parent
    std::uint64_t rounds = 0, shakes = 0, improved = 0, steps = 0;
    std::uint64_t refused = 0;  // parts whose changes would have closed a cycle with those of others
    std::uint64_t let_in = 0;  // parents that had been screened out and gained, when all pairs were looked at
    std::uint64_t pairs = 0, pairs_taken = 0;  // of parents that gain together, and that did so in place
    bool checked = false;                      // all pairs were looked at in the end,
    std::uint64_t unseen = 0;  // so many parents that are no candidates would still gain, cycles or not,
    double most_unseen = 0;    // so much at most
    std::vector<std::vector<Var>> kept;  // by child: its candidates in the end
};

/// A search for networks of very many variables: candidates are screened, a greedy climb adds arcs, and then
/// neighborhoods are shaken one by one (`PartSearch`), in parts of the network that threads search side by
/// side. Parts begin at the same network; what they found is joined one after another, and a part that would
/// close a cycle with those before it stays as it was. Each round cuts the network into other parts.
///
/// A few times on the way, and at the end, each child that has other parents than before is looked at with
/// all variables, screened out or not, and, beside its first candidates, with all once more: what would gain,
/// alone or in such a pair, becomes a candidate. In the end no single arc among candidates can be added,
/// removed or reversed with a gain, and where `checked` says so and `unseen` is 0, none of any pair can be
/// added.
///
/// Parts draw from streams of their own, so threads change nothing.
WideSearch wide_search(const Scorer& scorer, const Constraints& constraints, const std::vector<Arc>& start,
                       const WideSearchOptions& options, Control& control);

}  // namespace dagscape
