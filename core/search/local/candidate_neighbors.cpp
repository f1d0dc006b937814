#include "search/local/candidate_neighbors.hpp"

#include <algorithm>

#include "independence/separators.hpp"

namespace dagscape {

std::vector<Candidate> candidate_neighbors(Var target, const IndependenceTest& test, Control& control,
                                           Potential& found) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < test.variables() && !control.stopped(); ++i) {
        const Var v = static_cast<Var>(i);
        if (v == target) continue;
        const Dependence alone = test(target, v, {});
        if (test.dependent(alone)) candidates.push_back({alone.log_p, alone.statistic, v});
        if (test.independent(alone)) found.separators.push_back({v, {}});
    }
    return candidates;
}

bool separate(Var target, Var v, Members others, std::size_t max_conditioning, const IndependenceTest& test,
              Control& control, std::vector<Var>& separator) {
    return any_subset(others, 1, max_conditioning, control, [&](Members set) {
        if (!test.independent(test(target, v, set))) return false;
        separator.assign(set.begin(), set.end());
        return true;
    });
}

void drop_separated(Var target, std::vector<Var>& kept, std::size_t max_conditioning,
                    const IndependenceTest& test, Control& control, Potential& found) {
    std::vector<Var> separator;
    for (const Var v : std::vector<Var>(kept)) {
        std::vector<Var> others = kept;
        std::erase(others, v);
        if (!separate(target, v, others, max_conditioning, test, control, separator)) continue;
        found.separators.push_back({v, separator});
        kept = std::move(others);
    }
}

}  // namespace dagscape
