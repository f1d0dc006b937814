#include "search/near/near_networks.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "graphs/essential_graph.hpp"
#include "landscape/graph_code.hpp"
#include "same_score.hpp"

namespace dagscape {

namespace {

using Kinds = std::optional<std::vector<std::uint32_t>>;

/// About what a network takes beside its numbers and its code.
constexpr std::size_t bytes_each = 160;

/// The networks found so far, at most twice as many as are wanted.
class Found {
  public:
    Found(const CompetingSets& component, const ParentLists& parents, double within, std::size_t limit,
          const Kinds& classes, Control& control)
        : component_(component),
          parents_(parents),
          limit_(limit),
          classes_(classes),
          control_(control),
          within_(within),
          nodes_(graph_nodes()) {}
    ~Found() { control_.release(charged_); }
    Found(const Found&) = delete;
    Found& operator=(const Found&) = delete;

    /// How much a network may lose and still be wanted.
    double within() const { return within_ + same_score; }

    void add(double difference, const std::vector<std::uint32_t>& chosen) {
        NearNetwork network{near_rank(difference) > 0 ? difference : 0, {}, {}};
        for (std::size_t v = 0; v < chosen.size(); ++v)
            network.places.push_back(component_.sets[v][chosen[v]].place);
        if (classes_) {
            network.code = code_of(network.places);
            if (!known_.insert(network.code).second) return;
        }
        const std::size_t bytes = bytes_each + 2 * network.code.size() + 4 * network.places.size();
        charged_ += bytes;
        control_.charge(bytes);
        networks_.push_back(std::move(network));
        if (networks_.size() >= 2 * limit_ + 2) cut();
    }

    NearNetworks take() {
        if (networks_.size() > limit_) cut();
        std::sort(networks_.begin(), networks_.end());
        return {std::move(networks_), within_, limited_, 0};
    }

  private:
    /// Keeps the best, and asks for none from now on that loses more than they do.
    void cut() {
        const auto last = networks_.begin() + static_cast<std::ptrdiff_t>(limit_);
        std::nth_element(networks_.begin(), last - 1, networks_.end());
        within_ = (last - 1)->difference;
        limited_ = true;
        for (auto at = last; at != networks_.end(); ++at) known_.erase(at->code);
        networks_.erase(last, networks_.end());
    }

    /// Variables of the graph whose code tells classes apart: those of the component, and their parents.
    /// Others are the same in all networks that differ here alone.
    std::vector<Var> graph_nodes() const {
        std::vector<Var> nodes = component_.variables;
        for (std::size_t v = 0; v < component_.variables.size(); ++v)
            for (const CompetingSet& set : component_.sets[v])
                for (const Var parent : parents_.lists[component_.variables[v]].parents(set.place))
                    nodes.push_back(parent);
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        return nodes;
    }
    std::string code_of(const std::vector<std::uint32_t>& places) const {
        const auto node = [&](Var v) {
            return static_cast<Var>(std::lower_bound(nodes_.begin(), nodes_.end(), v) - nodes_.begin());
        };
        Dag dag(nodes_.size());
        for (std::size_t v = 0; v < places.size(); ++v)
            for (const Var parent : parents_.lists[component_.variables[v]].parents(places[v]))
                dag.add(node(parent), node(component_.variables[v]));
        std::vector<std::uint32_t> kinds;
        for (const Var v : nodes_) kinds.push_back((*classes_)[v]);
        return encode(essential_graph(dag, kinds));
    }

    const CompetingSets& component_;
    const ParentLists& parents_;
    std::size_t limit_;
    const Kinds& classes_;
    Control& control_;
    double within_;
    std::vector<Var> nodes_;
    std::vector<NearNetwork> networks_;
    std::unordered_set<std::string> known_;
    std::size_t charged_ = 0;
    bool limited_ = false;
};

class Listing {
  public:
    Listing(const CompetingSets& component, const ParentLists& parents, double within, std::size_t limit,
            const Kinds& classes, Control& control)
        : component_(component),
          later_(component.later()),
          classes_(classes),
          control_(control),
          found_(component, parents, within, limit, classes, control),
          chosen_(component.variables.size()),
          covered_(component.variables.size()) {}
    ~Listing() { control_.release(dead_ends_.size() * bytes_per_dead_end); }
    Listing(const Listing&) = delete;
    Listing& operator=(const Listing&) = delete;

    NearNetworks run() {
        const std::uint32_t all = static_cast<std::uint32_t>(component_.least.size() - 1);
        place_sink(all, 0, -component_.optimum());
        if (control_.stopped()) return {{}, 0, false, steps_};
        NearNetworks result = found_.take();
        result.steps = steps_;
        return result;
    }

  private:
    /// What came of a rest.
    struct Outcome {
        bool found = false;   // a network
        bool passed = false;  // over one, for a covered arc: that depends on more than the rest
    };

    /// Chooses the next sink of these variables and its parents; `inner` are those that must not be it.
    /// `difference`: what is lost so far, less the component's optimum.
    Outcome place_sink(std::uint32_t rest, std::uint32_t inner, double difference) {
        if (rest == 0) {
            found_.add(difference, chosen_);
            return {true, false};
        }
        ++steps_;
        if ((steps_ & 1023) == 0) control_.stopped();
        const std::uint64_t key = std::uint64_t{rest} << 32 | inner;
        if (const auto known = dead_ends_.find(key);
            known != dead_ends_.end() && found_.within() - difference <= known->second)
            return {};
        Outcome outcome;
        for (std::size_t at = component_.order.size(); at-- > 0 && control_.why() == Stop::none;) {
            const Var sink = component_.order[at];
            const std::uint32_t bit = std::uint32_t{1} << sink;
            if ((rest & bit) == 0 || (inner & bit) != 0) continue;
            try_sets(sink, rest ^ bit, inner | (later_[sink] & rest), difference, outcome);
        }
        if (!outcome.found && !outcome.passed && control_.why() == Stop::none)
            remember(key, found_.within() - difference);
        return outcome;
    }

    void try_sets(Var sink, std::uint32_t rest, std::uint32_t inner, double difference, Outcome& outcome) {
        const double least = difference + component_.least[rest];
        const std::vector<CompetingSet>& sets = component_.sets[sink];
        for (std::uint32_t at = 0; at < sets.size() && least + sets[at].regret <= found_.within(); ++at) {
            const CompetingSet& set = sets[at];
            if ((set.inside & ~rest) != 0) continue;
            const std::vector<std::uint32_t>& covered = covered_[sink];
            if (std::find(covered.begin(), covered.end(), at) != covered.end()) {
                outcome.passed = true;
                continue;
            }
            chosen_[sink] = at;
            for (const auto& [parent, own] : set.covers)
                if (equal(sink, parent)) covered_[parent].push_back(own);
            const Outcome below = place_sink(rest, inner & ~set.inside, difference + set.regret);
            for (const auto& cover : set.covers)
                if (equal(sink, cover.parent)) covered_[cover.parent].pop_back();
            outcome.found |= below.found;
            outcome.passed |= below.passed;
            if (control_.why() != Stop::none) return;
        }
    }

    /// Whether networks that differ in the direction of a covered arc between the two are of one class.
    bool equal(Var a, Var b) const {
        return classes_ && (*classes_)[component_.variables[a]] == (*classes_)[component_.variables[b]];
    }

    /// This rest has no network that loses at most so much more.
    void remember(std::uint64_t key, double left) {
        const auto [known, fresh] = dead_ends_.emplace(key, left);
        known->second = std::max(known->second, left);
        if (fresh) control_.charge(bytes_per_dead_end);
    }

    static constexpr std::size_t bytes_per_dead_end = 48;

    const CompetingSets& component_;
    std::vector<std::uint32_t> later_;
    const Kinds& classes_;
    Control& control_;
    Found found_;
    std::vector<std::uint32_t> chosen_;                // by variable, the number of its set
    std::vector<std::vector<std::uint32_t>> covered_;  // sets with which an arc to a child would be covered
    std::unordered_map<std::uint64_t, double> dead_ends_;
    std::uint64_t steps_ = 0;
};

}  // namespace

bool operator<(const NearNetwork& a, const NearNetwork& b) {
    const std::int64_t left = near_rank(a.difference), right = near_rank(b.difference);
    return std::tie(left, a.code, a.places) < std::tie(right, b.code, b.places);
}

NearNetworks near_networks(const CompetingSets& component, const ParentLists& parents, double within,
                           std::size_t limit, const Kinds& classes, Control& control) {
    return Listing(component, parents, within, limit, classes, control).run();
}

}  // namespace dagscape
