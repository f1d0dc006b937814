#include "search/exact/hulls.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace dagscape {

namespace {

using Set = std::uint32_t;  // of the few variables
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double cooling = 0.9;

struct Weighted {
    Set parents;
    double weight;
};

/// The cheapest acyclic graph by dynamic programming over the sets of variables placed first.
class CheapestGraph {
  public:
    explicit CheapestGraph(std::size_t size)
        : least_(std::size_t{1} << size), last_(std::size_t{1} << size) {}

    /// `cost(v, before)`: the least cost of v's families with parents among `before`.
    template <typename Cost>
    double solve(Cost cost) {
        least_[0] = 0;
        for (Set placed = 1; placed < least_.size(); ++placed) {
            least_[placed] = infinity;
            for (Set rest = placed; rest != 0; rest &= rest - 1) {
                const auto v = static_cast<std::size_t>(std::countr_zero(rest));
                const Set before = placed & ~(Set{1} << v);
                const double total = least_[before] + cost(v, before);
                if (total < least_[placed]) {
                    least_[placed] = total;
                    last_[placed] = static_cast<std::uint8_t>(v);
                }
            }
        }
        return least_.back();
    }
    /// Calls with each variable and those before it.
    template <typename Function>
    void walk(Function function) const {
        Set placed = static_cast<Set>(least_.size() - 1);
        while (placed != 0) {
            const std::size_t v = last_[placed];
            placed &= ~(Set{1} << v);
            function(v, placed);
        }
    }

  private:
    std::vector<double> least_;
    std::vector<std::uint8_t> last_;
};

/// Packs acyclic graphs into weighted families, as much as fits: the simplex method on graphs that are made
/// when they are needed.
class Packing {
  public:
    Packing(std::size_t size, const std::vector<std::vector<Weighted>>& families)
        : families_(families), graph_(size) {
        for (std::size_t v = 0; v < size; ++v) {
            begins_.push_back(rows_);
            rows_ += families[v].size();
        }
        inverse_.assign(rows_ * rows_, 0);
        packs_.assign(rows_, false);
        for (std::size_t v = 0; v < size; ++v)
            for (std::size_t f = 0; f < families[v].size(); ++f) {
                const std::size_t row = begins_[v] + f;
                inverse_[row * rows_ + row] = 1;
                // Unequal by a little, so that ties do not make it turn in circles.
                values_.push_back(families[v][f].weight + 1e-7 * (1 + static_cast<double>(row * 37 % 101)));
            }
    }

    /// Whether less than `enough` fits; then `coefficient` has the proof.
    bool falls_short(double enough) {
        for (int step = 0; step < 400; ++step) {
            find_duals();
            const auto lowest = std::min_element(duals_.begin(), duals_.end());
            std::vector<double> column(rows_);
            bool pack = false;
            if (*lowest < -1e-9) {
                const auto slack = static_cast<std::size_t>(lowest - duals_.begin());
                for (std::size_t r = 0; r < rows_; ++r) column[r] = inverse_[r * rows_ + slack];
            } else {
                double packed = 0;
                for (std::size_t r = 0; r < rows_; ++r)
                    if (packs_[r]) packed += values_[r];
                if (packed >= enough) return false;
                const double least =
                    graph_.solve([&](std::size_t v, Set before) { return cheapest(v, before).first; });
                if (least >= 1 - 1e-9) return true;
                pack = true;
                graph_.walk([&](std::size_t v, Set before) {
                    const std::size_t chosen = begins_[v] + cheapest(v, before).second;
                    for (std::size_t r = 0; r < rows_; ++r) column[r] += inverse_[r * rows_ + chosen];
                });
            }
            std::size_t leaving = rows_;
            for (std::size_t r = 0; r < rows_; ++r) {
                if (column[r] < 1e-9) continue;
                if (leaving == rows_ || values_[r] * column[leaving] < values_[leaving] * column[r])
                    leaving = r;
            }
            if (leaving == rows_) return false;
            pivot(leaving, column);
            packs_[leaving] = pack;
        }
        return false;
    }
    double coefficient(std::size_t v, std::size_t family) const {
        return std::max(0.0, duals_[begins_[v] + family]);
    }

  private:
    void find_duals() {
        duals_.assign(rows_, 0);
        for (std::size_t r = 0; r < rows_; ++r)
            if (packs_[r])
                for (std::size_t c = 0; c < rows_; ++c) duals_[c] += inverse_[r * rows_ + c];
    }
    std::pair<double, std::size_t> cheapest(std::size_t v, Set before) const {
        std::pair<double, std::size_t> best{infinity, 0};
        for (std::size_t f = 0; f < families_[v].size(); ++f)
            if ((families_[v][f].parents & ~before) == 0 && duals_[begins_[v] + f] < best.first)
                best = {duals_[begins_[v] + f], f};
        return best;
    }
    void pivot(std::size_t leaving, const std::vector<double>& column) {
        double* row = &inverse_[leaving * rows_];
        const double scale = 1 / column[leaving];
        for (std::size_t c = 0; c < rows_; ++c) row[c] *= scale;
        values_[leaving] *= scale;
        for (std::size_t r = 0; r < rows_; ++r) {
            if (r == leaving || column[r] == 0) continue;
            double* other = &inverse_[r * rows_];
            for (std::size_t c = 0; c < rows_; ++c) other[c] -= column[r] * row[c];
            values_[r] = std::max(0.0, values_[r] - column[r] * values_[leaving]);
        }
    }

    const std::vector<std::vector<Weighted>>& families_;
    CheapestGraph graph_;
    std::vector<std::size_t> begins_;
    std::size_t rows_ = 0;
    std::vector<double> inverse_, values_, duals_;  // the basis's inverse by row, its values
    std::vector<bool> packs_;                       // by row: whether a graph is basic there, or a slack
};

/// Coefficients of all families, from those of the families with weight.
std::vector<double> lifted(std::size_t size, const std::vector<std::vector<Weighted>>& families,
                           const Packing& packing) {
    const std::size_t sets = std::size_t{1} << size;
    std::vector<double> table(size * sets, 1);
    std::vector<bool> known(size * sets, false);
    for (std::size_t v = 0; v < size; ++v)
        for (std::size_t f = 0; f < families[v].size(); ++f) {
            table[v * sets + families[v][f].parents] = packing.coefficient(v, f);
            known[v * sets + families[v][f].parents] = true;
        }
    // Least over all subsets: a family can always be replaced by one with fewer parents.
    std::vector<double> within(size * sets);
    const auto spread = [&](std::size_t v) {
        for (Set set = 0; set < sets; ++set) {
            double least = table[v * sets + set];
            for (Set rest = set; rest != 0; rest &= rest - 1)
                least = std::min(least, within[v * sets + (set & ~(rest & (~rest + 1)))]);
            within[v * sets + set] = least;
        }
    };
    for (std::size_t v = 0; v < size; ++v) spread(v);
    CheapestGraph graph(size);
    for (int parents = static_cast<int>(size) - 1; parents >= 0; --parents)
        for (std::size_t v = 0; v < size; ++v)
            for (Set set = 0; set < sets; ++set) {
                if ((set >> v & 1) != 0 || std::popcount(set) != parents || known[v * sets + set]) continue;
                const double others = graph.solve([&](std::size_t u, Set before) {
                    if (u != v) return within[u * sets + before];
                    return (set & ~before) == 0 ? 0.0 : infinity;
                });
                table[v * sets + set] = std::clamp(1 - others, 0.0, table[v * sets + set]);
                spread(v);
            }
    return table;
}

/// Whole numbers if they are multiples of a common share, and the right side that all acyclic graphs reach.
bool finish(std::size_t size, std::vector<double>& table, double& right) {
    const std::size_t sets = std::size_t{1} << size;
    for (int scale = 1; scale <= 12; ++scale) {
        const bool whole = std::all_of(table.begin(), table.end(), [&](double value) {
            return std::abs(value * scale - std::round(value * scale)) < 1e-6;
        });
        if (!whole) continue;
        for (double& value : table) value = std::round(value * scale);
        break;
    }
    CheapestGraph graph(size);
    right = graph.solve([&](std::size_t v, Set before) {
        double least = infinity;
        for (Set set = before;; set = (set - 1) & before) {
            least = std::min(least, table[v * sets + set]);
            if (set == 0) break;
        }
        return least;
    });
    if (right != std::round(right)) right -= 1e-9;
    return right > 1e-6;
}

/// The graph of families with weight, and its strongly connected sets of some size.
class Support {
  public:
    Support(const Families& families, std::span<const Families::Column> columns, std::span<const double> x)
        : families_(families.variables()), neighbours_(families.variables()) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (x[c] < 1e-7) continue;
            const Var child = families.child(columns[c]);
            families_[child].emplace_back(families.parents(columns[c]), x[c]);
            for (const Var parent : families_[child].back().first) {
                neighbours_[child].push_back(parent);
                neighbours_[parent].push_back(child);
            }
        }
        for (auto& list : neighbours_) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }
    std::size_t variables() const { return families_.size(); }
    const std::vector<Var>& neighbours(Var v) const { return neighbours_[v]; }

    /// Families with only the parents among the members, those that become alike together.
    std::vector<std::vector<Weighted>> among(const std::vector<Var>& members) const {
        std::vector<std::vector<Weighted>> result(members.size());
        for (std::size_t i = 0; i < members.size(); ++i)
            for (const auto& [parents, weight] : families_[members[i]]) {
                Set set = 0;
                for (const Var parent : parents)
                    for (std::size_t j = 0; j < members.size(); ++j)
                        if (members[j] == parent) set |= Set{1} << j;
                const auto same = std::find_if(result[i].begin(), result[i].end(),
                                               [&](const Weighted& w) { return w.parents == set; });
                if (same == result[i].end())
                    result[i].push_back({set, weight});
                else
                    same->weight += weight;
            }
        return result;
    }

  private:
    std::vector<std::vector<std::pair<std::vector<Var>, double>>> families_;
    std::vector<std::vector<Var>> neighbours_;
};

bool strongly_connected(const std::vector<std::vector<Weighted>>& families) {
    const std::size_t size = families.size();
    const Set all = (Set{1} << size) - 1;
    std::array<Set, 8> from{}, to{};
    for (std::size_t v = 0; v < size; ++v)
        for (const Weighted& family : families[v]) from[v] |= family.parents;
    for (std::size_t v = 0; v < size; ++v)
        for (std::size_t p = 0; p < size; ++p)
            if ((from[v] >> p & 1) != 0) to[p] |= Set{1} << v;
    for (const auto& arcs : {from, to}) {
        Set reached = 1, before = 0;
        while (reached != before) {
            before = reached;
            for (Set rest = before; rest != 0; rest &= rest - 1)
                reached |= arcs[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        if (reached != all) return false;
    }
    return true;
}

/// A number for the part of a solution on a set; the same part has it again, others hardly ever.
std::uint64_t fingerprint(const std::vector<Var>& members, const std::vector<std::vector<Weighted>>& among) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        mix(members[i]);
        std::uint64_t sum = 0;  // the order of families is chance
        for (const Weighted& family : among[i]) {
            const auto weight = static_cast<std::uint64_t>(std::llround(family.weight * 1e5));
            sum += ((family.parents + 1) * 0xc4ceb9fe1a85ec53) * (weight + 1);
        }
        mix(sum);
    }
    return hash;
}

/// Every connected set of so many variables once (Wernicke, Efficient detection of network motifs, 2006).
class ConnectedSets {
  public:
    ConnectedSets(const Support& support, std::size_t size, std::size_t most)
        : support_(support), size_(size), most_(most), seen_(support.variables(), 0) {}

    std::vector<std::vector<Var>> from(Var root) {
        result_.clear();
        root_ = root;
        members_ = {root};
        std::vector<Var> next;
        seen_[root] = 1;
        for (const Var v : support_.neighbours(root)) {
            ++seen_[v];
            if (v > root) next.push_back(v);
        }
        extend(next);
        seen_[root] = 0;
        for (const Var v : support_.neighbours(root)) --seen_[v];
        return std::move(result_);
    }

  private:
    void extend(std::vector<Var> next) {
        if (members_.size() == size_) {
            result_.push_back(members_);
            return;
        }
        while (!next.empty() && result_.size() < most_) {
            const Var v = next.back();
            next.pop_back();
            std::vector<Var> further = next;
            for (const Var u : support_.neighbours(v))
                if (u > root_ && seen_[u] == 0) further.push_back(u);
            for (const Var u : support_.neighbours(v)) ++seen_[u];
            members_.push_back(v);
            extend(std::move(further));
            members_.pop_back();
            for (const Var u : support_.neighbours(v)) --seen_[u];
        }
    }

    const Support& support_;
    std::size_t size_, most_;
    std::vector<int> seen_;  // how many members have it as neighbour, or are it
    Var root_ = 0;
    std::vector<Var> members_;
    std::vector<std::vector<Var>> result_;
};

}  // namespace

std::vector<Cut> Hulls::violated(std::span<const Families::Column> columns, std::span<const double> x,
                                 const HullSearch& options) {
    const Support support(families_, columns, x);
    // Where there were violated sets there will be others: pairs of variables that were in many come first,
    // and chance decides among equals.
    const std::size_t n = support.variables();
    heat_.resize(n * n);
    for (double& heat : heat_) heat *= cooling;
    std::vector<std::pair<double, std::vector<Var>>> sets;
    ConnectedSets connected(support, options.size, std::max<std::size_t>(100, 20 * options.most_sets / n));
    std::uniform_real_distribution<double> chance(0, 1);
    for (std::size_t v = 0; v < n; ++v)
        for (std::vector<Var>& members : connected.from(static_cast<Var>(v))) {
            std::sort(members.begin(), members.end());
            double heat = chance(random_);
            for (const Var a : members)
                for (const Var b : members) heat += heat_[a * n + b];
            sets.emplace_back(-heat, std::move(members));
        }
    std::sort(sets.begin(), sets.end());
    std::vector<std::pair<double, Cut>> found;
    std::size_t looked_at = 0;
    for (auto& [heat, members] : sets) {
        if (looked_at >= options.most_sets || found.size() >= options.most_cuts) break;
        const auto among = support.among(members);
        if (!strongly_connected(among)) continue;
        const std::uint64_t mark = fingerprint(members, among);
        if (inside_.contains(mark)) continue;
        ++looked_at;
        Packing packing(options.size, among);
        if (!packing.falls_short(1 - options.by_at_least)) {
            inside_.insert(mark);
            continue;
        }
        for (const Var a : members)
            for (const Var b : members) heat_[a * n + b] += 1;
        Cut cut{std::move(members), 1, 1, lifted(options.size, among, packing)};
        if (!finish(options.size, cut.table, cut.right)) continue;
        double value = 0;
        for (std::size_t v = 0; v < options.size; ++v)
            for (const Weighted& family : among[v])
                value += family.weight * cut.table[(v << options.size) | family.parents];
        if (value < cut.right * (1 - options.by_at_least))
            found.emplace_back(value / cut.right, std::move(cut));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Cut> cuts;
    for (auto& [value, cut] : found) cuts.push_back(std::move(cut));
    return cuts;
}

}  // namespace dagscape
