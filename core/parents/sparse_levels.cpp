#include "parents/sparse_levels.hpp"

#include <algorithm>
#include <cmath>

#include "parents/bounded_list.hpp"

namespace dagscape {

namespace {

SetKey without(const SetKey& set, std::size_t place) {
    SetKey rest = set;
    rest.erase(place, 1);
    return rest;
}

}  // namespace

void SparseLevels::start(Members parents, double best, Control& control) {
    if (control.stopped()) return;
    if (none_larger(parents, std::nan(""), best)) {
        ++pruned_.bound;
        return;
    }
    frontier_.emplace(key_of(parents), Values{std::nan(""), best});
    control.charge(bytes_per_set);
}

std::size_t SparseLevels::run(std::size_t size, ParentList& whole, Control& control) {
    BoundedList list(whole, prune_.most_of_size);
    for (; !frontier_.empty() && size < limit_; ++size) {
        Level next;
        for (const auto& [set, values] : frontier_) {
            // Each larger set is made once, from itself without its lowest member.
            const std::size_t lowest = set.empty() ? scorer_.variables() : set.front();
            for (std::size_t y = 0; y < lowest; ++y) {
                if (y == child_ || !constraints_.allowed[child_].contains(static_cast<Var>(y))) continue;
                if (control.stopped()) return size;
                SetKey larger = static_cast<char16_t>(y) + set;
                double below = values.best;
                if (!worth_scoring(larger, below)) continue;
                const std::vector<Var> parents = members_of(larger);
                const double value = scorer_.local(child_, parents);
                double best = below;
                if (constraints_.allows(child_, parents)) {
                    ++scored_;
                    if (prune_.dominance && !prune_.matters(value, below)) {
                        ++pruned_.dominance;
                    } else {
                        list.append(value, parents, control);
                        best = std::max(below, value);
                    }
                }
                if (none_larger(parents, value, best)) {
                    ++pruned_.bound;
                } else {
                    next.emplace(std::move(larger), Values{value, best});
                    control.charge(bytes_per_set);
                }
            }
        }
        control.release(frontier_.size() * bytes_per_set);
        frontier_ = std::move(next);
    }
    return size;
}

bool SparseLevels::worth_scoring(const SetKey& set, double& below) {
    for (std::size_t place = 1; place < set.size(); ++place) {
        const auto subset = frontier_.find(without(set, place));
        if (subset == frontier_.end()) return false;
        below = std::max(below, subset->second.best);
    }
    if (prune_.entropy && bounds_.weighs_members() && never_pays(set)) {
        ++pruned_.entropy;
        return false;
    }
    return true;
}

/// Some member is one that the others, as parents, never need. What the child's gain alone says comes
/// first: it is known, while the member's own needs the values of the set.
bool SparseLevels::never_pays(const SetKey& set) {
    const double unknown = std::numeric_limits<double>::infinity();
    for (const bool look_at_member : {false, true}) {
        for (std::size_t place = 0; place < set.size(); ++place) {
            const Var y = set[place];
            // Without a required parent the rest is no set to fall back on.
            if (constraints_.required[child_].contains(y)) continue;
            const SetKey rest = without(set, place);
            const std::vector<Var> parents = members_of(rest);
            const double of_child = bounds_.most_gain(child_, parents, score(rest));
            const double of_member =
                look_at_member ? bounds_.most_gain(y, parents, scorer_.relation(y, parents)) : unknown;
            const double least_cost = bounds_.least_cost(child_, y, parents, limit_);
            if (prune_.rules_out(std::min(of_child, of_member), least_cost)) return true;
        }
    }
    return false;
}

/// A superset that adds nothing but idle variables scores what the set itself does: never higher, but with a
/// slack that may do.
bool SparseLevels::none_larger(Members parents, double value, double best) const {
    if (!prune_.bound || !prune_.rules_out(bounds_.superset_bound(child_, parents, limit_), best))
        return false;
    if (prune_.slack <= 0 || !bounds_.has_idle_variables()) return true;
    return prune_.rules_out(std::isnan(value) ? scorer_.local(child_, parents) : value, best);
}

double SparseLevels::score(const SetKey& set) {
    Values& values = frontier_.at(set);
    if (std::isnan(values.score)) values.score = scorer_.local(child_, members_of(set));
    return values.score;
}

}  // namespace dagscape
