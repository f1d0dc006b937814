#include "search/exact/integer_program/families.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "infinity.hpp"
#include "parallel.hpp"
#include "same_score.hpp"

namespace dagscape {

namespace {

constexpr std::uint8_t no_member = 255;

/// Sets that are priced before the others.
constexpr std::size_t first_look = 64;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

Families::Families(const ParentLists& parents) : width_(BitRows::width(parents.variables())), empty_(width_) {
    const std::size_t n = parents.variables();
    begins_.push_back(0);
    for (std::size_t v = 0; v < n; ++v) {
        const ParentList& list = parents.lists[v];
        Child child(list, n);
        child.entered.resize(list.size());
        for (std::size_t at = 0; at < list.size(); ++at) child.kept.push_back(static_cast<std::uint32_t>(at));
        child.columns = SetColumns(child.sets, list.size());
        child.costs = child.regrets;
        if (!child.regrets.empty()) greatest_ += child.regrets.back();
        begins_.push_back(begins_.back() + static_cast<Column>(list.size()));
        children_.push_back(std::move(child));
    }
}

std::size_t Families::kept() const {
    std::size_t total = 0;
    for (const Child& child : children_) total += child.kept.size();
    return total;
}

Var Families::child(Column column) const {
    if (column >= columns()) return static_cast<Var>(column - columns());
    return static_cast<Var>(std::upper_bound(begins_.begin(), begins_.end(), column) - begins_.begin() - 1);
}

double Families::regret(Column column) const {
    if (column >= columns()) return infinity;
    const Var v = child(column);
    return children_[v].regrets[column - begins_[v]];
}

std::vector<Var> Families::parents(Column column) const {
    std::vector<Var> members;
    if (column >= columns()) return members;
    const Var v = child(column);
    children_[v].sets.for_each(column - begins_[v], [&](Var parent) { members.push_back(parent); });
    return members;
}

std::size_t Families::add(Cut cut) {
    Row row{std::move(cut), std::vector<Word>(width_), {}, 1};
    for (const Var v : row.cut.members) row.mask[v / 64] |= Word{1} << (v % 64);
    if (!row.cut.table.empty()) {
        row.position.assign(variables(), no_member);
        for (std::size_t i = 0; i < row.cut.members.size(); ++i)
            row.position[row.cut.members[i]] = static_cast<std::uint8_t>(i);
        row.most = *std::max_element(row.cut.table.begin(), row.cut.table.end());
    }
    if (free_.empty()) {
        cuts_.push_back(std::move(row));
        return cuts_.size() - 1;
    }
    const std::size_t at = free_.back();
    free_.pop_back();
    cuts_[at] = std::move(row);
    return at;
}

std::vector<std::uint32_t> Families::add(std::vector<Cut> cuts) {
    std::vector<std::uint32_t> numbers;
    for (Cut& cut : cuts) numbers.push_back(static_cast<std::uint32_t>(add(std::move(cut))));
    return numbers;
}

void Families::forget(std::size_t cut) {
    cuts_[cut] = {};
    free_.push_back(cut);
}

double Families::coefficient(const Row& row, Var child, const Word* set) const {
    if ((row.mask[child / 64] >> (child % 64) & 1) == 0) return 0;
    if (row.cut.table.empty()) {
        if (row.cut.least == 1) {
            for (std::size_t i = 0; i < width_; ++i)
                if ((set[i] & row.mask[i]) != 0) return 0;
            return 1;
        }
        int members = 0;
        for (std::size_t i = 0; i < width_; ++i) members += std::popcount(set[i] & row.mask[i]);
        return static_cast<std::uint32_t>(members) < row.cut.least ? 1 : 0;
    }
    std::size_t among = 0;
    for (std::size_t i = 0; i < row.cut.members.size(); ++i) {
        const Var v = row.cut.members[i];
        among |= static_cast<std::size_t>(set[v / 64] >> (v % 64) & 1) << i;
    }
    return row.cut.table[(static_cast<std::size_t>(row.position[child]) << row.cut.members.size()) | among];
}

double Families::coefficient(std::size_t cut, Column column) const {
    const Var v = child(column);
    const Word* set = column >= columns() ? empty_.data() : children_[v].sets[column - begins_[v]];
    return coefficient(cuts_[cut], v, set);
}

double Families::coefficient(std::size_t cut, Var child, Members parents) const {
    std::vector<Word> set(width_);
    for (const Var parent : parents) set[parent / 64] |= Word{1} << (parent % 64);
    return coefficient(cuts_[cut], child, set.data());
}

std::vector<Families::Column> Families::best(std::size_t per_child) const {
    std::vector<Column> result;
    for (std::size_t v = 0; v < variables(); ++v)
        for (std::size_t i = 0; i < std::min(per_child, children_[v].kept.size()); ++i)
            result.push_back(begins_[v] + children_[v].kept[i]);
    return result;
}

bool Families::obeys(const Word* set, Var child, const ArcDecisions& decisions) const {
    const Word* required = decisions.required(child);
    const Word* forbidden = decisions.forbidden(child);
    for (std::size_t i = 0; i < width_; ++i)
        if ((required[i] & ~set[i]) != 0 || (forbidden[i] & set[i]) != 0) return false;
    return true;
}

bool Families::obeys(Column column, const ArcDecisions& decisions) const {
    if (column >= columns()) return true;  // a price that no network is worth is decision enough
    const Var v = child(column);
    return obeys(children_[v].sets[column - begins_[v]], v, decisions);
}

std::vector<Families::Charges> Families::charges(std::span<const std::uint32_t> cuts,
                                                 std::span<const double> duals) const {
    std::vector<Charges> result(variables());
    for (std::size_t r = 0; r < cuts.size(); ++r) {
        if (duals[r] <= 0) continue;  // a dual below zero is rounding, and would make the bound wrong
        const Row& row = cuts_[cuts[r]];
        for (const Var v : row.cut.members) {
            result[v].rows.emplace_back(&row, duals[r]);
            result[v].most += duals[r] * row.most;
        }
    }
    return result;
}

double Families::right_sides(std::span<const std::uint32_t> cuts, std::span<const double> duals) const {
    double sum = 0;
    for (std::size_t r = 0; r < cuts.size(); ++r)
        if (duals[r] > 0) sum += duals[r] * cuts_[cuts[r]].cut.right;
    return sum * (1 - static_cast<double>(cuts.size() + 2) * epsilon);
}

void Families::take(const Charges& charges, Var child, std::span<double> costs) const {
    const SetColumns& sets = children_[child].columns;
    for (const auto& [row, dual] : charges.rows) {
        const Cut& cut = row->cut;
        if (!cut.table.empty()) {
            const std::size_t size = std::size_t{1} << cut.members.size();
            const std::size_t begin = row->position[child] * size;
            sets.take_by_members(cut.members, std::span(cut.table).subspan(begin, size), dual, costs);
        } else if (cut.least == 1) {
            sets.take_apart(row->mask.data(), dual, costs);
        } else {
            sets.take_fewer(row->mask.data(), cut.least, dual, costs);
        }
    }
}

void Families::price(Var v, const Charges& charges, std::size_t until) {
    Child& child = children_[v];
    child.reduced = child.costs;
    take(charges, v, std::span(child.reduced).first(until));
    for (std::size_t at = until; at < child.reduced.size(); ++at) child.reduced[at] -= charges.most;
    // So much every sum of this many terms may be off, and no more.
    const double rounding = static_cast<double>(charges.rows.size() + 2) * epsilon;
    child.least = infinity;
    for (std::size_t at = 0; at < child.reduced.size(); ++at) {
        if (child.costs[at] < infinity) child.reduced[at] -= rounding * (child.costs[at] + charges.most);
        if (at < until) child.least = std::min(child.least, child.reduced[at]);
    }
}

double Families::price(std::span<const std::uint32_t> cuts, std::span<const double> duals,
                       std::size_t threads) {
    const std::vector<Charges> by_child = charges(cuts, duals);
    Control control;
    parallel_for(variables(), threads, control, [&](std::size_t v, std::size_t) {
        price(static_cast<Var>(v), by_child[v], children_[v].kept.size());
    });
    bound_ = right_sides(cuts, duals);
    double size = bound_;
    for (const Child& child : children_) {
        bound_ += child.least;
        size += std::abs(child.least);
    }
    if (size < infinity) bound_ -= static_cast<double>(variables() + 2) * epsilon * size;
    return bound_;
}

Families::Priced Families::price(std::span<const std::uint32_t> cuts, std::span<const double> duals,
                                 std::span<const double> worth, const ArcDecisions& decisions, double within,
                                 std::size_t per_child) {
    Priced result;
    result.bound = right_sides(cuts, duals);
    const std::vector<Charges> by_child = charges(cuts, duals);
    std::vector<std::pair<double, Column>> entering;
    for (std::size_t v = 0; v < variables(); ++v) {
        Child& child = children_[v];
        entering.clear();
        const auto obeying = [&](std::size_t at) {
            return obeys(child.sets[child.kept[at]], static_cast<Var>(v), decisions);
        };
        // What the best sets come to tells how far to look: regrets only rise.
        std::vector<double> best(
            child.costs.begin(),
            child.costs.begin() + static_cast<std::ptrdiff_t>(std::min(first_look, child.costs.size())));
        take(by_child[v], static_cast<Var>(v), best);
        double least = infinity;
        for (std::size_t at = 0; at < best.size(); ++at)
            if (best[at] < least && obeying(at)) least = best[at];
        const auto until =
            static_cast<std::size_t>(std::upper_bound(child.costs.begin(), child.costs.end(),
                                                      least + std::max(within, 0.0) + by_child[v].most) -
                                     child.costs.begin());
        price(static_cast<Var>(v), by_child[v], until);
        child.least = infinity;
        for (std::size_t at = 0; at < until; ++at) {
            if (!obeying(at)) {
                child.reduced[at] = infinity;
                continue;
            }
            child.least = std::min(child.least, child.reduced[at]);
            if (!child.entered[child.kept[at]] && child.reduced[at] < worth[v] - same_score)
                entering.emplace_back(child.reduced[at], begins_[v] + child.kept[at]);
        }
        result.bound += child.least;
        const std::size_t take = std::min(per_child, entering.size());
        std::partial_sort(entering.begin(), entering.begin() + static_cast<std::ptrdiff_t>(take),
                          entering.end());
        for (std::size_t i = 0; i < take; ++i) result.entering.push_back(entering[i].second);
    }
    bound_ = result.bound;
    return result;
}

void Families::enter(std::span<const Column> columns) {
    for (const Column column : columns) {
        const Var v = child(column);
        if (column < this->columns()) children_[v].entered[column - begins_[v]] = true;
    }
}

std::vector<Families::Column> Families::drop(double regret) {
    std::vector<Column> dropped;
    std::vector<std::uint32_t> left;
    for (std::size_t v = 0; v < variables(); ++v) {
        Child& child = children_[v];
        left.clear();
        for (std::size_t at = 0; at < child.kept.size(); ++at) {
            if (bound_ + (child.reduced[at] - child.least) < regret) {
                left.push_back(static_cast<std::uint32_t>(at));
            } else if (child.entered[child.kept[at]]) {
                dropped.push_back(begins_[v] + child.kept[at]);
            }
        }
        if (left.size() < child.kept.size()) {
            for (std::size_t at = 0; at < left.size(); ++at) {
                child.kept[at] = child.kept[left[at]];
                child.costs[at] = child.costs[left[at]];
                child.reduced[at] = child.reduced[left[at]];
            }
            child.kept.resize(left.size());
            child.costs.resize(left.size());
            child.reduced.resize(left.size());
            child.columns.keep(left);
        }
    }
    return dropped;
}

Families::Network Families::along(std::vector<Var> order) const {
    Network network;
    network.chosen.assign(variables(), 0);
    network.regret = 0;
    std::vector<Word> placed(width_);
    for (const Var v : order) {
        const Child& child = children_[v];
        const auto fits = [&](std::uint32_t place) {
            const Word* set = child.sets[place];
            for (std::size_t i = 0; i < width_; ++i)
                if ((set[i] & ~placed[i]) != 0) return false;
            return true;
        };
        const auto found = std::find_if(child.kept.begin(), child.kept.end(), fits);
        network.regret += found == child.kept.end() ? infinity : child.regrets[*found];
        if (found != child.kept.end()) network.chosen[v] = *found;
        placed[v / 64] |= Word{1} << (v % 64);
    }
    network.order = std::move(order);
    return network;
}

Families::Network Families::round(std::span<const Column> columns, std::span<const double> x, double noise,
                                  std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> jitter(0, noise);
    std::vector<std::vector<std::pair<const Word*, double>>> support(variables());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (x[c] < 1e-6) continue;
        const Var v = child(columns[c]);
        const bool stands_in = columns[c] >= this->columns();
        support[v].emplace_back(stands_in ? empty_.data() : children_[v].sets[columns[c] - begins_[v]], x[c]);
    }
    std::vector<Word> placed(width_);
    std::vector<Var> order;
    std::vector<bool> done(variables());
    while (order.size() < variables()) {
        double most = -1;
        Var next = 0;
        for (std::size_t v = 0; v < variables(); ++v) {
            if (done[v]) continue;
            double mass = noise > 0 ? jitter(random) : 0;
            for (const auto& [set, share] : support[v]) {
                bool fits = true;
                for (std::size_t i = 0; i < width_ && fits; ++i) fits = (set[i] & ~placed[i]) == 0;
                if (fits) mass += share;
            }
            if (mass > most) {
                most = mass;
                next = static_cast<Var>(v);
            }
        }
        done[next] = true;
        order.push_back(next);
        placed[next / 64] |= Word{1} << (next % 64);
    }
    return along(std::move(order));
}

}  // namespace dagscape
