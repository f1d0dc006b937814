#include "parents/sequential.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "parallel.hpp"
#include "parents/child_levels.hpp"
#include "parents/chosen_children.hpp"
#include "parents/dense_levels.hpp"
#include "parents/required_parents.hpp"
#include "parents/set_numbers.hpp"
#include "parents/sparse_levels.hpp"

namespace dagscape {

namespace {

/// Below this many nanoseconds a size is done at once without asking what is left.
constexpr double cheap = 2e8;

/// Children go alone from the start where they have so many times fewer sets than walks of all variables
/// would show, or fewer: a set is then scored for one child, and not beside others. Measured.
constexpr double fewer_alone = 4;

/// With more sets than this for each child, the bounds of all children together leave out more.
constexpr double most_alone = 5e6;

/// Nanoseconds to score a set of one child, roughly, where it goes alone.
constexpr double nanoseconds_alone = 250;

class Selection {
  public:
    Selection(const Scorer& scorer, const Constraints& constraints, const SequentialOptions& options,
              Control& control, SelectionWork& work)
        : scorer_(scorer),
          constraints_(constraints),
          options_(options),
          control_(control),
          work_(work),
          walk_(scorer.function().walk(options.walk)),
          order_(walk_->order()),
          children_(children_of_part()),
          bounds_(bounds_for(scorer.function(), options.prune)),
          worth_having_(worth_having()),
          limits_(limits()),
          largest_(*std::max_element(limits_.begin(), limits_.end())),
          numbers_(order_.size(), std::min<std::size_t>(largest_ + 1, 24)),
          dense_(scorer, order_, constraints, limits_, children_, options.share, asks_what_is_left(),
                 options.prune, largest_capped(), options.threads) {}

    ParentLists run() {
        while (next()) {
        }
        return finish();
    }

    /// Does the sets of the next size for all children at once; says whether there may be more of that.
    bool next() {
        if (alone_ || size_ > largest_ || !dense_next(size_)) return false;
        control_.stage(stage(size_));
        dense_.run(size_, size_ < largest_, *walk_, control_);
        charge_walk();
        if (control_.stopped()) return false;
        exhaustive_to_ = size_++;
        work_.dense_ways.push_back(walk_->way(size_));
        work_.sets_counted +=
            static_cast<std::uint64_t>(size_ <= largest_ ? numbers_.sets(size_) : sets_of_part(size_));
        return true;
    }

    /// The lists, with the larger sets that the rules leave of each child.
    ParentLists finish() {
        if (alone_) return each_alone();
        ParentLists result;
        result.exhaustive_to = exhaustive_to_;
        const bool finished = control_.stopped() || size_ > largest_;
        result.lists = dense_.take_lists(finished);
        if (!finished) {
            sparse(size_ - 1, result);
        } else {
            result.exhaustive = !control_.stopped();
            for (const Var v : children_) result.exhaustive = result.exhaustive && proven(v);
        }
        work_.families_scored += dense_.families_scored();
        work_.pruned += dense_.pruned();
        work_.stop = control_.why();
        // Otherwise each child has a set, though perhaps not in this part.
        if (control_.stopped() || options_.share.parts == 1)
            keep_required(result, children_, scorer_, constraints_);
        // Who stops it, now or before, wants it back at once; see `ParentLists::sort`.
        if (work_.stop != Stop::time && work_.stop != Stop::interrupt)
            result.sort(options_.threads, control_);
        return result;
    }

    /// What the sizes done at once will take, before they are begun; the rules may spare the rest.
    SelectionEstimate estimate() {
        SelectionEstimate result;
        if (alone_) {
            for (const Var child : children_) {
                const double sets = ChildLevels::sets(constraints_, child, limits_[child]);
                result.sets += sets;
                result.list_bytes += 2 * sets * static_cast<double>(ParentList::bytes_of(limits_[child]));
            }
            result.seconds = 1e-9 * nanoseconds_alone * result.sets / static_cast<double>(options_.threads);
            result.max_parents = largest_;
            return result;
        }
        for (std::size_t size = 0; size <= largest_capped(); ++size) {
            if (size > 0 && !fits(size)) {
                result.complete = false;
                break;
            }
            result.sets += numbers_.sets(size + 1);
            const double families = numbers_.sets(size + 1) * static_cast<double>(size + 1);
            result.list_bytes += 2 * families * static_cast<double>(ParentList::bytes_of(size));
            result.seconds += 1e-9 * walk_cost(size + 1) / static_cast<double>(options_.threads);
            if (size < largest_) result.bytes += kept_bytes(size);
        }
        result.max_parents = largest_;
        return result;
    }

  private:
    std::size_t largest_capped() const {
        return std::min<std::size_t>(largest_, std::clamp<std::size_t>(options_.most_together, 1, 23));
    }

    std::vector<std::size_t> limits() const {
        std::vector<std::size_t> result;
        for (std::size_t v = 0; v < constraints_.allowed.size(); ++v) {
            const std::size_t rule = options_.prune.limit ? worth_having_[v] : constraints_.allowed[v].size();
            result.push_back(std::min(constraints_.max_parents[v], rule));
        }
        return result;
    }

    std::vector<std::size_t> worth_having() const {
        std::vector<std::size_t> result;
        for (std::size_t v = 0; v < constraints_.allowed.size(); ++v)
            result.push_back(
                std::min(bounds_->most_parents(static_cast<Var>(v), constraints_.required[v].members(),
                                               options_.prune.slack),
                         constraints_.allowed[v].size()));
        return result;
    }

    /// No set beyond those scored up to its limit can be better for this child and obey what is known.
    bool proven(std::size_t v) const {
        return limits_[v] >= std::min(worth_having_[v], constraints_.known_limit[v]);
    }

    double walk_cost(std::size_t size) const { return walk_->cost(size) + numbers_.family_cost(size); }

    double stage(std::size_t size) const {
        double all = 0;
        for (std::size_t s = 1; s <= largest_capped() + 1 && s <= largest_ + 1; ++s) all += walk_cost(s);
        return walk_cost(size + 1) / all;
    }

    /// Charges what the walk keeps beyond what it began with.
    void charge_walk() {
        control_.release(walk_charged_);
        walk_charged_ = walk_->bytes() > walk_begun_ ? walk_->bytes() - walk_begun_ : 0;
        control_.charge(walk_charged_);
    }

    /// Bytes kept for larger sizes when parent sets of this size are done for all children at once.
    double kept_bytes(std::size_t size) const {
        return dense_.kept_bytes(numbers_.sets(size + 1), size) + walk_->kept_bytes(size + 1);
    }

    /// Whether every child is done alone from the start. It does not depend on which children are wanted.
    bool alone() const {
        if (!scorer_.function().extender()) return false;
        double families = 0, walked = 0;
        for (std::size_t v = 0; v < limits_.size(); ++v) {
            if (ChildLevels::sets(constraints_, static_cast<Var>(v), limits_[v]) > most_alone) return false;
            // Sets that a rule leaves out at once cost a walk little: what is known must leave few.
            families += ChildLevels::sets(constraints_, static_cast<Var>(v), largest_);
        }
        for (std::size_t size = 0; size <= largest_capped(); ++size) walked += numbers_.sets(size + 1);
        return families * fewer_alone <= walked;
    }

    ParentLists each_alone() {
        control_.last_stage();
        const std::size_t n = children_.size();
        ParentLists result;
        result.lists.resize(order_.size());
        std::vector<ExtensionScores> scores(options_.threads, ExtensionScores(scorer_));
        const std::size_t bytes = control_.max_bytes() / 2 / options_.threads;
        std::vector<std::size_t> finished(n, 0);
        std::vector<PruningCounts> pruned(n);
        std::vector<std::uint64_t> scored(n, 0);
        parallel_for(n, options_.threads, control_, [&](std::size_t i, std::size_t worker) {
            const Var child = children_[i];
            ChildLevels levels(scorer_, *bounds_, constraints_, options_.prune, child, limits_[child]);
            finished[i] = levels.run(result.lists[child], scores[worker], bytes, control_);
            pruned[i] = levels.pruned();
            scored[i] = levels.scored();
            control_.advance(1.0 / static_cast<double>(n));
        });
        result.exhaustive_to = largest_;
        result.exhaustive = !control_.stopped();
        for (std::size_t i = 0; i < n; ++i) {
            work_.pruned += pruned[i];
            work_.families_scored += scored[i];
            work_.sets_counted += scored[i];
            const Var child = children_[i];
            if (finished[i] < limits_[child])
                result.exhaustive_to = std::min(result.exhaustive_to, finished[i]);
            result.exhaustive = result.exhaustive && finished[i] >= limits_[child] && proven(child);
        }
        work_.stop = control_.why();
        keep_required(result, children_, scorer_, constraints_);
        if (work_.stop != Stop::time && work_.stop != Stop::interrupt)
            result.sort(options_.threads, control_);
        return result;
    }

    bool fits(std::size_t size) const {
        const double mine = static_cast<double>(control_.max_bytes()) / static_cast<double>(options_.beside);
        return size >= largest_ || kept_bytes(size) <= mine / 2;
    }

    /// Whether parent sets of this size are done for all children at once.
    bool dense_next(std::size_t size) const {
        if (size > largest_capped()) return false;
        if (size == 0) return true;
        const double cost = walk_cost(size + 1);
        return fits(size) && (size == 1 || cost <= cheap || !sooner_one_by_one(size, cost));
    }

    /// Whether `sooner_one_by_one` looks at the children's sets.
    bool asks_what_is_left() const { return options_.prune.bound && bounds_->bounds_quickly(); }

    /// Every so many-th child in the walk's order, since those with many states, which cost most, lie
    /// together.
    std::vector<Var> children_of_part() const {
        std::vector<Var> result = chosen_children(options_.children, order_.size());
        std::vector<std::size_t> position(order_.size());
        for (std::size_t at = 0; at < order_.size(); ++at) position[order_[at]] = at;
        std::erase_if(
            result, [&](Var child) { return position[child] % options_.share.parts != options_.share.part; });
        return result;
    }

    /// Sets of the largest size that are counted: of the share, or with a child whose list is wanted.
    double sets_of_part(std::size_t size) const {
        if (options_.share.parts > 1 && size > 1) return sets_of_share(size);
        double others = numbers_.sets(size);
        const double n = static_cast<double>(order_.size());
        for (std::size_t i = 0; i < children_.size(); ++i)  // C(n − 1, k) = C(n, k) (n − k) / n
            others *= std::max(0.0, n - static_cast<double>(i + size)) / (n - static_cast<double>(i));
        return std::round(numbers_.sets(size) - others);
    }

    double sets_of_share(std::size_t size) const {
        const std::size_t n = order_.size();
        const WantedSets wanted(n, options_.share);
        const Ranks ranks(n, size);
        double sets = 0;
        for (std::size_t top = 0; top < n; ++top) {
            if (size == 2) sets += wanted.mine(top) ? static_cast<double>(top) : 0;
            for (std::size_t second = 0; second < top && size > 2; ++second)
                if (wanted.mine(top, second)) sets += static_cast<double>(ranks.choose(second, size - 2));
        }
        return sets;
    }

    /// Whether the sets of this size that the bound leaves cost less when they are done one by one.
    bool sooner_one_by_one(std::size_t size, double cost) const {
        if (!asks_what_is_left()) return false;
        const double more = static_cast<double>(order_.size() - size) / static_cast<double>(size);
        const double each = more * walk_->single_cost(std::min<std::size_t>(size + 1, 23));
        double left = 0;
        for (std::size_t v = 0; v < order_.size() && left * each < cost; ++v) {
            const Var child = static_cast<Var>(v);
            if (limits_[v] < size || control_.stopped()) continue;
            dense_.for_each_best(child, [&](Members parents, double best) {
                if (!options_.prune.rules_out(bounds_->superset_bound(child, parents, limits_[v]), best))
                    ++left;
            });
        }
        return left * each < cost;
    }

    void sparse(std::size_t size, ParentLists& result) {
        control_.last_stage();
        const std::uint64_t counted_before = scorer_.sets_counted();
        const std::size_t n = children_.size();
        std::vector<std::size_t> finished(n, size);
        std::vector<std::size_t> left(n, 0);
        std::vector<PruningCounts> pruned(n);
        std::vector<std::uint64_t> scored(n, 0);
        parallel_for(n, options_.threads, control_, [&](std::size_t i, std::size_t) {
            const Var child = children_[i];
            SparseLevels levels(scorer_, *bounds_, constraints_, options_.prune, child, limits_[child]);
            if (limits_[child] > size)
                dense_.for_each_best(child, [&](Members parents, double best) {
                    for (const Var parent : parents)
                        if (!constraints_.allowed[child].contains(parent)) return;
                    levels.start(parents, best, control_);
                });
            finished[i] = levels.run(size, result.lists[child], control_);
            left[i] = levels.left();
            control_.release(levels.left() * SparseLevels::bytes_per_set);
            pruned[i] = levels.pruned();
            scored[i] = levels.scored();
            control_.advance(1.0 / static_cast<double>(n));
        });
        bool nothing_left = !control_.stopped();
        std::size_t least = largest_;
        for (std::size_t i = 0; i < n; ++i) {
            work_.pruned += pruned[i];
            work_.families_scored += scored[i];
            const bool ran_out = limits_[children_[i]] > size && left[i] == 0;
            nothing_left = nothing_left && (ran_out || proven(children_[i]));
            if (control_.stopped()) least = std::min(least, finished[i]);
        }
        work_.sets_counted += scorer_.sets_counted() - counted_before;
        result.exhaustive_to = least;
        result.exhaustive = nothing_left;
    }

    const Scorer& scorer_;
    const Constraints& constraints_;
    const SequentialOptions& options_;
    Control& control_;
    SelectionWork& work_;
    std::unique_ptr<ValueWalk> walk_;
    std::size_t walk_begun_ = walk_->bytes(), walk_charged_ = 0;
    const std::vector<Var>& order_;  // by position in the walk
    std::vector<Var> children_;      // whose lists are wanted
    std::unique_ptr<FamilyBounds> bounds_;
    std::vector<std::size_t> worth_having_;  // the most parents that can pay, by child
    std::vector<std::size_t> limits_;        // the most that are scored
    std::size_t largest_;
    SetNumbers numbers_;
    DenseLevels dense_;
    bool alone_ = alone();
    std::size_t size_ = 0;  // of the sets that come next
    std::size_t exhaustive_to_ = 0;
};

/// What a selection for one kind of children needs, which it refers to.
struct OfKind {
    const Scorer& scorer;
    SequentialOptions options;
    SelectionWork work = {};
};

/// Each kind of children with a list to make. Shares are cut by the child alone, as `selection_order` has
/// them, since a kind's walk may take variables in another order.
std::vector<OfKind> kinds_of(const Scorer& scorer, const SequentialOptions& options) {
    const std::vector<Var> order = selection_order(scorer);
    std::vector<bool> wanted(scorer.variables());
    for (const Var child : chosen_children(options.children, scorer.variables())) wanted[child] = true;
    for (std::size_t at = 0; at < order.size(); ++at)
        if (at % options.share.parts != options.share.part) wanted[order[at]] = false;
    std::vector<OfKind> kinds;
    for (std::uint32_t kind = 0; kind < scorer.of_kinds().size(); ++kind) {
        SequentialOptions own = options;
        own.share = {};
        own.children.emplace();
        for (std::size_t v = 0; v < wanted.size(); ++v)
            if (wanted[v] && scorer.function().kind(static_cast<Var>(v)) == kind)
                own.children->push_back(static_cast<Var>(v));
        if (!own.children->empty()) kinds.push_back({*scorer.of_kinds()[kind], std::move(own)});
    }
    for (OfKind& kind : kinds) kind.options.beside = kinds.size();
    return kinds;
}

/// Each kind of children by its own function, one size after another, so that a limit cuts all alike.
ParentLists by_kinds(const Scorer& scorer, const Constraints& constraints, const SequentialOptions& options,
                     Control& control, SelectionWork& work) {
    std::vector<OfKind> kinds = kinds_of(scorer, options);
    std::vector<std::unique_ptr<Selection>> selections;
    for (OfKind& kind : kinds)
        selections.push_back(
            std::make_unique<Selection>(kind.scorer, constraints, kind.options, control, kind.work));
    control.as_share(1 / static_cast<double>(kinds.size()));
    for (bool more = true; more;) {
        more = false;
        for (const auto& selection : selections) more = selection->next() || more;
    }
    ParentLists result;
    result.lists.resize(scorer.variables());
    result.exhaustive = true;
    result.exhaustive_to = scorer.variables();
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        control.as_share(1 / static_cast<double>(kinds.size() - k));
        ParentLists lists = selections[k]->finish();
        selections[k].reset();
        for (const Var child : *kinds[k].options.children)
            result.lists[child] = std::move(lists.lists[child]);
        result.exhaustive = result.exhaustive && lists.exhaustive;
        result.exhaustive_to = std::min(result.exhaustive_to, lists.exhaustive_to);
        const SelectionWork& done = kinds[k].work;
        work.sets_counted += done.sets_counted;
        work.families_scored += done.families_scored;
        work.pruned += done.pruned;
        if (done.dense_ways.size() > work.dense_ways.size()) work.dense_ways = done.dense_ways;
    }
    work.stop = control.why();
    return result;
}

SelectionEstimate estimate_by_kinds(const Scorer& scorer, const Constraints& constraints,
                                    const SequentialOptions& options, Control& control) {
    SelectionEstimate all;
    for (OfKind& kind : kinds_of(scorer, options)) {
        const SelectionEstimate one =
            Selection(kind.scorer, constraints, kind.options, control, kind.work).estimate();
        all.sets += one.sets;
        all.seconds += one.seconds;
        all.bytes += one.bytes;
        all.list_bytes = std::max(all.list_bytes, one.list_bytes);  // of all children, each time
        all.max_parents = std::max(all.max_parents, one.max_parents);
        all.complete = all.complete && one.complete;
    }
    return all;
}

}  // namespace

SelectionEstimate estimate_sequential(const Scorer& scorer, const Constraints& constraints,
                                      const SequentialOptions& options, Control& control) {
    if (!scorer.of_kinds().empty()) return estimate_by_kinds(scorer, constraints, options, control);
    SelectionWork none;
    return Selection(scorer, constraints, options, control, none).estimate();
}

std::vector<Var> selection_order(const Scorer& scorer) { return scorer.function().walk()->order(); }

ParentLists sequential_selection(const Scorer& scorer, const Constraints& constraints,
                                 const SequentialOptions& options, Control& control, SelectionWork& work) {
    if (!scorer.of_kinds().empty()) return by_kinds(scorer, constraints, options, control, work);
    return Selection(scorer, constraints, options, control, work).run();
}

}  // namespace dagscape
