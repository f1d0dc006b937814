#include "search/grown/grown_parents.hpp"

namespace dagscape {

GrownParents::GrownParents(const Scorer& scorer, const Constraints& constraints, std::size_t max_bytes)
    : scorer_(scorer), constraints_(constraints), extend_(scorer), max_bytes_(max_bytes) {
    const std::size_t n = constraints.allowed.size();
    must_follow_.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
        const Var child = static_cast<Var>(v);
        trees_.emplace_back(scorer, constraints, child, bytes_);
        for (const Var parent : constraints.required[child]) must_follow_[parent].push_back(child);
    }
}

std::uint64_t GrownParents::grown() const {
    std::uint64_t sum = 0;
    for (const GrowShrinkTree& tree : trees_) sum += tree.grown();
    return sum;
}

void GrownParents::trim(Control& control) {
    if (bytes() <= max_bytes_) return;
    for (GrowShrinkTree& tree : trees_) tree.clear();
    ++clearings_;
    if (bytes() > max_bytes_ / 2) control.stop(Stop::memory);
}

}  // namespace dagscape
