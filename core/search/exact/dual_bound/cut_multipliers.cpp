#include "search/exact/dual_bound/cut_multipliers.hpp"

#include <utility>

namespace dagscape {

namespace {

bool is_cluster(const Cut& cut) { return cut.table.empty() && cut.least == 1; }

}  // namespace

void CutMultipliers::add(Cut cut, double multiplier) {
    if (is_cluster(cut)) {
        const auto [place, added] = clusters_.try_emplace(cut.members, cuts_.size());
        if (!added) {
            values_[place->second] += multiplier;
            return;
        }
    }
    cuts_.push_back(static_cast<std::uint32_t>(families_->add(std::move(cut))));
    values_.push_back(multiplier);
}

void CutMultipliers::drop_idle() {
    std::size_t kept = 0;
    clusters_.clear();
    for (std::size_t at = 0; at < cuts_.size(); ++at) {
        if (values_[at] <= 0) continue;
        cuts_[kept] = cuts_[at];
        values_[kept] = values_[at];
        const Cut& cut = families_->cut(cuts_[kept]);
        if (is_cluster(cut)) clusters_.emplace(cut.members, kept);
        ++kept;
    }
    cuts_.resize(kept);
    values_.resize(kept);
}

double CutMultipliers::credit(Var child, Members parents) const {
    double sum = 0;
    for (std::size_t at = 0; at < cuts_.size(); ++at)
        sum += values_[at] * families_->coefficient(cuts_[at], child, parents);
    return sum;
}

}  // namespace dagscape
