#include "parents/dense_levels.hpp"

#include <algorithm>
#include <limits>

#include "clones.hpp"

namespace dagscape {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// The running variable's loops, a few dozen steps each.

DAGSCAPE_CLONES void subtract(double* __restrict to, const double* __restrict a, const double* __restrict b,
                              std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = a[i] - b[i];
}

DAGSCAPE_CLONES void raise(double* __restrict to, const double* __restrict others, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = to[i] < others[i] ? others[i] : to[i];
}

DAGSCAPE_CLONES bool none_above(const double* __restrict a, const double* __restrict b, std::size_t count) {
    int above = 0;
    for (std::size_t i = 0; i < count; ++i) above |= beats(a[i], b[i]);
    return above == 0;
}

DAGSCAPE_CLONES bool none_near(const double* __restrict a, const double* __restrict b, double slack,
                               std::size_t count) {
    int near = 0;
    for (std::size_t i = 0; i < count; ++i) near |= a[i] >= b[i] - slack;
    return near == 0;
}

/// Whether none of these scores matters beside the best of the subsets.
bool none_matters(const PruningRules& prune, const double* scores, const double* below, std::size_t count) {
    return prune.slack > 0 ? none_near(scores, below, prune.slack, count) : none_above(scores, below, count);
}

std::vector<std::size_t> inverse(const std::vector<Var>& order) {
    std::vector<std::size_t> position(order.size());
    for (std::size_t at = 0; at < order.size(); ++at) position[order[at]] = at;
    return position;
}

WantedSets positions_of(Members children, const std::vector<std::size_t>& position_of) {
    std::vector<bool> wanted(position_of.size(), false);
    for (const Var child : children) wanted[position_of[child]] = true;
    return WantedSets(std::move(wanted));
}

}  // namespace

DenseLevels::DenseLevels(const Scorer& scorer, const std::vector<Var>& order, const Constraints& constraints,
                         const std::vector<std::size_t>& limits, Members children, Part share, bool watch_all,
                         const PruningRules& prune, std::size_t largest, std::size_t threads)
    : scorer_(scorer),
      order_(order),
      position_of_(inverse(order)),
      constraints_(constraints),
      prune_(prune),
      ranks_(order.size(), largest + 1),
      workers_(threads),
      free_(order.size()),
      all_(order.size()),
      chosen_(positions_of(children, position_of_)),
      shared_(order.size(), share),
      in_shares_(share.parts > 1),
      watch_all_(watch_all || in_shares_) {
    const SetFunction& function = scorer.function();
    values_.push_back({{function.joint({})}});
    for (const Var v : order) {
        limits_.push_back(limits[v]);
        const std::uint32_t kind = function.given_kind(v);
        const auto known = std::find(kinds_.begin(), kinds_.end(), kind);
        function_.push_back(kind == 0 ? 0 : 1 + static_cast<std::size_t>(known - kinds_.begin()));
        if (kind == 0 || known != kinds_.end()) continue;
        kinds_.push_back(kind);
        values_.push_back({{function.given(v, {})}});
    }
    logs_.reserve(threads);
    for (Worker& worker : workers_) {
        worker.log = &logs_.emplace_back(order.size());
        worker.joint.resize(order.size());
        worker.score.resize(order.size());
        worker.below.resize(order.size());
        if (prune.most_of_size == std::numeric_limits<std::size_t>::max()) continue;
        worker.lists.resize(order.size());
        for (ParentList& list : worker.lists) worker.bounded.emplace_back(list, prune.most_of_size);
    }
}

void DenseLevels::run(std::size_t parents, bool keep, ValueWalk& walk, Control& control) {
    const std::size_t n = order_.size();
    size_ = parents;
    keep_ = keep;
    control_ = &control;
    // Single variables are as quickly done by children, so that each has the empty set in one place.
    const WantedSets& largest = in_shares_ && parents > 0 ? shared_ : chosen_;
    listed_ = keep ? &chosen_ : &largest;
    watched_ = keep && watch_all_ ? &all_ : listed_;
    for (std::size_t x = 0; x < n; ++x) free_[x] = constraints_.free(order_[x], parents);
    if (keep) {
        for (auto& by_size : values_) by_size.emplace_back(ranks_.choose(n, parents + 1));
        best_.emplace_back(parents + 1);
        for (Values& by_rank : best_.back()) by_rank.resize(ranks_.choose(n, parents + 1));
        control.charge(sizeof(double) * ranks_.choose(n, parents + 1) * (values_.size() + parents + 1));
    }
    walk.run(parents + 1, keep, keep ? all_ : largest, workers_.size(), control, *this);
    forget_below(parents, control);
}

/// Larger sizes look at values of sets one larger, and at the best of subsets of this size, but no further
/// down.
void DenseLevels::forget_below(std::size_t parents, Control& control) {
    std::size_t freed = 0;
    const auto free = [&](Values& values) {
        freed += values.size() * sizeof(double);
        values = {};
    };
    if (keep_)
        for (auto& by_size : values_) free(by_size[parents]);
    if (parents > 0)
        for (auto& by_place : best_[parents - 1]) free(by_place);
    control.release(freed);
}

void DenseLevels::visit(const ValueBlock& block, std::size_t number) {
    Worker& worker = workers_[number];
    block.joint(worker.joint.data());
    find_ranks(block, worker);
    if (keep_) store(block, worker);
    for (const auto& [from, to] : watched_->runs())
        if (from < block.below && to > block.from)
            visit_child(block, 0, std::max(from, block.from), std::min(to, block.below), worker);
    const std::size_t size = block.prefix.size();
    for (std::size_t place = 1; place <= size; ++place)
        if (watched_->has(block.prefix[size - place]))
            visit_child(block, place, block.from, block.below, worker);
}

void DenseLevels::find_ranks(const ValueBlock& block, Worker& worker) const {
    const std::size_t size = block.prefix.size();
    worker.prefix_rank = worker.first_rank = 0;
    worker.rank_without.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t position = block.prefix[size - 1 - i];  // ascending
        worker.prefix_rank += ranks_.choose(position, i + 1);
        worker.first_rank += ranks_.choose(position, i + 2);  // above the last variable
        for (std::size_t gone = 0; gone < size; ++gone)
            if (gone != i) worker.rank_without[gone] += ranks_.choose(position, i + (gone < i ? 1 : 2));
    }
}

void DenseLevels::store(const ValueBlock& block, Worker& worker) {
    std::copy_n(worker.joint.data(), block.below, values_[0][size_ + 1].data() + worker.first_rank);
    for (std::size_t f = 0; f < kinds_.size(); ++f)
        block.given(kinds_[f], values_[f + 1][size_ + 1].data() + worker.first_rank);
}

/// Place 0 is the last variable, running; place i + 1 the prefix's i-th from below, with the running one
/// among its parents.
void DenseLevels::visit_child(const ValueBlock& block, std::size_t place, std::size_t from, std::size_t to,
                              Worker& worker) {
    const std::size_t count = to - from;
    const std::size_t size = block.prefix.size();
    const auto member = [&](std::size_t i) { return block.prefix[size - 1 - i]; };  // ascending
    double* score = worker.score.data();
    double* below = worker.below.data();

    // What the parents alone are worth, then the best of their subsets, which lack one member each.
    if (place > 0) {
        const Values& given = values_[function_[member(place - 1)]][size];
        subtract(score + from, worker.joint.data() + from,
                 given.data() + worker.rank_without[place - 1] + from, count);
        std::fill_n(below + from, count, best_[size - 1][place - 1][worker.prefix_rank]);
    } else {
        // Children of one kind lie together, mostly, and share the value of the prefix.
        for (std::size_t v = from; v < to;) {
            const std::size_t function = function_[v];
            const double given = values_[function][size][worker.prefix_rank];
            for (; v < to && function_[v] == function; ++v) score[v] = worker.joint[v] - given;
        }
        for (std::size_t v = from; v < to && size == 0; ++v)
            if (scorer_.free(order_[v])) score[v] = 0;
        std::fill_n(below + from, count, nothing);
    }
    for (std::size_t gone = 0; gone < size; ++gone) {
        if (gone + 1 == place) continue;
        const std::size_t place_then = place - (gone + 1 < place ? 1 : 0);
        raise(below + from, best_[size - 1][place_then].data() + worker.rank_without[gone] + from, count);
    }

    double* best = keep_ ? best_[size][place].data() + worker.first_rank : nullptr;
    const std::size_t child = place > 0 ? member(place - 1) : 0;
    // Most sets are dropped here, all of a block at once; only the others need their members spelled out.
    if (prune_.dominance && place > 0 && free_[child] && size <= limits_[child] &&
        none_matters(prune_, score + from, below + from, count)) {
        if (listed_->has(child)) {
            worker.scored += count;
            worker.pruned.dominance += count;
        }
        if (best) std::copy_n(below + from, count, best + from);
        return;
    }
    std::vector<Var>& members = worker.members;
    for (std::size_t v = from; v < to; ++v) {
        const std::size_t x = place > 0 ? child : v;
        if (prune_.dominance && free_[x] && size <= limits_[x] && !prune_.matters(score[v], below[v])) {
            if (listed_->has(x)) {
                ++worker.scored;
                ++worker.pruned.dominance;
            }
            if (best) best[v] = below[v];
            continue;
        }
        members.clear();
        if (place > 0) members.push_back(order_[v]);
        for (std::size_t i = 0; i < size; ++i)
            if (i + 1 != place) members.push_back(order_[member(i)]);
        std::sort(members.begin(), members.end());
        const double kept = offer(x, members, score[v], below[v], worker);
        if (best) best[v] = kept;
    }
}

double DenseLevels::offer(std::size_t child, Members parents, double score, double below, Worker& worker) {
    const bool listed = listed_->has(child);
    if (parents.size() > limits_[child]) {
        worker.pruned.limit += listed;
        return below;
    }
    if (!free_[child] && !constraints_.allows(order_[child], parents)) return below;
    worker.scored += listed;
    if (prune_.dominance && !prune_.matters(score, below)) {
        worker.pruned.dominance += listed;
        return below;
    }
    if (!listed) return std::max(score, below);
    if (!worker.bounded.empty()) {
        worker.bounded[order_[child]].append(score, parents, *control_);
        return std::max(score, below);
    }
    worker.log->append(order_[child], score, parents);
    // Twice: lists are made from the log, and each is put in order in a copy.
    control_->charge(2 * ParentList::bytes_of(parents.size()));
    return std::max(score, below);
}

std::vector<ParentList> DenseLevels::take_lists(bool finished) {
    if (finished) {
        values_ = {};
        best_ = {};
    }
    std::vector<ParentList> lists(order_.size());
    FamilyLog::move_into(lists, logs_);
    for (Worker& worker : workers_)
        for (std::size_t child = 0; child < worker.lists.size(); ++child)
            lists[child].take(worker.lists[child]);
    return lists;
}

std::uint64_t DenseLevels::families_scored() const {
    std::uint64_t total = 0;
    for (const Worker& worker : workers_) total += worker.scored;
    return total;
}

PruningCounts DenseLevels::pruned() const {
    PruningCounts total;
    for (const Worker& worker : workers_) total += worker.pruned;
    return total;
}

}  // namespace dagscape
