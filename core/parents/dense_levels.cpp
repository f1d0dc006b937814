#include "parents/dense_levels.hpp"

#include <algorithm>
#include <limits>

namespace dagscape {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
constexpr double nothing = -std::numeric_limits<double>::infinity();

/// values[i] = max(values[i], others[i])
void raise(double* __restrict values, const double* __restrict others, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < others[i] ? others[i] : values[i];
}

}  // namespace

DenseLevels::DenseLevels(const Scorer& scorer, const ItemOrder& order, const Constraints& constraints,
                         const std::vector<std::size_t>& limits, bool dominance, std::size_t largest,
                         std::size_t threads)
    : order_(order),
      constraints_(constraints),
      dominance_(dominance),
      score_(scorer.score()),
      scores_(order, score_),
      ranks_(order.positions(), largest + 1),
      function_(order.positions(), 0),
      best_(order.positions()),
      workers_(threads),
      free_(order.positions()) {
    for (const Var v : order.variable) limits_.push_back(limits[v]);
    if (!score_.equivalent())
        for (std::size_t v = 0; v < order.positions(); ++v) {
            const auto arity = static_cast<std::uint32_t>(order.states(v));
            if (arities_.empty() || arities_.back() != arity)
                arities_.push_back(arity);  // positions ascend in it
            function_[v] = arities_.size();
        }
    values_.resize(1 + arities_.size());
    const double cases = order.cases;
    values_[0].push_back({score_.cell(cases, 1) + score_.constant(1)});
    for (std::size_t f = 0; f < arities_.size(); ++f)
        values_[f + 1].push_back({score_.given_cell(cases, arities_[f])});
    logs_.reserve(threads);
    for (Worker& worker : workers_) {
        worker.log = &logs_.emplace_back(order.positions());
        worker.joint.resize(order.positions());
        worker.score.resize(order.positions());
        worker.below.resize(order.positions());
    }
}

void DenseLevels::run(std::size_t parents, bool keep, SetWalk& walk, Control& control) {
    const std::size_t n = order_.positions();
    size_ = parents;
    keep_ = keep;
    control_ = &control;
    for (std::size_t x = 0; x < n; ++x) free_[x] = constraints_.free(order_.variable[x], parents);
    if (keep) {
        for (auto& by_size : values_) by_size.emplace_back(ranks_.choose(n, parents + 1));
        for (auto& by_size : best_) by_size.emplace_back(ranks_.choose(n - 1, parents));
        control.charge(sizeof(double) *
                       (ranks_.choose(n, parents + 1) * values_.size() + ranks_.choose(n - 1, parents) * n));
    }
    walk.run(parents + 1, keep, workers_.size(), control, *this);
}

const std::vector<double>& DenseLevels::given(std::size_t child, std::size_t size) const {
    return values_[function_[child]][size];
}

std::uint64_t DenseLevels::rank(const SetBlock& block, std::size_t without, std::size_t without_too,
                                std::size_t up, std::size_t child) const {
    std::uint64_t rank = 0;
    std::size_t place = 1 + up;
    for (std::size_t i = block.prefix.size(); i-- > 0;) {  // ascending
        if (i == without || i == without_too) continue;
        const std::size_t position = block.prefix[i];
        rank += ranks_.choose(position - (child != none && position > child ? 1 : 0), place++);
    }
    return rank;
}

void DenseLevels::visit(const SetBlock& block, std::size_t number) {
    Worker& worker = workers_[number];
    scores_.joint(block, worker.joint.data());
    if (keep_) store(block, worker);
    for (std::size_t place = 0; place < block.prefix.size(); ++place)
        visit_prefix_child(block, place, worker);
    visit_last_child(block, worker);
}

void DenseLevels::store(const SetBlock& block, Worker& worker) {
    const std::uint64_t first = rank(block, none, none, 1, none);
    double* joint = values_[0][size_ + 1].data() + first;
    std::copy_n(worker.joint.data(), block.below, joint);
    for (std::size_t f = 0; f < arities_.size(); ++f)
        scores_.given(block, arities_[f], values_[f + 1][size_ + 1].data() + first);
}

/// A member of the prefix as the child; the last variable, running, is among its parents.
void DenseLevels::visit_prefix_child(const SetBlock& block, std::size_t place, Worker& worker) {
    const std::size_t child = block.prefix[place];
    const std::size_t count = block.below;
    const double* from = given(child, size_).data() + rank(block, place, none, 1, none);
    for (std::size_t v = 0; v < count; ++v) worker.score[v] = worker.joint[v] - from[v];

    // Subsets lack the last variable, or another member of the prefix.
    const std::vector<double>& smaller = best_[child][size_ - 1];
    std::fill_n(worker.below.begin(), count, smaller[rank(block, place, none, 0, child)]);
    for (std::size_t other = 0; other < block.prefix.size(); ++other)
        if (other != place)
            raise(worker.below.data(), smaller.data() + rank(block, place, other, 1, child), count);

    double* best = keep_ ? best_[child][size_].data() + rank(block, place, none, 1, child) : nullptr;
    std::vector<Var>& members = worker.members;
    for (std::size_t v = 0; v < count; ++v) {
        // Most sets are dropped here; only the others need their members spelt out.
        if (dominance_ && free_[child] && size_ <= limits_[child] && worker.score[v] <= worker.below[v]) {
            ++worker.scored;
            ++worker.pruned.dominance;
            if (best) best[v] = worker.below[v];
            continue;
        }
        members.assign(1, order_.variable[v]);
        for (std::size_t other = 0; other < block.prefix.size(); ++other)
            if (other != place) members.push_back(order_.variable[block.prefix[other]]);
        std::sort(members.begin(), members.end());
        const double kept = offer(child, members, worker.score[v], worker.below[v], worker);
        if (best) best[v] = kept;
    }
}

/// The last variable, running, as the child of the prefix.
void DenseLevels::visit_last_child(const SetBlock& block, Worker& worker) {
    const std::size_t size = block.prefix.size();
    std::vector<Var> members;
    for (const std::size_t position : block.prefix) members.push_back(order_.variable[position]);
    std::sort(members.begin(), members.end());
    // Every member of the prefix is above the child, so for all children alike its number falls by one.
    const std::uint64_t whole = rank(block, none, none, 0, none);
    const std::uint64_t mine = rank(block, none, none, 0, 0);
    std::vector<std::uint64_t> smaller;
    for (std::size_t other = 0; other < size; ++other) smaller.push_back(rank(block, other, none, 0, 0));
    for (std::size_t v = 0; v < block.below; ++v) {
        double below = nothing;
        for (const std::uint64_t subset : smaller) below = std::max(below, best_[v][size - 1][subset]);
        const double kept = offer(v, members, worker.joint[v] - given(v, size)[whole], below, worker);
        if (keep_) best_[v][size][mine] = kept;
    }
}

double DenseLevels::offer(std::size_t child, Members parents, double score, double below, Worker& worker) {
    if (parents.size() > limits_[child]) {
        ++worker.pruned.limit;
        return below;
    }
    if (!free_[child] && !constraints_.allows(order_.variable[child], parents)) return below;
    ++worker.scored;
    if (dominance_ && score <= below) {
        ++worker.pruned.dominance;
        return below;
    }
    worker.log->append(order_.variable[child], score, parents);
    // Twice: lists are made from the log, and each is put in order in a copy.
    control_->charge(2 * ParentList::bytes_of(parents.size()));
    return std::max(score, below);
}

std::vector<ParentList> DenseLevels::take_lists(bool finished) {
    if (finished) {
        values_ = {};
        best_ = {};
    }
    std::vector<ParentList> lists(order_.positions());
    FamilyLog::move_into(lists, logs_);
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
