#include "search/local/neighborhoods.hpp"

#include <algorithm>

#include "parallel.hpp"

namespace dagscape {

namespace {

bool contains(const std::vector<Var>& set, Var v) { return std::binary_search(set.begin(), set.end(), v); }

void sort_unique(std::vector<Var>& set) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
}

bool contains(const std::vector<Spouse>& spouses, Var v) {
    return std::any_of(spouses.begin(), spouses.end(),
                       [v](const Spouse& spouse) { return spouse.spouse == v; });
}

}  // namespace

std::vector<Var> second_neighbors(Var target, const Surroundings& around) {
    const std::vector<Var>& own = around.neighbors(target);
    std::vector<Var> second;
    for (const Var v : own)
        for (const Var w : around.neighbors(v))
            if (w != target && !contains(own, w)) second.push_back(w);
    sort_unique(second);
    return second;
}

Neighborhoods::Neighborhoods(const LocalMethod& method, std::size_t variables, std::size_t threads,
                             Control& control)
    : method_(method),
      threads_(threads),
      control_(control),
      potential_(variables),
      neighbors_(variables),
      spouses_(variables) {}

void Neighborhoods::learn_potential(const std::vector<Var>& targets) {
    std::vector<Var> missing;
    for (const Var v : targets)
        if (!potential_[v]) missing.push_back(v);
    sort_unique(missing);
    parallel_for(missing.size(), threads_, control_, [&](std::size_t task, std::size_t) {
        potential_[missing[task]] = method_.neighbors(missing[task], control_);
        control_.advance(1 / static_cast<double>(potential_.size()));
    });
    for (const Var v : missing) searches_ += potential_[v].has_value();
}

void Neighborhoods::learn_neighbors(const std::vector<Var>& targets) {
    learn_potential(targets);
    std::vector<Var> asked;
    for (const Var v : targets)
        if (potential_done(v) && !neighbors_[v])
            asked.insert(asked.end(), potential_[v]->neighbors.begin(), potential_[v]->neighbors.end());
    learn_potential(asked);
    for (const Var v : targets) {
        if (neighbors_[v] || !potential_done(v)) continue;
        const std::vector<Var>& mine = potential_[v]->neighbors;
        if (std::all_of(mine.begin(), mine.end(), [this](Var w) { return potential_done(w); }))
            neighbors_[v] = agreed(v);
    }
}

std::vector<Var> Neighborhoods::agreed(Var v) const {
    std::vector<Var> agreeing;
    if (potential_[v])
        for (const Var w : potential_[v]->neighbors)
            if (!potential_done(w) || contains(potential_[w]->neighbors, v)) agreeing.push_back(w);
    return agreeing;
}

/// The neighbors of these variables, as far as they are known.
std::vector<Var> Neighborhoods::around(const std::vector<Var>& targets) const {
    std::vector<Var> ring;
    for (const Var v : targets)
        if (neighbors_[v]) ring.insert(ring.end(), neighbors_[v]->begin(), neighbors_[v]->end());
    sort_unique(ring);
    return ring;
}

bool Neighborhoods::surroundings_done(Var v) const {
    return neighbors_[v] && std::all_of(neighbors_[v]->begin(), neighbors_[v]->end(),
                                        [this](Var w) { return neighbors_done(w); });
}

void Neighborhoods::learn_spouses(const std::vector<Var>& targets, bool either) {
    learn_neighbors(targets);
    learn_neighbors(around(targets));
    std::vector<Var> searched = targets;
    if (either) {  // who may find a target to be a spouse has it as a second neighbor, and is one of it
        for (const Var v : targets) {
            if (!surroundings_done(v)) continue;
            const std::vector<Var> second = second_neighbors(v, *this);
            searched.insert(searched.end(), second.begin(), second.end());
        }
        sort_unique(searched);
        learn_neighbors(searched);
        learn_neighbors(around(searched));
    }
    std::vector<Var> missing;
    for (const Var v : searched)
        if (!spouses_[v] && surroundings_done(v)) missing.push_back(v);
    parallel_for(missing.size(), threads_, control_, [&](std::size_t task, std::size_t) {
        spouses_[missing[task]] = method_.spouses(missing[task], *this, control_);
        control_.advance(1 / static_cast<double>(potential_.size()));
    });
    for (const Var v : missing) searches_ += spouses_[v].has_value();
}

bool Neighborhoods::near(Var one, Var other) const {
    const auto finds = [this](Var v, Var w) {
        return !potential_done(v) || contains(potential_[v]->neighbors, w);
    };
    switch (method_.child_check()) {
        case ChildCheck::none:
            return true;
        case ChildCheck::either:
            return finds(one, other) || finds(other, one);
        case ChildCheck::both:
            return finds(one, other) && finds(other, one);
    }
    return true;
}

std::vector<Spouse> Neighborhoods::checked_spouses(Var v) const {
    if (!spouses_[v]) return {};
    std::vector<Spouse> kept = spouses_[v]->spouses;
    for (Spouse& spouse : kept)
        std::erase_if(spouse.children,
                      [&](Var child) { return !near(v, child) || !near(spouse.spouse, child); });
    std::erase_if(kept, [](const Spouse& spouse) { return spouse.children.empty(); });
    return kept;
}

std::vector<Var> Neighborhoods::spouses(Var v, bool either) const {
    std::vector<Var> found;
    for (const Spouse& spouse : checked_spouses(v)) found.push_back(spouse.spouse);
    if (either && surroundings_done(v))
        for (const Var w : second_neighbors(v, *this))
            if (contains(checked_spouses(w), v)) found.push_back(w);
    sort_unique(found);
    return found;
}

bool Neighborhoods::spouses_done(Var v, bool either) const {
    if (!spouses_[v] || !spouses_[v]->done) return false;
    if (!either) return true;
    const std::vector<Var> second = second_neighbors(v, *this);
    return std::all_of(second.begin(), second.end(),
                       [this](Var w) { return spouses_[w] && spouses_[w]->done; });
}

const std::vector<Var>* Neighborhoods::separator(Var v, Var other) const {
    for (const auto& [one, two] : {std::pair(v, other), std::pair(other, v)}) {
        if (!potential_[one]) continue;
        for (const auto& [left_out, set] : potential_[one]->separators)
            if (left_out == two) return &set;
    }
    return nullptr;
}

}  // namespace dagscape
