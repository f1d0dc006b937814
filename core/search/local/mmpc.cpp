#include "search/local/mmpc.hpp"

#include <algorithm>

#include "independence/separators.hpp"
#include "search/local/candidate_neighbors.hpp"
#include "search/local/separated_spouses.hpp"

namespace dagscape {

Potential Mmpc::neighbors(Var target, Control& control) const {
    Potential found;
    std::vector<Candidate> open = candidate_neighbors(target, test_, control, found);
    std::vector<Var>& chosen = found.neighbors;
    while (!open.empty() && !control.stopped()) {
        const auto best = std::min_element(open.begin(), open.end());
        const Var next = best->variable;
        open.erase(best);
        // Sets without the one just chosen were tried before.
        const auto separated = [&](Candidate& candidate) {
            std::vector<Var> separator;
            const auto tried = [&](Members before) {
                std::vector<Var> set(before.begin(), before.end());
                set.insert(std::lower_bound(set.begin(), set.end(), next), next);
                const Dependence left = test_(target, candidate.variable, set);
                if (test_.independent(left)) {
                    separator = std::move(set);
                    return true;
                }
                const Candidate weaker{left.log_p, left.statistic, candidate.variable};
                if (left.done && candidate < weaker) candidate = weaker;
                return false;
            };
            if (max_conditioning_ == 0 || !any_subset(chosen, 0, max_conditioning_ - 1, control, tried))
                return false;
            found.separators.push_back({candidate.variable, std::move(separator)});
            return true;
        };
        std::erase_if(open, separated);
        chosen.push_back(next);
    }
    drop_separated(target, chosen, max_conditioning_, test_, control, found);
    std::sort(chosen.begin(), chosen.end());
    found.done = !control.stopped();
    return found;
}

PotentialSpouses Mmpc::spouses(Var target, const Surroundings& around, Control& control) const {
    return separated_spouses(target, around, test_, control);
}

}  // namespace dagscape
