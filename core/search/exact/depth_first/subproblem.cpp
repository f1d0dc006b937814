#include "search/exact/depth_first/subproblem.hpp"

#include <algorithm>

#include "clones.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

template <typename Set>
Subproblem<Set>::Subproblem(const std::vector<PricedCut<Set>>& cuts, const Costs& costs)
    : cuts_(&cuts), left_(costs.all()), families_(costs.variables()) {
    for (std::size_t v = 0; v < families_.size(); ++v) {
        const Var child = static_cast<Var>(v);
        for (std::size_t at = 0; at < costs.sets(child); ++at) {
            const Cost cost = costs.cost_at(child, at);
            families_[v].push_back({cost, cost, costs.set(child, at)});
        }
    }
    for (std::size_t at = 0; at < cuts.size(); ++at) {
        const PricedCut<Set>& cut = cuts[at];
        bound_ += cut.need(left_);
        prices_.push_back({cut.members(), cut.amount(), cut.is_cluster() ? -1 : static_cast<int>(at)});
        for (const Var v : cut.listed())
            for (Family& family : families_[v]) family.reduced -= cut.taken(v, family.parents);
    }
    for (const Var v : left_) level(v);
}

template <typename Set>
Subproblem<Set>::Subproblem(const Subproblem& other, Var next, Cost from, Cost limit)
    : cuts_(other.cuts_),
      placed_(other.placed_),
      left_(other.left_),
      cost_(other.cost_),
      bound_(other.bound_),
      order_(other.order_),
      families_(other.families_.size()),
      prices_(other.prices_) {
    for (const Var v : left_) {
        if (v == next) {
            families_[v] = other.families_[v];
            continue;
        }
        for (const Family& family : other.families_[v])
            if (from + family.reduced < limit) families_[v].push_back(family);
    }
}

template <typename Set>
std::size_t Subproblem<Set>::bytes() const {
    std::size_t sum = prices_.capacity() * sizeof(Price);
    for (const auto& own : families_) sum += own.capacity() * sizeof(Family);
    return sum;
}

template <typename Set>
bool Subproblem<Set>::placing(Var child, Placing& result) const {
    result.family = nullptr;
    for (const Family& family : families_[child])
        if ((result.family == nullptr || family.cost < result.family->cost) &&
            family.parents.subset_of(placed_))
            result.family = &family;
    if (result.family == nullptr) return false;
    result.cost = cost_ + result.family->cost;
    result.bound = bound_ + result.family->reduced;
    // What a cut took off the family is counted again, and what its need falls is not any more. Of a cluster
    // all of which is left they are the same.
    const Set after = left_ - child;
    for (const Price& price : prices_) {
        if (price.cut < 0 || !price.members.contains(child)) continue;
        const PricedCut<Set>& cut = (*cuts_)[static_cast<std::size_t>(price.cut)];
        result.bound += cut.taken(child, result.family->parents) - (cut.need(left_) - cut.need(after));
    }
    return true;
}

template <typename Set>
bool Subproblem<Set>::place(Var child, Cost limit) {
    Placing to;
    if (!placing(child, to) || to.bound >= limit) return false;
    cost_ = to.cost;
    bound_ = to.bound;
    order_.push_back(child);
    placed_ = placed_ | child;
    left_ = left_ - child;
    std::vector<Family>().swap(families_[child]);
    std::vector<std::vector<Step>> back(families_.size());
    Set touched;
    std::erase_if(prices_, [&](const Price& price) {
        if (!price.members.contains(child)) return false;
        const Set others = price.members & left_;
        if (price.cut < 0) {
            for (const Var v : others) back[v].push_back({price.members, -price.amount});
        } else {
            const PricedCut<Set>& cut = (*cuts_)[static_cast<std::size_t>(price.cut)];
            if (cut.need(left_) > 0) return false;
            for (const Var v : others)
                for (Family& family : families_[v]) family.reduced += cut.taken(v, family.parents);
        }
        touched = touched | others;
        return true;
    });
    for (const Var v : touched) {
        take(families_[v], back[v]);
        if (!level(v)) return false;
    }
    return bound_ < limit;
}

template <typename Set>
bool Subproblem<Set>::place_free(Cost limit) {
    for (bool more = true; more;) {
        more = false;
        const Set now = left_;
        for (const Var v : now) {
            Cost cheapest = Costs::never, available = Costs::never;
            for (const Family& family : families_[v]) {
                cheapest = std::min(cheapest, family.cost);
                if (family.cost < available && family.parents.subset_of(placed_)) available = family.cost;
            }
            if (cheapest == Costs::never) return false;
            if (available > cheapest) continue;
            if (!place(v, limit)) return false;
            more = true;
        }
    }
    return true;
}

template <typename Set>
void Subproblem<Set>::filter(Cost limit) {
    for (const Var v : left_)
        std::erase_if(families_[v], [&](const Family& one) { return bound_ + one.reduced >= limit; });
}

namespace {

/// A block of sets, word by word, so that a step asks many of them at once.
template <std::size_t Words>
struct Block {
    static constexpr std::size_t size = 256;
    std::uint64_t words[Words][size];
    std::int64_t reduced[size];
};

template <std::size_t Words>
DAGSCAPE_CLONES void take_block(Block<Words>& block, std::size_t count, const std::uint64_t* members,
                                std::int64_t amount) {
    for (std::size_t at = 0; at < count; ++at) {
        std::uint64_t common = 0;
        for (std::size_t word = 0; word < Words; ++word) common |= block.words[word][at] & members[word];
        block.reduced[at] -= common == 0 ? amount : 0;
    }
}

}  // namespace

template <typename Set>
void Subproblem<Set>::take(std::span<Family> families, std::span<const Step> steps) {
    constexpr std::size_t words = Set::most / 64;
    if (steps.empty()) return;
    Block<words> block;
    for (std::size_t begin = 0; begin < families.size(); begin += block.size) {
        const std::size_t count = std::min(block.size, families.size() - begin);
        for (std::size_t at = 0; at < count; ++at) {
            const Family& family = families[begin + at];
            for (std::size_t word = 0; word < words; ++word)
                block.words[word][at] = family.parents.words()[word];
            block.reduced[at] = family.reduced;
        }
        for (const Step& step : steps) take_block<words>(block, count, step.members.words(), step.amount);
        for (std::size_t at = 0; at < count; ++at) families[begin + at].reduced = block.reduced[at];
    }
}

template <typename Set>
bool Subproblem<Set>::level(Var child) {
    Cost least = Costs::never;
    for (const Family& family : families_[child]) least = std::min(least, family.reduced);
    if (families_[child].empty()) return false;
    if (least != 0)
        for (Family& family : families_[child]) family.reduced -= least;
    bound_ += least;
    return true;
}

template <typename Set>
Set Subproblem<Set>::closed_part() const {
    std::vector<Set> parents(families_.size());
    for (const Var v : left_) {
        for (const Family& family : families_[v]) parents[v] = parents[v] | family.parents;
        parents[v] = parents[v] & left_;
    }
    Set fewest = left_;
    for (const Var v : left_) {
        Set reached = Set() | v, next = reached;
        while (!next.empty()) {
            const Var u = next.lowest();
            const Set fresh = parents[u] - reached;
            reached = reached | fresh;
            next = (next - u) | fresh;
        }
        if (reached.size() < fewest.size()) fewest = reached;
    }
    return fewest;
}

template class Subproblem<VarSet>;
template class Subproblem<FixedSet<2>>;
template class Subproblem<FixedSet<4>>;

}  // namespace dagscape
