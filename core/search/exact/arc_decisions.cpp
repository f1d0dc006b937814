#include "search/exact/arc_decisions.hpp"

#include <limits>

namespace dagscape {

ArcDecisions::ArcDecisions(std::size_t variables)
    : variables_(variables),
      required_(variables, variables),
      forbidden_(variables, variables),
      above_(variables, variables),
      below_(variables, variables) {
    clear();
}

void ArcDecisions::clear() {
    for (BitRows* rows : {&required_, &forbidden_, &above_, &below_}) rows->clear();
    for (std::size_t v = 0; v < variables_; ++v) {
        above_.insert(v, static_cast<Var>(v));
        below_.insert(v, static_cast<Var>(v));
    }
}

bool ArcDecisions::require(Var parent, Var child) {
    if (forbidden_.has(child, parent)) return false;
    required_.insert(child, parent);
    if (below_.has(parent, child)) return true;
    // The child is not above the parent, or the arc were forbidden: no row changes while it is read.
    above_.for_each(parent, [&](Var a) {
        below_.unite(a, below_[child]);
        forbidden_.unite(a, below_[child]);
    });
    below_.for_each(child, [&](Var d) { above_.unite(d, above_[parent]); });
    return true;
}

DecidedRegrets::DecidedRegrets(const ParentLists& parents) {
    children_.reserve(parents.variables());
    for (const ParentList& list : parents.lists) {
        WideCandidateSets& child = children_.emplace_back(list, parents.variables());
        child.regrets.push_back(std::numeric_limits<double>::infinity());
    }
}

std::size_t DecidedRegrets::bytes(const ParentLists& parents) {
    const std::size_t row = BitRows::width(parents.variables()) * sizeof(Word);
    return parents.sets() * (row + sizeof(double)) +
           parents.variables() * (sizeof(WideCandidateSets) + sizeof(double));
}

std::uint32_t DecidedRegrets::place(Var child, const Word* required, const Word* forbidden,
                                    std::uint32_t from) const {
    const BitRows& sets = children_[child].sets;
    const auto count = static_cast<std::uint32_t>(children_[child].regrets.size() - 1);
    if (sets.width() == 1) {  // most often, and several times as fast
        const Word needed = *required, barred = *forbidden;
        const Word* set = sets[0];
        while (from < count && ((set[from] & barred) | (needed & ~set[from])) != 0) ++from;
        return from;
    }
    for (; from < count; ++from) {
        const Word* set = sets[from];
        Word wrong = 0;
        for (std::size_t i = 0; i < sets.width(); ++i)
            wrong |= (set[i] & forbidden[i]) | (required[i] & ~set[i]);
        if (wrong == 0) break;
    }
    return from;
}

}  // namespace dagscape
