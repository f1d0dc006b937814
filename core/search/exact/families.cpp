#include "search/exact/families.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <random>

#include "same_score.hpp"

namespace dagscape {

namespace {

constexpr std::uint8_t no_member = 255;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Families::Families(const ParentLists& parents) : width_(BitRows::width(parents.variables())), empty_(width_) {
    const std::size_t n = parents.variables();
    begins_.push_back(0);
    for (std::size_t v = 0; v < n; ++v) {
        const ParentList& list = parents.lists[v];
        Child child{BitRows(list.size(), n), {}, {}, {}, std::vector<bool>(list.size()), 0};
        for (std::size_t at = 0; at < list.size(); ++at) {
            for (const Var parent : list.parents(at)) child.sets.insert(at, parent);
            child.regrets.push_back(list.score(0) - list.score(at));
            child.kept.push_back(static_cast<std::uint32_t>(at));
        }
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

Families::Priced Families::price(std::span<const std::uint32_t> cuts, std::span<const double> duals,
                                 std::span<const double> worth, const ArcDecisions& decisions, double within,
                                 std::size_t per_child) {
    Priced result;
    std::vector<std::vector<std::pair<const Row*, double>>> rows(variables());
    std::vector<double> most(variables());
    for (std::size_t r = 0; r < cuts.size(); ++r) {
        if (duals[r] <= 0) continue;  // a dual below zero is rounding, and would make the bound wrong
        const Row& row = cuts_[cuts[r]];
        result.bound += duals[r] * row.cut.right;
        for (const Var v : row.cut.members) {
            rows[v].emplace_back(&row, duals[r]);
            most[v] += duals[r] * row.most;
        }
    }
    std::vector<std::pair<double, Column>> entering;
    for (std::size_t v = 0; v < variables(); ++v) {
        Child& child = children_[v];
        child.reduced.resize(child.kept.size());
        child.least = infinity;
        entering.clear();
        std::size_t at = 0;
        for (; at < child.kept.size(); ++at) {
            const std::uint32_t place = child.kept[at];
            double reduced = child.regrets[place] - most[v];
            if (reduced > child.least + std::max(within, 0.0)) break;
            const Word* set = child.sets[place];
            if (!obeys(set, static_cast<Var>(v), decisions)) {
                child.reduced[at] = infinity;
                continue;
            }
            reduced = child.regrets[place];
            for (const auto& [row, dual] : rows[v])
                reduced -= dual * coefficient(*row, static_cast<Var>(v), set);
            child.reduced[at] = reduced;
            child.least = std::min(child.least, reduced);
            if (!child.entered[place] && reduced < worth[v] - same_score)
                entering.emplace_back(reduced, begins_[v] + place);
        }
        for (; at < child.kept.size(); ++at) child.reduced[at] = child.regrets[child.kept[at]] - most[v];
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
    for (std::size_t v = 0; v < variables(); ++v) {
        Child& child = children_[v];
        std::size_t kept = 0;
        for (std::size_t at = 0; at < child.kept.size(); ++at) {
            const std::uint32_t place = child.kept[at];
            if (bound_ + (child.reduced[at] - child.least) >= regret) {
                if (child.entered[place]) dropped.push_back(begins_[v] + place);
            } else {
                child.kept[kept++] = place;
            }
        }
        child.kept.resize(kept);
        child.reduced.clear();
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
