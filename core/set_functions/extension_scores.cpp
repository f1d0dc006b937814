#include "set_functions/extension_scores.hpp"

#include <algorithm>
#include <cassert>

namespace dagscape {

void ExtensionScores::operator()(Var child, Members parents, std::span<const Var> candidates,
                                 std::span<double> scores) {
    assert(std::is_sorted(parents.begin(), parents.end()) && candidates.size() == scores.size());
    if (candidates.empty()) return;
    if (extender_ && extender_->extend_family(child, parents, candidates, scores)) return;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        set_.assign(parents.begin(), parents.end());
        set_.insert(std::lower_bound(set_.begin(), set_.end(), candidates[i]), candidates[i]);
        scores[i] = scorer_.local(child, set_);
    }
}

}  // namespace dagscape
