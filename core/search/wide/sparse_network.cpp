#include "search/wide/sparse_network.hpp"

namespace dagscape {

SparseNetwork::SparseNetwork(const GreedyProblem& problem, FamilyGainsMaker& gains, const ManyGains& rest)
    : problem_(problem),
      gains_(gains),
      rest_(rest),
      place_(problem.variables(), nowhere),
      below_(problem.variables()),
      seen_above_(problem.variables()),
      seen_below_(problem.variables()) {}

void SparseNetwork::begin(const std::vector<Var>& part) {
    for (const Var v : part_) place_[v] = nowhere;
    part_ = part;
    own_.resize(part.size());
    if (children_.size() < part.size()) children_.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
        own_[i] = rest_[part[i]];
        place_[part[i]] = static_cast<std::uint32_t>(i);
        children_[i].clear();
    }
    for (const Var v : part)
        for (const Var parent : parents(v))
            if (free(parent)) children_[place_[parent]].push_back(v);
    for (std::vector<Var>& own : below_) own.clear();
    for (std::size_t v = 0; v < below_.size(); ++v)
        for (const Var parent : parents(static_cast<Var>(v))) below_[parent].push_back(static_cast<Var>(v));
    mark();
}

/// Whether there is a way along the arcs: looked for from both ends in turn, since often little is above the
/// one where much is below the other.
bool SparseNetwork::reaches(Var from, Var to) {
    if (++look_ == 0) {
        std::fill(seen_above_.begin(), seen_above_.end(), 0);
        std::fill(seen_below_.begin(), seen_below_.end(), 0);
        look_ = 1;
    }
    above_.assign(1, to);
    beneath_.assign(1, from);
    seen_above_[to] = seen_below_[from] = look_;
    while (!above_.empty() && !beneath_.empty()) {
        const Var high = above_.back();
        above_.pop_back();
        for (const Var parent : parents(high)) {
            if (seen_below_[parent] == look_) return true;
            if (seen_above_[parent] == look_) continue;
            seen_above_[parent] = look_;
            above_.push_back(parent);
        }
        const Var low = beneath_.back();
        beneath_.pop_back();
        for (const Var child : below_[low]) {
            if (seen_above_[child] == look_) return true;
            if (seen_below_[child] == look_) continue;
            seen_below_[child] = look_;
            beneath_.push_back(child);
        }
    }
    return false;
}

double SparseNetwork::add_gain(Var from, Var to) const { return family(to)->add[problem_.place(to, from)]; }

/// Another way from tail to head would become a cycle.
bool SparseNetwork::may_turn(Var from, Var to) {
    if (!free(from) || !has_room(from) || !problem_.constraints().allowed[from].contains(to) ||
        problem_.constraints().required[to].contains(from))
        return false;
    for (const Var other : parents(to))
        if (other != from && reaches(from, other)) return false;
    return true;
}

std::optional<ArcMove> SparseNetwork::best_move(Var child, double least) {
    const FamilyGains& family = *own_[place_[child]];
    std::optional<ArcMove> best;
    double most = least;
    const auto offer = [&](ArcMove::Kind kind, Var from, double gain) {
        most = gain;
        best = {kind, from, child, gain};
    };
    if (!family.add.empty()) {
        const std::vector<Var>& candidates = problem_.candidates(child);
        bool found = false;
        for (const std::uint32_t place : family.most_gaining) {
            if (family.add[place] <= most || found) break;
            if (reaches(child, candidates[place])) continue;
            offer(ArcMove::Kind::add, candidates[place], family.add[place]);
            found = true;
        }
        if (!found && !family.has_all && family.add[family.most_gaining.back()] > most)
            for (std::size_t place = 0; place < candidates.size(); ++place)
                if (family.add[place] > most && !reaches(child, candidates[place]))
                    offer(ArcMove::Kind::add, candidates[place], family.add[place]);
    }
    for (std::size_t i = 0; i < family.parents.size(); ++i)
        if (family.remove[i] > most && !problem_.constraints().required[child].contains(family.parents[i]))
            offer(ArcMove::Kind::remove, family.parents[i], family.remove[i]);
    for (std::size_t i = 0; i < family.parents.size(); ++i) {
        const Var parent = family.parents[i];
        if (!free(parent) || !has_room(parent) || !problem_.constraints().allowed[parent].contains(child))
            continue;
        const double gain = family.remove[i] + add_gain(child, parent);
        if (gain > most && may_turn(parent, child)) offer(ArcMove::Kind::reverse, parent, gain);
    }
    return best;
}

void SparseNetwork::set_family(Var child, std::shared_ptr<const FamilyGains> family) {
    std::shared_ptr<const FamilyGains>& own = own_[place_[child]];
    for (const Var parent : own->parents) {
        std::erase(below_[parent], child);
        if (free(parent)) std::erase(children_[place_[parent]], child);
    }
    for (const Var parent : family->parents) {
        below_[parent].push_back(child);
        if (free(parent)) children_[place_[parent]].push_back(child);
    }
    own = std::move(family);
}

void SparseNetwork::insert(Var from, Var to) {
    set_ = parents(to);
    set_.insert(std::lower_bound(set_.begin(), set_.end(), from), from);
    changes_.push_back({to, family(to)});
    set_family(to, gains_(to, set_));
}

void SparseNetwork::erase(Var from, Var to) {
    set_ = parents(to);
    std::erase(set_, from);
    changes_.push_back({to, family(to)});
    set_family(to, gains_(to, set_));
}

void SparseNetwork::take(const ArcMove& move) {
    ++taken_;
    if (move.kind == ArcMove::Kind::add) return insert(move.from, move.to);
    erase(move.from, move.to);
    if (move.kind == ArcMove::Kind::reverse) insert(move.to, move.from);
}

bool SparseNetwork::turn_if_covered(Var from, Var to) {
    if (!free(from) || !free(to)) return false;
    const std::vector<Var>& above = parents(from);
    const std::vector<Var>& of_head = parents(to);
    if (of_head.size() != above.size() + 1 || !std::all_of(above.begin(), above.end(), [&](Var v) {
            return std::binary_search(of_head.begin(), of_head.end(), v);
        }))
        return false;
    const SetFunction& function = problem_.scorer().function();
    if (function.kinds() > 1 && !function.exchangeable(from, to)) return false;
    // What the head's other parents are to it, they are to the tail: no other way leads from tail to head.
    if (!has_room(from) || !problem_.constraints().allowed[from].contains(to) ||
        problem_.constraints().required[to].contains(from))
        return false;
    erase(from, to);
    insert(to, from);
    return true;
}

void SparseNetwork::cut_off(Var v) {
    const std::vector<Var> above = parents(v), below = children(v);
    for (const Var parent : above)
        if (!problem_.constraints().required[v].contains(parent)) erase(parent, v);
    for (const Var child : below)
        if (!problem_.constraints().required[child].contains(v)) erase(v, child);
}

bool SparseNetwork::add_if_possible(Var from, Var to) {
    if (!free(to) || !has_room(to)) return false;
    const std::vector<Var>& above = parents(to);
    if (std::binary_search(above.begin(), above.end(), from)) return true;
    if (reaches(to, from)) return false;
    insert(from, to);
    return true;
}

void SparseNetwork::undo() {
    for (; !changes_.empty(); changes_.pop_back())
        set_family(changes_.back().child, std::move(changes_.back().before));
}

double SparseNetwork::gained() const {
    // A child's first change has what it was at the mark; later ones cancel out.
    double sum = 0;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        const Var child = changes_[i].child;
        const auto same = [child](const Change& other) { return other.child == child; };
        const auto here = changes_.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::find_if(changes_.begin(), here, same) == here)
            sum += family(child)->score - changes_[i].before->score;
    }
    return sum;
}

}  // namespace dagscape
