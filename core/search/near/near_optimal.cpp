#include "search/near/near_optimal.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "same_score.hpp"
#include "search/near/competing_sets.hpp"
#include "search/near/near_networks.hpp"

namespace dagscape {

namespace {

/// Shares of the distance that are tried in turn. Numbers grow by leaps with it, so the last costs most.
constexpr double shares[] = {0, 0.25, 0.5, 1};

/// Networks of some components taken together: which of each, by their numbers.
struct Combined {
    std::vector<std::uint32_t> numbers;  // one row for each network
    std::vector<double> differences;     // best first
};

/// The best pairs of two sorted lists, as long as they are within the distance and the limit; `more` tells
/// whether the limit cut some off.
Combined combine(const Combined& some, std::size_t components, const std::vector<NearNetwork>& others,
                 double within, std::size_t limit, bool& more) {
    Combined result;
    using Pair = std::tuple<std::int64_t, std::size_t, std::size_t>;
    std::priority_queue<Pair, std::vector<Pair>, std::greater<>> next;
    const auto offer = [&](std::size_t a, std::size_t b) {
        if (a >= some.differences.size() || b >= others.size()) return;
        const double sum = some.differences[a] + others[b].difference;
        if (sum <= within + same_score) next.emplace(near_rank(sum), a, b);
    };
    offer(0, 0);
    while (!next.empty()) {
        if (result.differences.size() == limit) {
            more = true;
            break;
        }
        const auto [rank, a, b] = next.top();
        next.pop();
        const auto row = some.numbers.begin() + static_cast<std::ptrdiff_t>(a * components);
        result.numbers.insert(result.numbers.end(), row, row + static_cast<std::ptrdiff_t>(components));
        result.numbers.push_back(static_cast<std::uint32_t>(b));
        result.differences.push_back(some.differences[a] + others[b].difference);
        if (b == 0) offer(a + 1, 0);
        offer(a, b + 1);
    }
    return result;
}

class Search {
  public:
    Search(const ParentLists& parents, const NearOptions& options, Control& control)
        : parents_(parents), options_(options), classes_(kinds(parents, options)), control_(control) {}

    NearOptimal run() {
        const Competition competition =
            competing_sets(parents_, options_.within, options_.most_regret, options_.threads, control_);
        NearOptimal result;
        result.too_large = competition.too_large;
        result.largest = competition.largest;
        if (competition.too_large > 0) return result;
        for (const double share : shares) {
            if (control_.stopped() || result.limited) break;
            if (share > 0 && options_.within == 0) break;
            look(competition.components, share * options_.within, result);
        }
        result.complete = !result.limited && result.complete_to >= options_.within;
        return result;
    }

  private:
    static std::optional<std::vector<std::uint32_t>> kinds(const ParentLists& parents,
                                                           const NearOptions& options) {
        if (!options.classes) return std::nullopt;
        return options.kinds.empty() ? std::vector<std::uint32_t>(parents.variables()) : options.kinds;
    }

    /// Replaces the list by the one for this distance, unless stopped.
    void look(const std::vector<CompetingSets>& components, double within, NearOptimal& result) {
        std::vector<NearNetworks> of_components;
        Combined combined{{}, {0}};
        double complete_to = within;
        bool more = false;
        for (std::size_t c = 0; c < components.size(); ++c) {
            NearNetworks found =
                near_networks(components[c], parents_, within, options_.limit, classes_, control_);
            result.steps += found.steps;
            if (control_.why() != Stop::none) return;
            complete_to = std::min(complete_to, found.complete_to);
            more |= found.limited;
            bool cut = false;
            combined = combine(combined, c, found.networks, within, options_.limit, cut);
            if (cut) complete_to = std::min(complete_to, combined.differences.back());
            more |= cut;
            of_components.push_back(std::move(found));
        }
        result.limited = more;
        result.complete_to = complete_to;
        write(components, of_components, combined, result);
    }

    void write(const std::vector<CompetingSets>& components, const std::vector<NearNetworks>& of_components,
               const Combined& combined, NearOptimal& result) const {
        const std::size_t n = parents_.variables(), parts = components.size();
        result.differences = combined.differences;
        result.places.assign(combined.differences.size() * n, 0);
        for (std::size_t row = 0; row < combined.differences.size(); ++row) {
            for (std::size_t c = 0; c < parts; ++c) {
                const NearNetwork& network = of_components[c].networks[combined.numbers[row * parts + c]];
                for (std::size_t v = 0; v < network.places.size(); ++v)
                    result.places[row * n + components[c].variables[v]] = network.places[v];
            }
        }
    }

    const ParentLists& parents_;
    const NearOptions& options_;
    const std::optional<std::vector<std::uint32_t>> classes_;  // kinds of variables
    Control& control_;
};

}  // namespace

NearOptimal near_optimal(const ParentLists& parents, const NearOptions& options, Control& control) {
    return Search(parents, options, control).run();
}

}  // namespace dagscape
