#include "search/greedy/greedy_state.hpp"

#include <algorithm>
#include <numeric>

#include "infinity.hpp"

namespace dagscape {

namespace {}  // namespace

GreedyState::GreedyState(const GreedyProblem& problem, FamilyGainsMaker& gains, const std::vector<Arc>& arcs)
    : problem_(&problem),
      gains_(&gains),
      families_(problem.variables()),
      parent_rows_(problem.variables(), problem.variables()),
      child_rows_(problem.variables(), problem.variables()),
      descendants_(problem.variables()),
      scores_(problem.variables()),
      most_addition_(problem.variables()),
      most_change_(problem.variables()),
      cyclic_(problem.variables()) {
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
    for (std::size_t v = 0; v < sets.size(); ++v) renew(static_cast<Var>(v));
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

/// What the child's best addition gains at most: its first candidate's gain that may fit.
double GreedyState::most_addition(Var child) const {
    const FamilyGains& family = *families_[child];
    if (cyclic_[child] < family.most_gaining.size()) return family.add[family.most_gaining[cyclic_[child]]];
    return family.has_all ? -infinity : family.add[family.most_gaining.back()];
}

/// What removing or reversing an arc into the child gains at most.
double GreedyState::most_change(Var child) const {
    const FamilyGains& family = *families_[child];
    double most = -infinity;
    for (std::size_t i = 0; i < family.parents.size(); ++i) {
        const Var parent = family.parents[i];
        most = std::max(most, family.remove[i]);
        if (has_room(parent) && problem_->constraints().allowed[parent].contains(child))
            most = std::max(most, family.remove[i] + add_gain(child, parent));
    }
    return most;
}

/// After the child's family has changed.
void GreedyState::renew(Var child) {
    cyclic_[child] = 0;
    most_addition_[child] = most_addition(child);
    most_change_[child] = most_change(child);
    child_rows_.for_each(child, [&](Var below) { most_change_[below] = most_change(below); });
}

std::optional<ArcMove> GreedyState::best_move(const TabuList& tabu, std::uint64_t& looked_at) {
    const std::size_t n = families_.size();
    std::optional<ArcMove> change;
    for (const ArcMove::Kind kind : {ArcMove::Kind::remove, ArcMove::Kind::reverse})
        for (std::size_t v = 0; v < n; ++v)
            if (!change || most_change_[v] > change->gain)
                look_at_arcs(static_cast<Var>(v), kind, tabu, change, looked_at);

    // The child that promises most sets a mark that few others reach.
    const auto promising = std::max_element(most_addition_.begin(), most_addition_.end());
    double mark = change ? change->gain : -infinity;
    if (*promising >= mark && *promising > -infinity) {
        const auto child = static_cast<Var>(promising - most_addition_.begin());
        if (const auto found = best_addition(child, mark, tabu, looked_at)) mark = found->gain;
    }
    std::optional<ArcMove> addition;
    for (std::size_t v = 0; v < n; ++v) {
        if (most_addition_[v] < mark || most_addition_[v] == -infinity) continue;
        const auto found = best_addition(static_cast<Var>(v), mark, tabu, looked_at);
        if (!found || (addition && found->gain <= addition->gain)) continue;
        addition = found;
        mark = found->gain;
    }
    return addition ? addition : change;
}

/// The child's best addition that gains no less than a mark.
std::optional<ArcMove> GreedyState::best_addition(Var child, double least, const TabuList& tabu,
                                                  std::uint64_t& looked_at) {
    const FamilyGains& family = *families_[child];
    const std::vector<Var>& candidates = problem_->candidates(child);
    const auto move_of = [&](std::size_t place) {
        return ArcMove{ArcMove::Kind::add, candidates[place], child, family.add[place]};
    };
    for (std::size_t at = cyclic_[child]; at < family.most_gaining.size(); ++at) {
        const ArcMove move = move_of(family.most_gaining[at]);
        if (move.gain < least) return {};
        ++looked_at;
        if (descendants_.reaches(child, move.from)) {
            if (cyclic_[child] == at) {  // so were all before
                ++cyclic_[child];
                most_addition_[child] = most_addition(child);
            }
        } else if (!tabu.has(key_after(move))) {
            return move;
        }
    }
    // All that gain most are ruled out: look at the others one by one.
    std::optional<ArcMove> best;
    for (std::size_t place = 0; !family.has_all && place < candidates.size(); ++place) {
        const ArcMove move = move_of(place);
        if (move.gain < least || move.gain == -infinity || (best && move.gain <= best->gain)) continue;
        ++looked_at;
        if (!descendants_.reaches(child, move.from) && !tabu.has(key_after(move))) best = move;
    }
    return best;
}

void GreedyState::look_at_arcs(Var child, ArcMove::Kind kind, const TabuList& tabu,
                               std::optional<ArcMove>& best, std::uint64_t& looked_at) const {
    const FamilyGains& family = *families_[child];
    const bool reverse = kind == ArcMove::Kind::reverse;
    for (std::size_t i = 0; i < family.parents.size(); ++i) {
        const Var parent = family.parents[i];
        if (reverse ? !may_reverse(parent, child) : !may_remove(parent, child)) continue;
        ++looked_at;
        const double gain = family.remove[i] + (reverse ? add_gain(child, parent) : 0);
        const ArcMove move{kind, parent, child, gain};
        if ((!best || gain > best->gain) && !tabu.has(key_after(move))) best = move;
    }
}

void GreedyState::insert(Var from, Var to) {
    parent_rows_.insert(to, from);
    child_rows_.insert(from, to);
    descendants_.add(from, to);
    changed_ = parents(to);
    changed_.insert(std::lower_bound(changed_.begin(), changed_.end(), from), from);
    families_[to] = (*gains_)(to, changed_);
    scores_[to] = families_[to]->score;
    renew(to);
}

void GreedyState::erase(Var from, Var to) {
    parent_rows_.erase(to, from);
    child_rows_.erase(from, to);
    descendants_.remove(from, to, child_rows_, [&](Var above) {
        cyclic_[above] = 0;
        most_addition_[above] = most_addition(above);
    });
    changed_ = parents(to);
    std::erase(changed_, from);
    families_[to] = (*gains_)(to, changed_);
    scores_[to] = families_[to]->score;
    renew(to);
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
