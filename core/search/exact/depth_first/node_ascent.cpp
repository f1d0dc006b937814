#include "search/exact/depth_first/node_ascent.hpp"

#include <algorithm>

#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

namespace {

/// Families take part whose reduced costs are within this share of the gap, at first.
constexpr double first_share = 0.05;
/// Then within so much more than is asked for.
constexpr double wider = 1.3;
/// Reduced costs within this share of the gap are as good as nothing.
constexpr double nothing_share = 1e-11;
constexpr std::uint64_t steps_at_once = 256;

template <typename Set>
class NodeAscent {
  public:
    using Problem = Subproblem<Set>;
    using Cost = typename Problem::Cost;
    using Family = typename Problem::Family;
    using Step = typename Problem::Step;

    NodeAscent(Problem& problem, Cost limit, Random& random)
        : problem_(problem),
          limit_(limit),
          random_(random),
          children_(Set::most),
          first_(std::max<Cost>(1, static_cast<Cost>(first_share * static_cast<double>(gap())))),
          nothing_(static_cast<Cost>(nothing_share * static_cast<double>(gap()))) {
        for (const Var v : problem_.left()) {
            auto& own = problem_.families(v);
            Child& child = children_[v];
            child.width = first_;
            const auto active =
                std::partition(own.begin(), own.end(), [&](const Family& f) { return f.reduced < first_; });
            child.active = static_cast<std::size_t>(active - own.begin());
            for (std::size_t at = 0; at < child.active; ++at)
                if (own[at].reduced <= nothing_) add_free(v, own[at].parents);
        }
    }

    bool run(std::uint64_t& steps, Control& control) {
        Set stuck = peel(problem_.left(), problem_.left(), Set());
        while (!stuck.empty()) {
            if (++steps % steps_at_once == 0 && control.stopped()) break;
            const Set cluster = shrink(stuck);
            const Cost by = least_outside(cluster);
            if (by >= gap()) return true;
            price(cluster, by);
            stuck = peel(stuck, cluster, Set());
        }
        for (const Var v : problem_.left()) {
            // Many of the others are above the gap whatever they have yet to lose.
            auto& own = problem_.families(v);
            const Child& child = children_[v];
            const auto others = own.begin() + static_cast<std::ptrdiff_t>(child.active);
            own.erase(std::remove_if(others, own.end(),
                                     [&](const Family& f) { return f.reduced - child.taken >= gap(); }),
                      own.end());
            catch_up(v, own.size());
        }
        problem_.filter(limit_);
        return false;
    }

  private:
    struct Child {
        std::size_t active = 0;   // so many families have their reduced costs up to date
        Cost width = 0;           // the others had at least this
        Cost taken = 0;           // and have lost at most this since
        std::vector<Step> steps;  // what the others have yet to lose
        std::vector<Set> free;    // parents left, of families that cost nothing
        Set in_free;              // all that occur there
        Set frees;                // children that have it in such a family
    };
    Cost gap() const { return limit_ - problem_.bound(); }

    void add_free(Var v, const Set& parents) {
        Child& child = children_[v];
        const Set among = parents & problem_.left();
        child.free.push_back(among);
        const Set fresh = among - child.in_free;
        for (const Var u : fresh) children_[u].frees = children_[u].frees | v;
        child.in_free = child.in_free | among;
    }
    /// What cannot be placed at no cost where all but these are placed; only `maybe` has to be looked at. If
    /// one of the `needed` can, nothing.
    Set peel(Set stuck, Set maybe, const Set& needed) const {
        maybe = maybe & stuck;
        while (!maybe.empty()) {
            const Var v = maybe.lowest();
            maybe = maybe - v;
            const std::vector<Set>& free = children_[v].free;
            if (std::none_of(free.begin(), free.end(),
                             [&](const Set& set) { return !set.intersects(stuck); }))
                continue;
            if (needed.contains(v)) return {};
            stuck = stuck - v;
            maybe = maybe | (children_[v].frees & stuck);
        }
        return stuck;
    }
    /// A part that still cannot be placed, but of which every smaller part can.
    Set shrink(Set stuck) {
        std::vector<Var> members(stuck.begin(), stuck.end());
        random_.shuffle(members);
        Set needed;
        for (const Var v : members) {
            if (!stuck.contains(v)) continue;
            const Set part = peel(stuck - v, children_[v].frees, needed);
            if (part.empty()) {
                needed = needed | v;
            } else {
                stuck = part;
            }
        }
        return stuck;
    }

    /// The least reduced cost of a member's family that avoids the cluster, or the gap.
    Cost least_outside(const Set& cluster) {
        Cost least = gap();
        for (const Var v : cluster) {
            auto& own = problem_.families(v);
            Child& child = children_[v];
            std::size_t from = 0;
            for (;;) {
                for (; from < child.active; ++from)
                    if (own[from].reduced < least && !own[from].parents.intersects(cluster))
                        least = own[from].reduced;
                const Cost known = child.width - child.taken;
                if (child.active == own.size() || known > least) break;
                widen(v, std::min<Cost>(least, known + known / 2 + first_));
            }
        }
        return least;
    }
    /// Lets more families take part: those with reduced costs up to this, and some more.
    void widen(Var v, Cost reduced) {
        auto& own = problem_.families(v);
        Child& child = children_[v];
        child.width = static_cast<Cost>(wider * static_cast<double>(child.taken + reduced)) + first_ / 2 + 1;
        const auto begin = own.begin() + static_cast<std::ptrdiff_t>(child.active);
        const auto end =
            std::partition(begin, own.end(), [&](const Family& f) { return f.reduced < child.width; });
        const std::size_t before = child.active;
        catch_up(v, static_cast<std::size_t>(end - own.begin()));
        for (std::size_t at = before; at < child.active; ++at)
            if (own[at].reduced <= nothing_) add_free(v, own[at].parents);
    }
    void catch_up(Var v, std::size_t active) {
        Child& child = children_[v];
        Problem::take(std::span(problem_.families(v)).subspan(child.active, active - child.active),
                      child.steps);
        child.active = active;
    }

    void price(const Set& cluster, Cost by) {
        problem_.add_price(cluster, by);
        for (const Var v : cluster) {
            auto& own = problem_.families(v);
            Child& child = children_[v];
            child.taken += by;
            child.steps.push_back({cluster, by});
            for (std::size_t at = 0; at < child.active; ++at) {
                Family& family = own[at];
                if (family.parents.intersects(cluster)) continue;
                const bool was_free = family.reduced <= nothing_;
                family.reduced -= by;
                if (family.reduced <= nothing_ && !was_free) add_free(v, family.parents);
            }
        }
    }

    Problem& problem_;
    Cost limit_;
    Random& random_;
    std::vector<Child> children_;
    Cost first_, nothing_;
};

}  // namespace

template <typename Set>
bool ascend(Subproblem<Set>& problem, typename Subproblem<Set>::Cost limit, Random& random,
            std::uint64_t& steps, Control& control) {
    if (problem.bound() >= limit) return true;
    return NodeAscent<Set>(problem, limit, random).run(steps, control);
}

template bool ascend(Subproblem<VarSet>&, Subproblem<VarSet>::Cost, Random&, std::uint64_t&, Control&);
template bool ascend(Subproblem<FixedSet<2>>&, Subproblem<FixedSet<2>>::Cost, Random&, std::uint64_t&,
                     Control&);
template bool ascend(Subproblem<FixedSet<4>>&, Subproblem<FixedSet<4>>::Cost, Random&, std::uint64_t&,
                     Control&);

}  // namespace dagscape
