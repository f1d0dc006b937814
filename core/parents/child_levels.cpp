#include "parents/child_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "varset/inserted.hpp"

namespace dagscape {

ChildLevels::ChildLevels(const Scorer& scorer, const FamilyBounds& bounds, const Constraints& constraints,
                         const PruningRules& prune, Var child, std::size_t limit)
    : bounds_(bounds),
      prune_(prune),
      child_(child),
      limit_(limit),
      required_(constraints.required[child].members()),
      others_((constraints.allowed[child] - constraints.required[child]).members()),
      ranks_(others_.size(), limit >= required_.size() ? limit - required_.size() + 1 : 1) {
    if (scorer.free(child)) others_.clear();
}

double ChildLevels::sets(const Constraints& constraints, Var child, std::size_t limit) {
    const std::size_t required = constraints.required[child].size();
    if (limit < required) return 0;
    const std::size_t others = (constraints.allowed[child] - constraints.required[child]).size();
    double sets = 0, of_size = 1;
    for (std::size_t k = 0; k <= std::min(limit - required, others); ++k) {
        sets += of_size;
        of_size *= static_cast<double>(others - k) / static_cast<double>(k + 1);
    }
    return sets;
}

std::size_t ChildLevels::run(ParentList& whole, ExtensionScores& scores, std::size_t bytes,
                             Control& control) {
    if (limit_ < required_.size()) return limit_;
    BoundedList list(whole, prune_.most_of_size);
    const std::size_t most = std::min(limit_ - required_.size(), others_.size());
    Level level(1, gone);
    parents_ = required_;
    offer(parents_, scores.scorer().local(child_, parents_), -std::numeric_limits<double>::infinity(), &level,
          0, list, control);
    for (std::size_t size = 0; size < most; ++size) {
        const bool last = size + 1 == most;
        const double kept = sizeof(double) * static_cast<double>(ranks_.choose(others_.size(), size + 1));
        if (!last && kept > static_cast<double>(bytes)) return required_.size() + size;
        if (std::all_of(level.begin(), level.end(), [](double best) { return std::isnan(best); })) break;
        Level next;
        if (!last) next.assign(ranks_.choose(others_.size(), size + 1), gone);
        const std::size_t charged = next.size() * sizeof(double);
        control.charge(charged);
        grow(size, level, last ? nullptr : &next, list, scores, control);
        control.release(charged);
        if (control.stopped()) return required_.size() + size;
        level = std::move(next);
    }
    return limit_;
}

/// Scores all sets of one more than this size, each from itself without its last variable.
void ChildLevels::grow(std::size_t size, const Level& level, Level* next, BoundedList& list,
                       ExtensionScores& scores, Control& control) {
    const std::size_t n = others_.size();
    std::vector<std::size_t> set(size);
    std::iota(set.begin(), set.end(), std::size_t{0});
    std::vector<std::size_t> rank_without(size);
    std::vector<Var> candidates;
    std::vector<std::size_t> places;
    std::vector<double> below, found;
    for (std::size_t rank = 0; rank < level.size(); ++rank, next_set(set, n)) {
        if (std::isnan(level[rank])) continue;
        if (control.stopped()) return;
        for (std::size_t gone_at = 0; gone_at < size; ++gone_at) {
            rank_without[gone_at] = 0;
            for (std::size_t i = 0; i < size; ++i)
                if (i != gone_at) rank_without[gone_at] += ranks_.choose(set[i], i + (i < gone_at ? 1 : 0));
        }
        candidates.clear();
        places.clear();
        below.clear();
        for (std::size_t x = size > 0 ? set.back() + 1 : 0; x < n; ++x) {
            double best = level[rank];
            for (std::size_t i = 0; i < size && !std::isnan(best); ++i) {
                const double other = level[rank_without[i] + ranks_.choose(x, size)];
                best = std::isnan(other) ? other : std::max(best, other);
            }
            if (std::isnan(best)) continue;
            candidates.push_back(others_[x]);
            places.push_back(x);
            below.push_back(best);
        }
        if (candidates.empty()) continue;
        fill_parents(set);
        found.resize(candidates.size());
        scores(child_, parents_, candidates, found);
        std::size_t base = 0;
        for (std::size_t i = 0; i < size; ++i) base += ranks_.choose(set[i], i + 1);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            // Most sets are dropped here, and need not be spelled out.
            if (!next && prune_.dominance && !prune_.matters(found[i], below[i])) {
                ++scored_;
                ++pruned_.dominance;
                continue;
            }
            offer(Inserted(parents_, {candidates[i]}), found[i], below[i], next,
                  base + ranks_.choose(places[i], size + 1), list, control);
        }
    }
}

void ChildLevels::offer(Members parents, double score, double below, Level* next, std::size_t rank,
                        BoundedList& list, Control& control) {
    ++scored_;
    double best = below;
    if (prune_.dominance && !prune_.matters(score, below)) {
        ++pruned_.dominance;
    } else {
        list.append(score, parents, control);
        best = std::max(below, score);
    }
    if (!next) return;
    if (none_larger(parents, score, best)) {
        ++pruned_.bound;
    } else {
        (*next)[rank] = best;
    }
}

/// A superset that adds nothing but idle variables scores what the set itself does: see `SparseLevels`.
bool ChildLevels::none_larger(Members parents, double score, double best) const {
    if (!prune_.bound || !prune_.rules_out(bounds_.superset_bound(child_, parents, limit_), best))
        return false;
    return prune_.slack <= 0 || !bounds_.has_idle_variables() || prune_.rules_out(score, best);
}

void ChildLevels::fill_parents(const std::vector<std::size_t>& set) {
    parents_ = required_;
    for (const std::size_t place : set) parents_.push_back(others_[place]);
    std::sort(parents_.begin(), parents_.end());
}

}  // namespace dagscape
