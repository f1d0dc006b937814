#include "parents/best_first.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "parallel.hpp"
#include "parents/chosen_children.hpp"
#include "parents/required_parents.hpp"
#include "parents/set_key.hpp"

namespace dagscape {

namespace {

/// A set waiting to be taken up, or scored already.
struct Waiting {
    double promise;
    SetKey set;
    double best;  // score among the subsets on the way to it, and itself once scored
};

/// Ties go to the smaller set, then to the one whose members come first.
bool less_promising(const Waiting& a, const Waiting& b) {
    if (a.promise != b.promise) return a.promise < b.promise;
    if (a.set.size() != b.set.size()) return a.set.size() > b.set.size();
    return a.set > b.set;
}

/// About what a set takes among those seen, and one that waits.
constexpr std::size_t bytes_per_set = 160;

class Growth {
  public:
    Growth(const Scorer& scorer, const FamilyBounds& bounds, const Constraints& constraints,
           const BestFirstOptions& options, Var child, double seconds, Control& control)
        : scorer_(scorer),
          bounds_(bounds),
          options_(options),
          child_(child),
          seconds_(seconds),
          control_(control),
          root_(constraints.required[child].members()),
          candidates_((constraints.allowed[child] - constraints.required[child]).members()),
          limit_(std::min({constraints.max_parents[child], constraints.allowed[child].size(),
                           options.prune.limit ? bounds.most_parents(child, root_) : max_variables})),
          single_(scorer.variables(), 0),
          single_cost_(candidates_.size(), 0),
          costs_(candidates_.size(), 0) {}

    ParentList run(const ParentList* start, std::size_t start_size) {
        const double root = scored(root_);
        for (const Var y : candidates_) {
            if (out_of_time()) break;
            single_[y] = local(with(root_, y)) - root;
        }
        scorer_.function().parent_costs(child_, root_, candidates_, single_cost_);
        if (start) {
            list_ = *start;
            for (std::size_t at = 0, seeds = 0;
                 at < start->size() && seeds < options_.sets_per_child && !out_of_time(); ++at)
                if (start->parents(at).size() == start_size) {
                    expand({0, key_of(start->parents(at)), start->score(at)}, start->score(at));
                    ++seeds;
                }
        } else {
            list_.append(root, root_);
            if (options_.promise == Promise::independence) {
                // Sets of one more parent are all scored, and larger ones taken up by promise.
                if (limit_ > root_.size())
                    for (const Var y : candidates_) {
                        if (out_of_time()) break;
                        const std::vector<Var> set = with(root_, y);
                        list_.append(scored(set), set);
                        if (seen_.insert(key_of(set)).second) control_.charge(bytes_per_set);
                    }
                for (const Var y : candidates_)
                    if (limit_ > root_.size() && !out_of_time())
                        expand({0, key_of(with(root_, y)), root}, single_[y] + root);
            } else {
                expand({0, key_of(root_), root}, root);
            }
        }
        while (!open_.empty() && !over()) {
            std::pop_heap(open_.begin(), open_.end(), less_promising);
            Waiting next = std::move(open_.back());
            open_.pop_back();
            const std::vector<Var> set = members_of(next.set);
            double value = next.promise;
            if (options_.promise == Promise::independence) {
                value = scored(set);
                list_.append(value, set);
            }
            next.best = std::max(next.best, value);
            expand(next, value);
        }
        return std::move(list_);
    }

    /// The most parents that this child may have, or that can pay.
    std::size_t limit() const { return limit_; }
    /// Its share of the time ended it.
    bool late() const { return late_; }
    std::uint64_t families_scored() const { return count_; }
    std::size_t bytes() const { return seen_.size() * bytes_per_set; }

  private:
    bool over() { return count_ >= options_.sets_per_child || out_of_time(); }
    bool out_of_time() {
        if (!late_) late_ = control_.seconds() - begun_ > seconds_;
        return late_ || control_.stopped();
    }

    static std::vector<Var> with(std::vector<Var> set, Var y) {
        set.insert(std::lower_bound(set.begin(), set.end(), y), y);
        return set;
    }
    double local(const std::vector<Var>& set) const { return scorer_.local(child_, set); }
    double scored(const std::vector<Var>& set) {
        ++count_;
        return local(set);
    }

    /// Every set with one more parent waits, unless it was seen or cannot pay.
    void expand(const Waiting& from, double value) {
        if (from.set.size() >= limit_) return;
        const std::vector<Var> set = members_of(from.set);
        if (options_.prune.bound && bounds_.superset_bound(child_, set, limit_) <= from.best) return;
        const bool independence = options_.promise == Promise::independence;
        if (independence) scorer_.function().parent_costs(child_, set, candidates_, costs_);
        for (std::size_t at = 0; at < candidates_.size(); ++at) {
            const Var y = candidates_[at];
            if (std::binary_search(set.begin(), set.end(), y)) continue;
            double promise = independence ? promise_with(value, at) : 0;
            if (independence && promise < hopeless_) continue;
            if (over()) return;
            const std::vector<Var> larger = with(set, y);
            SetKey key = key_of(larger);
            if (!seen_.insert(key).second) continue;
            control_.charge(bytes_per_set);
            if (!independence) {
                promise = scored(larger);
                list_.append(promise, larger);
            }
            open_.push_back({promise, std::move(key), from.best});
            std::push_heap(open_.begin(), open_.end(), less_promising);
        }
        forget_hopeless();
    }

    /// BIC* of Scanagatta, de Campos, Corani and Zaffalon (2015): the score if y told the child the same with
    /// and without the other parents, less what all of them cost together. This orders the search and enters
    /// no score.
    double promise_with(double value, std::size_t at) const {
        return value + single_[candidates_[at]] - (costs_[at] - single_cost_[at]);
    }

    /// No more sets can be taken up than are left to be scored, so only the most promising need wait.
    void forget_hopeless() {
        const std::uint64_t left = options_.sets_per_child - std::min(count_, options_.sets_per_child);
        const std::size_t room = static_cast<std::size_t>(std::clamp<std::uint64_t>(left, 1024, 100'000));
        if (open_.size() < 2 * room) return;
        const auto worse = [](const Waiting& a, const Waiting& b) { return less_promising(b, a); };
        std::nth_element(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(room), open_.end(),
                         worse);
        open_.resize(room);
        hopeless_ = std::min_element(open_.begin(), open_.end(), less_promising)->promise;
        std::make_heap(open_.begin(), open_.end(), less_promising);
    }

    const Scorer& scorer_;
    const FamilyBounds& bounds_;
    const BestFirstOptions& options_;
    Var child_;
    double seconds_;
    Control& control_;
    std::vector<Var> root_;
    std::vector<Var> candidates_;
    std::size_t limit_;
    std::vector<double> single_;  // what a parent adds to the required ones, by variable
    // What parents cost beside the required ones, and beside those at hand; by place among the candidates.
    std::vector<double> single_cost_, costs_;
    double begun_ = control_.seconds();
    bool late_ = false;
    std::uint64_t count_ = 0;
    std::vector<Waiting> open_;
    double hopeless_ = -std::numeric_limits<double>::infinity();  // below this, a set will never be taken up
    std::unordered_set<SetKey> seen_;
    ParentList list_;
};

/// Leaves out sets with a subset in the list that scores at least as high. Those of up to `settled` parents
/// are known to have none, and a larger set is nobody's subset among them: with a million sets to start from,
/// looking again would take longer than scoring them did.
ParentList undominated(ParentList sorted, std::size_t variables, std::size_t settled,
                       std::uint64_t& dropped) {
    bool grown = false;
    for (std::size_t at = 0; at < sorted.size() && !grown; ++at) grown = sorted.parents(at).size() > settled;
    if (!grown) return sorted;
    const ParentIndex index(sorted, variables);
    ParentList kept;
    for (std::size_t at = 0; at < sorted.size(); ++at) {
        const Members parents = sorted.parents(at);
        WideSet set(variables);
        for (const Var v : parents) set.insert(v);
        if (parents.size() <= settled || index.best(set) == at) {
            kept.append(sorted.score(at), parents);
        } else {
            ++dropped;
        }
    }
    return kept;
}

}  // namespace

ParentLists best_first_selection(const Scorer& scorer, const Constraints& constraints,
                                 const BestFirstOptions& options, const ParentLists* start, Control& control,
                                 SelectionWork& work) {
    const std::vector<Var> children = chosen_children(options.children, scorer.variables());
    const std::size_t n = children.size();
    const std::unique_ptr<FamilyBounds> bounds = bounds_for(scorer.function(), options.prune);
    ParentLists result;
    result.lists.resize(scorer.variables());
    if (start) {
        result.exhaustive = start->exhaustive;
        result.exhaustive_to = start->exhaustive_to;
        for (const Var child : children) result.lists[child] = start->lists[child];
    }
    const std::uint64_t counted_before = scorer.sets_counted();
    std::vector<std::uint64_t> scored(n, 0), dropped(n, 0);
    std::vector<char> ended_late(n, 0);  // not bits: threads write side by side
    parallel_for(n, options.threads, control, [&](std::size_t i, std::size_t) {
        const Var child = children[i];
        ParentList& made = result.lists[child];
        // Of the time that is left, a fair share; a tenth is for putting the lists in order.
        const double waiting = static_cast<double>(n - i) / static_cast<double>(options.threads);
        const double fair = 0.9 * control.seconds_left() / std::max(1.0, waiting);
        Growth growth(scorer, *bounds, constraints, options, child, std::min(fair, options.seconds_per_child),
                      control);
        const std::size_t settled = start ? start->exhaustive_to : 0;
        if (start && settled >= growth.limit()) {  // nothing larger is to be had: the list stays as it is
            control.charge(made.bytes());
            control.advance(1.0 / static_cast<double>(n));
            return;
        }
        ParentList list = growth.run(start ? &start->lists[child] : nullptr, settled);
        list.sort();
        if (options.prune.dominance)
            list = undominated(std::move(list), result.variables(), settled, dropped[i]);
        if (options.prune.most_of_size != std::numeric_limits<std::size_t>::max())
            list = list.best_of_each_size(options.prune.most_of_size);
        made = std::move(list);
        scored[i] = growth.families_scored();
        ended_late[i] = growth.late();
        control.charge(made.bytes());
        control.release(growth.bytes());
        control.advance(1.0 / static_cast<double>(n));
    });
    keep_required(result, children, scorer, constraints);
    bool late = false;
    for (std::size_t i = 0; i < n; ++i) {
        work.families_scored += scored[i];
        work.pruned.dominance += dropped[i];
        late = late || ended_late[i];
    }
    work.sets_counted += scorer.sets_counted() - counted_before;
    work.stop = control.why() == Stop::none && late ? Stop::time : control.why();
    return result;
}

}  // namespace dagscape
