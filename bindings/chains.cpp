#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "parallel.hpp"
#include "posterior/chains/chain.hpp"
#include "posterior/chains/group_move.hpp"
#include "posterior/chains/jump_move.hpp"
#include "posterior/chains/known_jumps.hpp"
#include "posterior/chains/starts.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Places = std::vector<std::uint32_t>;
/// A block of variables in two orders.
using Orders = std::pair<std::vector<Var>, std::vector<Var>>;

/// What chains on the same lists share.
struct ChainLists {
    ChainLists(std::shared_ptr<ParentLists> parents, std::size_t threads, Control& control)
        : lists(std::move(parents), threads, control) {
        if (lists.complete()) choice = std::make_unique<GroupChoice>(lists);
    }
    WeightedLists lists;
    std::unique_ptr<GroupChoice> choice;
};

nb::tuple chain_lists(std::shared_ptr<ParentLists> lists, std::size_t threads, std::optional<double> seconds,
                      std::optional<std::size_t> max_bytes, nb::object progress) {
    auto [made, stopped] = run({seconds, max_bytes, std::move(progress)}, [&](Control& control) {
        return std::make_shared<ChainLists>(lists, at_least_one(threads), control);
    });
    return nb::make_tuple(made->lists.complete() ? nb::cast(made) : nb::none(), stop_name(stopped));
}

Places chain_start(const ChainLists& chains, const std::string& kind, std::uint64_t seed,
                   std::uint64_t stream, const std::vector<Var>& order) {
    enum class Kind { empty, random, order };
    const Kind wanted = named<Kind>(
        "start", kind, {{"empty", Kind::empty}, {"random", Kind::random}, {"order", Kind::order}});
    if (wanted == Kind::order) check_order(order, chains.lists.variables());
    return unlocked([&] {
        Random random(seed, stream);
        if (wanted == Kind::order) return best_in_order(chains.lists, order);
        return wanted == Kind::empty ? emptiest_network(chains.lists, random)
                                     : random_network(chains.lists, random);
    });
}

/// The network of these places; throws where it has a cycle.
void check_network(const ChainLists& chains, const Places& places) {
    const std::size_t n = chains.lists.variables();
    if (places.size() != n) throw Error(ErrorKind::parameter, "a network has a set for each variable");
    std::vector<char> placed(n);
    for (std::size_t v = 0; v < n; ++v)
        if (places[v] >= chains.lists[static_cast<Var>(v)].size())
            throw Error(ErrorKind::parameter, "no such parent set");
    std::size_t left = n;
    for (bool more = true; more;) {
        more = false;
        for (std::size_t v = 0; v < n; ++v) {
            if (placed[v] != 0) continue;
            bool ready = true;
            for (const Var parent : chains.lists[static_cast<Var>(v)].parents(places[v]))
                ready = ready && placed[parent] != 0;
            if (!ready) continue;
            placed[v] = 1;
            more = true;
            --left;
        }
    }
    if (left > 0) throw Error(ErrorKind::graph, "the network has a cycle");
}

nb::dict as_dict(ChainFound&& found, std::size_t n) {
    nb::dict facts;
    facts["rounds"] = found.rounds;
    facts["whole"] = found.whole;
    facts["arcs"] = array_of(std::move(found.arcs), n, n);
    facts["ancestors"] = array_of(std::move(found.ancestors), n, n);
    const std::size_t kept = found.log_weights.size();
    facts["kept"] = array_of(std::move(found.kept), kept, n);
    facts["log_weights"] = array_of(std::move(found.log_weights));
    facts["start_log_weight"] = found.start_log_weight;
    facts["best_log_weight"] = found.best_log_weight;
    facts["moves"] = found.moves;
    facts["redrawn"] = found.redrawn;
    facts["listed"] = found.listed;
    facts["jumps_tried"] = found.jumps_tried;
    facts["jumps_taken"] = found.jumps_taken;
    return facts;
}

Jump checked_jump(const ChainLists& chains, const Orders& orders) {
    const std::size_t n = chains.lists.variables();
    if (checked_set(orders.first, n) != checked_set(orders.second, n))
        throw Error(ErrorKind::parameter, "a jump has the same variables in both orders");
    return {orders.first, orders.second};
}

std::vector<Orders> find_jumps(const ChainLists& chains, const std::vector<Places>& networks,
                               std::size_t fewest, std::size_t most) {
    for (const Places& places : networks) check_network(chains, places);
    std::vector<Orders> found;
    unlocked([&] {
        for (Jump& jump : known_jumps(chains.lists, networks, {fewest, most}))
            found.emplace_back(std::move(jump.one), std::move(jump.other));
    });
    return found;
}

/// A chain for each start, with the stream of the same place.
nb::tuple run_chains(const ChainLists& chains, const std::vector<Places>& starts,
                     const std::vector<std::uint64_t>& streams, std::uint64_t rounds, std::uint64_t forgotten,
                     std::uint64_t kept, std::uint64_t seed, std::size_t threads,
                     std::optional<double> seconds, nb::object progress, std::optional<double> seconds_each,
                     std::optional<std::array<double, AcyclicPattern::most>> sizes,
                     const std::vector<Orders>& jumps, std::uint64_t jump_variables) {
    if (streams.size() != starts.size())
        throw Error(ErrorKind::parameter, "there must be a stream for each start");
    for (const Places& start : starts) check_network(chains, start);
    ChainOptions options{rounds, forgotten, kept};
    if (sizes) options.sizes = *sizes;
    options.jump_variables = std::max<std::uint64_t>(1, jump_variables);
    std::vector<Jump> known;
    for (const Orders& orders : jumps) known.push_back(checked_jump(chains, orders));
    if (seconds_each) options.seconds = *seconds_each;
    auto [found, stopped] = run({seconds, {}, std::move(progress)}, [&](Control& control) {
        std::vector<ChainFound> each(starts.size());
        control.stage(1 / static_cast<double>(std::max<std::size_t>(1, starts.size())));
        parallel_for(starts.size(), at_least_one(threads), control, [&](std::size_t i, std::size_t) {
            each[i] =
                run_chain(chains.lists, *chains.choice, known, starts[i], options, seed, streams[i], control);
        });
        return each;
    });
    nb::list each;
    for (ChainFound& chain : found)
        each.append(chain.rounds == 0 ? nb::none()
                                      : nb::object(as_dict(std::move(chain), chains.lists.variables())));
    return nb::make_tuple(each, stop_name(stopped));
}

/// Where a move leads from a network, so many times, each from there with a stream of its own; and the mean
/// share that it gives to every arc into the group.
nb::tuple group_moves(const ChainLists& chains, const Places& start, const std::vector<Var>& group,
                      std::uint64_t seed, std::size_t count) {
    check_network(chains, start);
    const std::size_t n = chains.lists.variables();
    if (group.empty() || group.size() > AcyclicPattern::most)
        throw Error(ErrorKind::parameter, "a group has one to four variables");
    checked_set(group, n);
    Places ends;
    std::vector<double> arcs(n * n);
    GroupMove move(chains.lists);
    for (std::size_t i = 0; i < count; ++i) {
        Random random(seed, i);
        NetworkState state(chains.lists, start);
        move(group, state, random);
        ends.insert(ends.end(), state.places().begin(), state.places().end());
        move.for_each_share([&](Var v, std::uint32_t place, double share) {
            for (const Var u : chains.lists[v].parents(place))
                arcs[u * n + v] += share / static_cast<double>(count);
        });
    }
    return nb::make_tuple(array_of(std::move(ends), count, n), array_of(std::move(arcs), n, n),
                          move.redrawn());
}

/// Where a jump leads from a network, so many times, each from there with a stream of its own; and how often
/// it was taken.
nb::tuple jump_moves(const ChainLists& chains, const Places& start, const Orders& orders, std::uint64_t seed,
                     std::size_t count, double open_share) {
    check_network(chains, start);
    const Jump jump = checked_jump(chains, orders);
    Places ends;
    JumpMove move(chains.lists, open_share);
    for (std::size_t i = 0; i < count; ++i) {
        Random random(seed, i);
        NetworkState state(chains.lists, start);
        move(jump.one, jump.other, state, random);
        ends.insert(ends.end(), state.places().begin(), state.places().end());
    }
    return nb::make_tuple(array_of(std::move(ends), count, chains.lists.variables()), move.taken());
}

}  // namespace

void bind_chains(nb::module_& m) {
    nb::class_<ChainLists>(m, "ChainLists", "Weighted parent sets, as chains of networks read them.")
        .def_prop_ro("variables", [](const ChainLists& chains) { return chains.lists.variables(); })
        .def(
            "affinity",
            [](const ChainLists& chains, Var x, Var y) {
                const std::size_t n = chains.lists.variables();
                return chains.choice->affinity(checked(x, n), checked(y, n));
            },
            "x"_a, "y"_a);
    m.def("chain_lists", &chain_lists, "lists"_a, "threads"_a, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none());
    m.def("chain_start", &chain_start, "chains"_a, "kind"_a, "seed"_a = 0, "stream"_a = 0,
          "order"_a = std::vector<Var>{});
    m.def(
        "chain_places",
        [](const ChainLists& chains, const std::vector<std::vector<Var>>& parents) {
            return unlocked([&] { return places_of(chains.lists, parents); });
        },
        "chains"_a, "parents"_a, "Where a network's parent sets are in the lists.");
    m.def("run_chains", &run_chains, "chains"_a, "starts"_a, "streams"_a, "rounds"_a, "forgotten"_a, "kept"_a,
          "seed"_a, "threads"_a, "seconds"_a = nb::none(), "progress"_a = nb::none(),
          "seconds_each"_a = nb::none(), "sizes"_a = nb::none(), "jumps"_a = std::vector<Orders>{},
          "jump_variables"_a = ChainOptions{}.jump_variables);
    m.def("known_jumps", &find_jumps, "chains"_a, "networks"_a, "fewest"_a = JumpSizes{}.fewest,
          "most"_a = JumpSizes{}.most,
          "Blocks of variables in which networks differ, in an order of each of two of them.");
    m.def("group_moves", &group_moves, "chains"_a, "start"_a, "group"_a, "seed"_a, "count"_a);
    m.def("jump_moves", &jump_moves, "chains"_a, "start"_a, "orders"_a, "seed"_a, "count"_a,
          "open_share"_a = AllowedSets::usual_share);
}
