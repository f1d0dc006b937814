#include "search/greedy/greedy_state.hpp"

#include <algorithm>
#include <numeric>

namespace dagscape {

GreedyState::GreedyState(const GreedyProblem& problem, FamilyGainsMaker& gains, const std::vector<Arc>& arcs)
    : problem_(&problem),
      gains_(&gains),
      families_(problem.variables()),
      parent_rows_(problem.variables(), problem.variables()),
      child_rows_(problem.variables(), problem.variables()),
      descendants_(problem.variables()),
      scores_(problem.variables()) {
    std::vector<std::vector<Var>> sets(problem.variables());
    for (const auto& [from, to] : arcs) {
        sets[to].push_back(from);
        parent_rows_.insert(to, from);
        child_rows_.insert(from, to);
        descendants_.add(from, to);
        key_ ^= arc_key(from, to);
    }
    for (std::size_t v = 0; v < sets.size(); ++v) {
        std::sort(sets[v].begin(), sets[v].end());
        families_[v] = (*gains_)(static_cast<Var>(v), sets[v]);
        scores_[v] = families_[v]->score;
    }
    add_up();
}

/// Sums anew: what moves gained, added up, would depend on the way.
void GreedyState::add_up() { score_ = std::accumulate(scores_.begin(), scores_.end(), 0.0); }

std::vector<Arc> GreedyState::arcs() const {
    std::vector<Arc> all;
    for (std::size_t v = 0; v < families_.size(); ++v)
        for (const Var parent : families_[v]->parents) all.emplace_back(parent, static_cast<Var>(v));
    return all;
}

std::vector<Var> GreedyState::children(Var parent) const {
    std::vector<Var> all;
    child_rows_.for_each(parent, [&](Var child) { all.push_back(child); });
    return all;
}

std::optional<ArcMove> GreedyState::addition(Var from, Var to) const {
    if (!has_room(to) || !problem_->constraints().allowed[to].contains(from) ||
        descendants_.reaches(to, from))
        return {};
    return ArcMove{ArcMove::Kind::add, from, to, add_gain(from, to)};
}

std::optional<ArcMove> GreedyState::removal(Var from, Var to) const {
    if (!may_remove(from, to)) return {};
    return ArcMove{ArcMove::Kind::remove, from, to, remove_gain(from, to)};
}

std::optional<ArcMove> GreedyState::reversal(Var from, Var to) const {
    if (!may_reverse(from, to)) return {};
    return ArcMove{ArcMove::Kind::reverse, from, to, remove_gain(from, to) + add_gain(to, from)};
}

bool GreedyState::may_reverse(Var from, Var to) const {
    if (!may_remove(from, to) || !has_room(from) || !problem_->constraints().allowed[from].contains(to))
        return false;
    // Another way from tail to head would become a cycle; it enters the head through another parent.
    BitRows::Word common = 0;
    const BitRows::Word* below = descendants_.of(from);
    for (std::size_t i = 0; i < parent_rows_.width(); ++i) common |= below[i] & parent_rows_[to][i];
    return common == 0;
}

double GreedyState::remove_gain(Var from, Var to) const {
    const std::vector<Var>& all = parents(to);
    return families_[to]
        ->remove[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), from) - all.begin())];
}

std::uint64_t GreedyState::key_after(const ArcMove& move) const {
    const std::uint64_t changed = key_ ^ arc_key(move.from, move.to);
    return move.kind == ArcMove::Kind::reverse ? changed ^ arc_key(move.to, move.from) : changed;
}

std::optional<ArcMove> GreedyState::best_move(const TabuList& tabu, std::uint64_t& looked_at) const {
    std::optional<ArcMove> best;
    const std::size_t n = families_.size();
    for (std::size_t v = 0; v < n; ++v) looked_at += look_at_additions(static_cast<Var>(v), tabu, best);
    for (const ArcMove::Kind kind : {ArcMove::Kind::remove, ArcMove::Kind::reverse})
        for (std::size_t v = 0; v < n; ++v) looked_at += look_at_arcs(static_cast<Var>(v), kind, tabu, best);
    return best;
}

std::uint64_t GreedyState::look_at_additions(Var child, const TabuList& tabu,
                                             std::optional<ArcMove>& best) const {
    if (!has_room(child)) return 0;
    const FamilyGains& family = *families_[child];
    const std::vector<Var>& candidates = problem_->candidates(child);
    std::uint64_t looked_at = 0;
    const auto fits = [&](std::size_t place) {
        ++looked_at;
        const ArcMove move{ArcMove::Kind::add, candidates[place], child, family.add[place]};
        if (has(move.from, child) || descendants_.reaches(child, move.from) || tabu.has(key_after(move)))
            return false;
        best = move;
        return true;
    };
    for (const std::uint32_t place : family.most_gaining)
        if ((best && family.add[place] <= best->gain) || fits(place)) return looked_at;
    // All that gain most are ruled out: look at the others one by one.
    for (std::size_t place = 0; !family.has_all && place < candidates.size(); ++place)
        if (!best || family.add[place] > best->gain) fits(place);
    return looked_at;
}

std::uint64_t GreedyState::look_at_arcs(Var child, ArcMove::Kind kind, const TabuList& tabu,
                                        std::optional<ArcMove>& best) const {
    const FamilyGains& family = *families_[child];
    const bool reverse = kind == ArcMove::Kind::reverse;
    std::uint64_t looked_at = 0;
    for (std::size_t i = 0; i < family.parents.size(); ++i) {
        const Var parent = family.parents[i];
        if (reverse ? !may_reverse(parent, child) : !may_remove(parent, child)) continue;
        ++looked_at;
        const double gain = family.remove[i] + (reverse ? add_gain(child, parent) : 0);
        const ArcMove move{kind, parent, child, gain};
        if ((!best || gain > best->gain) && !tabu.has(key_after(move))) best = move;
    }
    return looked_at;
}

void GreedyState::insert(Var from, Var to) {
    parent_rows_.insert(to, from);
    child_rows_.insert(from, to);
    descendants_.add(from, to);
    changed_ = parents(to);
    changed_.insert(std::lower_bound(changed_.begin(), changed_.end(), from), from);
    families_[to] = (*gains_)(to, changed_);
    scores_[to] = families_[to]->score;
}

void GreedyState::erase(Var from, Var to) {
    parent_rows_.erase(to, from);
    child_rows_.erase(from, to);
    descendants_.remove(from, to, child_rows_);
    changed_ = parents(to);
    std::erase(changed_, from);
    families_[to] = (*gains_)(to, changed_);
    scores_[to] = families_[to]->score;
}

void GreedyState::take(const ArcMove& move) {
    key_ = key_after(move);
    if (move.kind == ArcMove::Kind::add) {
        insert(move.from, move.to);
    } else {
        erase(move.from, move.to);
        if (move.kind == ArcMove::Kind::reverse) insert(move.to, move.from);
    }
    add_up();
}

}  // namespace dagscape
