#include "search/equivalence/sampled_kes.hpp"

#include <algorithm>
#include <cmath>

#include "same_score.hpp"
#include "search/equivalence/family_scores.hpp"
#include "search/equivalence/widths.hpp"

namespace dagscape {

namespace {

constexpr double least_gain = same_score;

/// A network that wanders through its class.
template <typename Set>
class Wanderer {
  public:
    explicit Wanderer(const Dag& dag)
        : parents_(dag.variables()), children_(dag.variables()), arcs_(dag.arcs()) {
        for (const auto& [from, to] : arcs_) {
            parents_[to] = parents_[to] | from;
            children_[from] = children_[from] | to;
        }
    }
    const Set& parents(Var v) const { return parents_[v]; }
    Dag dag() const { return Dag(parents_.size(), arcs_); }

    bool reaches(Var from, Var to) const {
        Set reached, front = Set() | from;
        while (!front.empty()) {
            Set next;
            for (const Var v : front) next = next | children_[v];
            if (next.contains(to)) return true;
            reached = reached | front;
            front = next - reached;
        }
        return false;
    }
    /// Reverses the covered arcs among a few drawn ones.
    void reverse_some(std::size_t most, Random& random) {
        // Not always as many: a single arc reversed an even number of times would stay as it is.
        const std::size_t tried = arcs_.empty() || most == 0 ? 0 : 1 + random.below(most);
        for (std::size_t i = 0; i < tried; ++i) {
            Arc& arc = arcs_[random.below(arcs_.size())];
            const auto [from, to] = arc;
            if (parents_[to] != (parents_[from] | from)) continue;
            unlink(from, to);
            link(to, from);
            arc = {to, from};
        }
    }
    void add(Var from, Var to) {
        link(from, to);
        arcs_.emplace_back(from, to);
    }
    void remove(Var from, Var to) {
        unlink(from, to);
        arcs_.erase(std::find(arcs_.begin(), arcs_.end(), Arc(from, to)));
    }

  private:
    void link(Var from, Var to) {
        parents_[to] = parents_[to] | from;
        children_[from] = children_[from] | to;
    }
    void unlink(Var from, Var to) {
        parents_[to] = parents_[to] - from;
        children_[from] = children_[from] - to;
    }
    std::vector<Set> parents_, children_;
    std::vector<Arc> arcs_;
};

template <typename Set>
void wander(const Scorer& scorer, const KesOptions& options, Random& random, Control& control,
            ClassSearch& found) {
    const std::size_t n = scorer.variables();
    FamilyScores<Set> scores(scorer);
    Wanderer<Set> here(found.dag);
    const double pairs = static_cast<double>(n * (n - 1));
    const auto& [most_draws, reversals, longest] = options.sampling;
    const double share = options.k < 1 ? std::min(most_draws, -std::log1p(-options.k)) : most_draws;
    const auto draws = static_cast<std::uint64_t>(std::max(1.0, share * pairs));
    const auto patience = static_cast<std::uint64_t>(std::max(1.0, longest * pairs));
    std::uint64_t in_vain = 0;
    found.sampled = true;
    while (n > 1 && in_vain < patience && found.steps < options.max_steps && !control.stopped()) {
        double most = least_gain;
        std::optional<Wanderer<Set>> best;
        std::uint64_t drawn = 0;
        for (; drawn < draws; ++drawn) {
            if (drawn % 64 == 63 && control.stopped()) break;
            here.reverse_some(reversals, random);
            Var x = static_cast<Var>(random.below(n)), y = static_cast<Var>(random.below(n - 1));
            if (y >= x) ++y;
            if (here.parents(x).contains(y)) std::swap(x, y);
            const Set& parents = here.parents(y);
            const bool present = parents.contains(x);
            if (!present && (parents.size() >= options.max_parents || here.reaches(y, x))) continue;
            const double without = scores(y, parents - x), with = scores(y, parents | x);
            const double gain = present ? without - with : with - without;
            found.classes += gain > least_gain;
            if (gain <= most) continue;
            most = gain;
            best = here;
            if (present)
                best->remove(x, y);
            else
                best->add(x, y);
        }
        in_vain += drawn;
        if (best) {
            here = std::move(*best);
            ++found.steps;
            in_vain = 0;
        }
    }
    found.done = in_vain >= patience || n < 2;
    end_at(found, here.dag(), scorer);
}

}  // namespace

void sampled_kes(const Scorer& scorer, const KesOptions& options, Random& random, Control& control,
                 ClassSearch& found) {
    with_sets_for(scorer.variables(),
                  [&]<typename Set>() { wander<Set>(scorer, options, random, control, found); });
}

}  // namespace dagscape
