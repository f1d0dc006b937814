#include "search/exact/dual_bound/dual_ascent.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace dagscape {

namespace {

using Word = BitRows::Word;

constexpr double nothing = 1e-9;  // a cost that is rounding
constexpr std::size_t everyone = 0, stuck = 1, trial = 2;

/// Reduced costs that only fall, and the sets that cost nothing by now.
class Costs {
  public:
    explicit Costs(const Families& families)
        : families_(families),
          width_(BitRows::width(families.variables())),
          costs_(families.variables()),
          leasts_(families.variables()),
          free_(families.variables()) {
        for (std::size_t v = 0; v < families.variables(); ++v) {
            const Var child = static_cast<Var>(v);
            const double least = families.least_reduced(child);
            for (const double reduced : families.reduced(child))
                costs_[v].push_back(std::max(0.0, reduced - least));
            for (std::size_t at = 0; at < costs_[v].size(); ++at) note_free(child, at);
        }
    }

    std::size_t variables() const { return costs_.size(); }
    /// Whether the child has a set that costs nothing and has no parent in a cluster.
    bool placeable(Var child, const Word* cluster) const {
        const std::vector<Word>& sets = free_[child];
        for (std::size_t at = 0; at < sets.size(); at += width_) {
            Word common = 0;
            for (std::size_t i = 0; i < width_; ++i) common |= sets[at + i] & cluster[i];
            if (common == 0) return true;
        }
        return false;
    }
    /// The least cost of sets without a parent in the cluster.
    double least_apart(const Word* cluster) {
        double least = std::numeric_limits<double>::infinity();
        BitRows::for_each(cluster, width_, [&](Var v) {
            leasts_[v] = families_.kept_sets(v).least_apart(cluster, costs_[v]);
            least = std::min(least, leasts_[v]);
        });
        return least;
    }
    /// Takes that least off all of them.
    void take(const Word* cluster, double least) {
        BitRows::for_each(cluster, width_, [&](Var v) {
            const SetColumns& sets = families_.kept_sets(v);
            sets.take_apart(cluster, least, costs_[v]);
            if (leasts_[v] - least > nothing) return;  // nothing is free by that
            for (std::size_t at = 0; at < costs_[v].size(); ++at)
                if (costs_[v][at] <= nothing && sets.apart(at, cluster)) note_free(v, at);
        });
    }

  private:
    void note_free(Var child, std::size_t at) {
        if (costs_[child][at] > nothing) return;
        std::vector<Word>& sets = free_[child];
        sets.resize(sets.size() + width_);
        families_.kept_sets(child).copy(at, sets.data() + sets.size() - width_);
    }

    const Families& families_;
    std::size_t width_;
    std::vector<std::vector<double>> costs_;  // by child, then by place among its kept sets
    std::vector<double> leasts_;              // by child, of the cluster at hand
    std::vector<std::vector<Word>> free_;     // sets, one after another
};

class StuckVariables {
  public:
    StuckVariables(const Costs& costs, std::uint64_t seed)
        : costs_(costs), rows_(3, costs.variables()), random_(seed) {
        for (std::size_t v = 0; v < costs.variables(); ++v) rows_.insert(everyone, static_cast<Var>(v));
        rows_.copy(stuck, rows_[everyone]);
    }

    /// A cluster that cannot be placed at no cost, of which every smaller part that was tried can; none if
    /// all variables can be placed. Members are tried in random order, lest the same ones always stay.
    const Word* next() {
        rows_.copy(stuck, rows_[everyone]);
        peel(stuck);
        rows_.copy(everyone, rows_[stuck]);  // what was placed once stays so: costs only fall
        if (rows_.empty(stuck)) return nullptr;
        std::vector<Var> members;
        rows_.for_each(stuck, [&](Var v) { members.push_back(v); });
        random_.shuffle(members);
        for (const Var member : members) {
            if (!rows_.has(stuck, member)) continue;
            rows_.copy(trial, rows_[stuck]);
            rows_.erase(trial, member);
            peel(trial);
            if (!rows_.empty(trial)) rows_.copy(stuck, rows_[trial]);
        }
        return rows_[stuck];
    }

  private:
    void peel(std::size_t row) {
        for (bool more = true; more;) {
            more = false;
            rows_.for_each(row, [&](Var v) {
                if (!costs_.placeable(v, rows_[row])) return;
                rows_.erase(row, v);
                more = true;
            });
        }
    }

    const Costs& costs_;
    BitRows rows_;
    Random random_;
};

}  // namespace

Ascent dual_ascent(const Families& families, std::uint64_t seed, Control& control) {
    Ascent ascent;
    Costs costs(families);
    StuckVariables variables(costs, seed);
    std::map<std::vector<Var>, std::size_t> known;
    const std::size_t width = BitRows::width(families.variables());
    while (const Word* cluster = variables.next()) {
        if (control.stopped()) break;
        const double by = costs.least_apart(cluster);
        if (by == std::numeric_limits<double>::infinity()) {
            ascent.impossible = true;
            break;
        }
        std::vector<Var> members;
        BitRows::for_each(cluster, width, [&](Var v) { members.push_back(v); });
        costs.take(cluster, by);
        ascent.gain += by;
        const auto [place, added] = known.try_emplace(members, ascent.clusters.size());
        if (added) {
            ascent.clusters.push_back({std::move(members), by});
        } else {
            ascent.clusters[place->second].by += by;
        }
    }
    return ascent;
}

}  // namespace dagscape
