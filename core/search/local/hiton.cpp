#include "search/local/hiton.hpp"

#include <algorithm>

#include "search/local/candidate_neighbors.hpp"
#include "search/local/separated_spouses.hpp"

namespace dagscape {

Potential Hiton::neighbors(Var target, Control& control) const {
    Potential found;
    std::vector<Candidate> open = candidate_neighbors(target, test_, control, found);
    std::sort(open.begin(), open.end());
    std::vector<Var> separator;
    for (const Candidate& candidate : open) {
        const Var v = candidate.variable;
        if (separate(target, v, found.neighbors, max_conditioning_, test_, control, separator)) {
            found.separators.push_back({v, separator});
        } else if (control.stopped()) {
            break;
        } else {
            found.neighbors.push_back(v);
        }
    }
    drop_separated(target, found.neighbors, max_conditioning_, test_, control, found);
    std::sort(found.neighbors.begin(), found.neighbors.end());
    found.done = !control.stopped();
    return found;
}

PotentialSpouses Hiton::spouses(Var target, const Surroundings& around, Control& control) const {
    return separated_spouses(target, around, test_, control);
}

}  // namespace dagscape
