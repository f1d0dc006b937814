#include "scores/count_function.hpp"

#include <cmath>
#include <vector>

#include "counts/adjusted_freedom.hpp"
#include "scores/count_bounds.hpp"
#include "scores/count_extender.hpp"
#include "scores/count_subsets.hpp"
#include "scores/count_walk.hpp"
#include "scores/published_bounds.hpp"

namespace dagscape {

double CountFunction::joint(Members set) const {
    thread_local std::vector<std::uint32_t> counts;
    counter_->count(set, counts);
    return tables_.joint(counts, table_->combinations(set), set.size());
}

double CountFunction::given(Var child, Members parents) const {
    if (equivalent()) return joint(parents);
    thread_local std::vector<std::uint32_t> counts;
    counter_->count(parents, counts);
    return tables_.given(counts, table_->arity(child));
}

double CountFunction::price() const { return has_exact_cost() ? score().price() : std::log(cases()) / 2; }

double CountFunction::cost(Members set) const { return price() * parameters(set); }

/// (r_x − 1)(r_y − 1) Π r_P parameters.
void CountFunction::parent_costs(Var x, Members parents, std::span<const Var> candidates,
                                 std::span<double> costs) const {
    const double each = price() * (table_->arity(x) - 1.0) * table_->combinations(parents);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        costs[i] = each * (table_->arity(candidates[i]) - 1.0);
}

double CountFunction::adjusted_freedom(Var x, Var y, Members given) const {
    return dagscape::adjusted_freedom(*table_, x, y, given);
}

std::unique_ptr<FamilyBounds> CountFunction::bounds() const { return std::make_unique<CountBounds>(*this); }

std::unique_ptr<FamilyBounds> CountFunction::published_bounds() const {
    return std::make_unique<PublishedBounds>(*this);
}

std::unique_ptr<SetExtender> CountFunction::extender(ExtensionWay way) const {
    return CountExtender::suits(*table_) ? std::make_unique<CountExtender>(*this, way) : nullptr;
}

std::size_t CountFunction::extender_bytes() const { return CountExtender::bytes_for(*table_); }

std::unique_ptr<SubsetValues> CountFunction::subsets() const { return std::make_unique<CountSubsets>(*this); }

std::unique_ptr<ValueWalk> CountFunction::walk(const WalkOptions& options) const {
    return std::make_unique<CountWalk>(*this, options);
}

}  // namespace dagscape
