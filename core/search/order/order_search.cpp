#include "search/order/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "parallel.hpp"
#include "same_score.hpp"
#include "search/order/swap_climb.hpp"

namespace dagscape {

namespace {

constexpr std::size_t population_size = 20;
constexpr std::size_t children = 8;            // of a generation: enough for as many threads
constexpr std::uint64_t batch = 256;           // of restarts: threads should not wait for each other often
constexpr std::size_t most_recorded = 10'000;  // of restarts: a time limit allows millions

/// Keeps the best orders, of each score one.
class Population {
  public:
    void offer(const OrderFound& found) {
        const auto same = [&](const OrderFound& other) {
            return std::abs(other.score - found.score) < same_score;
        };
        if (std::any_of(members_.begin(), members_.end(), same)) return;
        const auto at = std::find_if(members_.begin(), members_.end(),
                                     [&](const OrderFound& other) { return other.score < found.score; });
        members_.insert(at, found);
        if (members_.size() > population_size) members_.pop_back();
    }
    const std::vector<OrderFound>& members() const { return members_; }

  private:
    std::vector<OrderFound> members_;  // best first
};

/// A random part of the variables at their positions in one order, the rest as in the other.
std::vector<Var> crossed(const std::vector<Var>& one, const std::vector<Var>& other, Random& random) {
    const std::size_t n = one.size();
    std::vector<bool> kept(n);
    const std::uint64_t share = 2 + random.below(5);  // 2 to 6 of 8
    for (std::size_t v = 0; v < n; ++v) kept[v] = random.below(8) < share;
    std::vector<Var> order = one;
    std::size_t at = 0;
    for (const Var v : other) {
        if (kept[v]) continue;
        while (kept[order[at]]) ++at;
        order[at++] = v;
    }
    return order;
}

class Search {
  public:
    Search(const ParentLists& parents, const OrderSearchOptions& options, Control& control)
        : orders_(BestParentGraph(parents, control), options.init, control, options.start),
          lists_(tables(parents, options, control)),
          options_(options),
          control_(control) {}

    OrderSearchResult run(const std::vector<RestartedOrder>& restarted) {
        for (const RestartedOrder& done : restarted) keep(again(done));
        if (restarted.empty()) restart([this](const SwapClimb& done) { keep(done); });
        if (options_.insertion) evolve();
        result_.best = population_.members().front();
        for (std::size_t v = 0; v < lists_.variables(); ++v)
            result_.best.places[v] = lists_.listed(static_cast<Var>(v), result_.best.places[v]);
        result_.sets_left_out = lists_.left_out();
        return std::move(result_);
    }

    std::vector<RestartedOrder> restarts() {
        std::vector<RestartedOrder> all;
        restart([&all](const SwapClimb& done) {
            all.push_back({done.found.order, done.initial_score, done.steps, done.found.swaps});
        });
        return all;
    }

  private:
    static OrderLists tables(const ParentLists& parents, const OrderSearchOptions& options,
                             Control& control) {
        const std::size_t longest = longest_list(parents, options.threads, control);
        if (longest == 0) control.stop(Stop::memory);
        return OrderLists(parents, longest, options.threads, control);
    }
    template <typename Keep>
    void restart(const Keep& keep) {
        bool any = false;
        const double part = (options_.insertion ? 0.5 : 1) / static_cast<double>(options_.restarts);
        std::vector<std::optional<SwapClimb>> climbs(std::min(batch, options_.restarts));
        for (std::uint64_t from = 0; from < options_.restarts && !control_.stopped(); from += batch) {
            parallel_for(std::min(batch, options_.restarts - from), options_.threads, control_,
                         [&](std::size_t task, std::size_t) {
                             climbs[task] = climb(options_.first + from + task);
                             control_.advance(part);
                         });
            for (std::optional<SwapClimb>& done : climbs) {
                if (!done) continue;
                keep(*std::exchange(done, std::nullopt));
                any = true;
            }
        }
        // Stopped at once, there is still something to give.
        if (!any) keep(climb(options_.first));
    }
    SwapClimb again(const RestartedOrder& done) const {
        const OrderState there(lists_, done.order);
        return {{there.order(), there.places(), there.score(), done.swaps}, done.initial_score, done.steps};
    }
    void keep(const SwapClimb& done) {
        ++result_.restarts_begun;
        population_.offer(done.found);
        result_.swaps += done.found.swaps;
        if (result_.restarts.size() < most_recorded)
            result_.restarts.push_back({done.initial_score, done.found.score, done.steps});
    }
    SwapClimb climb(std::uint64_t number) {
        Random random(options_.seed, number);
        std::vector<Var> order = orders_.make(random, number);
        if (!options_.insertion) return swap_climb(lists_, std::move(order), options_.most_steps, control_);
        const double initial = OrderState(lists_, order).score();
        return {iterated_climb(lists_, std::move(order), patience(), most_swaps, random.bits(), control_,
                               options_.blocks),
                initial, 0};
    }
    std::size_t patience() const { return 2 * lists_.variables(); }

    void evolve() {
        std::vector<std::optional<OrderFound>> found(children);
        double relaxed = 0;
        for (std::size_t v = 0; v < lists_.variables(); ++v) relaxed += lists_.score(static_cast<Var>(v), 0);
        while (result_.generations < options_.generations && !control_.stopped() &&
               population_.members().front().score < relaxed - OrderState::least_gain) {
            const std::vector<OrderFound>& members = population_.members();
            parallel_for(children, options_.threads, control_, [&](std::size_t task, std::size_t) {
                Random random(~options_.seed, result_.generations * children + task);
                const std::size_t one = random.below(members.size()), other = random.below(members.size());
                std::vector<Var> order = members[one].order;
                if (one != other) order = crossed(order, members[other].order, random);
                found[task] = iterated_climb(lists_, std::move(order), patience(), most_swaps, random.bits(),
                                             control_, options_.blocks);
            });
            for (std::optional<OrderFound>& child : found) {
                if (!child) continue;
                result_.swaps += child->swaps;
                population_.offer(*child);
                child.reset();
            }
            ++result_.generations;
            control_.advance(0.5 / static_cast<double>(options_.generations));
        }
    }

    static constexpr std::uint64_t most_swaps = ~std::uint64_t{0};
    InitialOrders orders_;
    OrderLists lists_;
    const OrderSearchOptions& options_;
    Control& control_;
    Population population_;
    OrderSearchResult result_;
};

}  // namespace

std::size_t longest_list(const ParentLists& parents, std::size_t threads, const Control& control) {
    constexpr double most_sets = 4e7;
    constexpr double sets_per_second = 8e6;  // whose tables one thread builds
    const double in_time =
        0.1 * std::max(0.0, control.seconds_left()) * sets_per_second * static_cast<double>(threads);
    const double least = 1000.0 * static_cast<double>(parents.variables());
    const double sets = std::min(most_sets, std::max(in_time, least));
    return OrderLists::longest_within(parents, static_cast<std::size_t>(sets), control.max_bytes());
}

OrderSearchResult order_search(const ParentLists& parents, const OrderSearchOptions& options,
                               Control& control, const std::vector<RestartedOrder>& restarted) {
    return Search(parents, options, control).run(restarted);
}

std::vector<RestartedOrder> order_restarts(const ParentLists& parents, const OrderSearchOptions& options,
                                           Control& control) {
    return Search(parents, options, control).restarts();
}

}  // namespace dagscape
