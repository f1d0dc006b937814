#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "bindings.hpp"
#include "buffers.hpp"
#include "checks.hpp"
#include "parents/best_first.hpp"
#include "parents/child_levels.hpp"
#include "parents/joined.hpp"
#include "parents/packed_lists.hpp"
#include "parents/parent_lists.hpp"
#include "parents/restricted.hpp"
#include "parents/selected.hpp"
#include "parents/sequential.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

/// The child's list, in order.
const ParentList& list_of(ParentLists& lists, Var child) {
    ParentList& list = lists.lists[checked(child, lists.variables())];
    list.sort();
    return list;
}

std::size_t place_in(const ParentList& list, std::size_t at) {
    if (at >= list.size()) throw nb::index_error("no such parent set");
    return at;
}

Var known(const Constraints& constraints, Var v) { return checked(v, constraints.allowed.size()); }

WalkWay way_named(const std::string& name) {
    return named<WalkWay>(
        "counting", name,
        {{"auto", WalkWay::cheapest}, {"bitmaps", WalkWay::bitmaps}, {"rows", WalkWay::rows}});
}

nb::dict described(const SelectionWork& work, Stop stopped) {
    nb::dict facts;
    facts["sets_counted"] = work.sets_counted;
    facts["families_scored"] = work.families_scored;
    facts["pruned_by_limit"] = work.pruned.limit;
    facts["pruned_by_bound"] = work.pruned.bound;
    facts["pruned_by_entropy"] = work.pruned.entropy;
    facts["pruned_by_dominance"] = work.pruned.dominance;
    facts["sizes_done_together"] = work.dense_ways.size();
    facts["sizes_from_bitmaps"] = std::count(work.dense_ways.begin(), work.dense_ways.end(), "bitmaps");
    // A limit that was reached when the selection was complete did not stop it; an interrupt is always told.
    facts["stopped"] = stop_name(stopped == Stop::interrupt ? stopped : work.stop);
    return facts;
}

/// The lists that a selection makes, and how.
template <typename Select>
nb::tuple selected(Limits limits, const Select& select) {
    SelectionWork work;
    auto [lists, stopped] = run(std::move(limits), [&](Control& control) {
        return std::make_shared<ParentLists>(select(control, work));
    });
    return nb::make_tuple(std::move(lists), described(work, stopped));
}

using Children = std::optional<std::vector<Var>>;

Children checked_children(Children children, std::size_t variables) {
    if (children) children = checked_set(std::move(*children), variables);
    return children;
}

nb::bytes packed(const ParentLists& lists, Children children) {
    children = checked_children(std::move(children), lists.variables());
    const PackedLists packing(lists, children ? std::optional<Members>(*children) : std::nullopt);
    const std::size_t size = packing.bytes();
    // Python's own memory, written to at once: lists take gigabytes.
    nb::bytes bytes = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    if (!bytes.is_valid()) throw nb::python_error();
    char* to = PyBytes_AsString(bytes.ptr());
    unlocked([&] { packing.write({to, size}); });
    return bytes;
}

nb::tuple sequential(const Scorer& scorer, const Constraints& constraints, const PruningRules& prune,
                     const std::string& counting, const std::string& instructions, std::size_t threads,
                     std::size_t most_together, std::optional<double> seconds,
                     std::optional<std::size_t> max_bytes, nb::object progress, Children children,
                     std::optional<std::pair<std::size_t, std::size_t>> share) {
    check_fit(constraints, scorer);
    if (share && share->first >= share->second)
        throw Error(ErrorKind::parameter, "a share must be a part from 0 to parts - 1, got " +
                                              std::to_string(share->first) + " of " +
                                              std::to_string(share->second));
    if (share && children) throw Error(ErrorKind::parameter, "give children or share, not both");
    const SequentialOptions options{prune,
                                    {way_named(counting), instructions_named(instructions)},
                                    at_least_one(threads),
                                    most_together,
                                    checked_children(std::move(children), scorer.variables()),
                                    share ? Part{share->first, share->second} : Part{}};
    return selected({seconds, max_bytes, std::move(progress)}, [&](Control& control, SelectionWork& work) {
        return sequential_selection(scorer, constraints, options, control, work);
    });
}

nb::tuple best_first(const Scorer& scorer, const Constraints& constraints, bool independence,
                     const PruningRules& prune, std::uint64_t sets_per_child,
                     std::optional<double> seconds_per_child, std::size_t threads, ParentLists* start,
                     std::optional<double> seconds, std::optional<std::size_t> max_bytes, nb::object progress,
                     Children children) {
    check_fit(constraints, scorer);
    const BestFirstOptions options{independence ? Promise::independence : Promise::score,
                                   sets_per_child,
                                   seconds_per_child.value_or(std::numeric_limits<double>::infinity()),
                                   prune,
                                   at_least_one(threads),
                                   checked_children(std::move(children), scorer.variables())};
    return selected({seconds, max_bytes, std::move(progress)}, [&](Control& control, SelectionWork& work) {
        if (start) start->sort();
        return best_first_selection(scorer, constraints, options, start, control, work);
    });
}

nb::dict estimate(const Scorer& scorer, const Constraints& constraints, const PruningRules& prune,
                  std::size_t threads, std::size_t max_bytes) {
    check_fit(constraints, scorer);
    SequentialOptions options;
    options.prune = prune;
    options.threads = at_least_one(threads);
    Control control(std::numeric_limits<double>::infinity(), max_bytes);
    const SelectionEstimate estimated =
        unlocked([&] { return estimate_sequential(scorer, constraints, options, control); });
    nb::dict facts;
    facts["sets"] = estimated.sets;
    facts["bytes"] = estimated.bytes;
    facts["list_bytes"] = estimated.list_bytes;
    facts["seconds"] = estimated.seconds;
    facts["max_parents"] = estimated.max_parents;
    facts["complete"] = estimated.complete;
    return facts;
}

}  // namespace

void bind_parents(nb::module_& m) {
    nb::class_<Constraints>(m, "Constraints", "Which parents each child may have.")
        .def(nb::init<std::size_t, std::size_t>(), "variables"_a, "max_parents"_a)
        .def(
            "require",
            [](Constraints& c, Var child, Var parent) {
                c.required[known(c, child)].insert(known(c, parent));
            },
            "child"_a, "parent"_a)
        .def(
            "forbid",
            [](Constraints& c, Var child, Var parent) { c.allowed[known(c, child)].erase(known(c, parent)); },
            "child"_a, "parent"_a)
        .def(
            "keep",
            [](Constraints& c, Var child, std::vector<Var> parents) {
                c.keep(known(c, child), checked_set(std::move(parents), c.allowed.size()));
            },
            "child"_a, "parents"_a)
        .def(
            "limit", [](Constraints& c, Var child, std::size_t most) { c.limit(known(c, child), most); },
            "child"_a, "max_parents"_a)
        .def(
            "has",
            [](const Constraints& c, Var child, Var parent) {
                return c.allowed[known(c, child)].contains(known(c, parent));
            },
            "child"_a, "parent"_a)
        .def(
            "sets",
            [](const Constraints& c, std::size_t most) {
                double sets = 0;
                for (std::size_t v = 0; v < c.allowed.size(); ++v)
                    sets += ChildLevels::sets(c, static_cast<Var>(v), most);
                return sets;
            },
            "max_parents"_a)
        .def(
            "max_parents", [](const Constraints& c, Var child) { return c.max_parents[known(c, child)]; },
            "child"_a);

    nb::class_<PruningRules>(m, "PruningRules", "Which rules may leave parent sets out.")
        .def(nb::init<>())
        .def_rw("limit", &PruningRules::limit)
        .def_rw("bound", &PruningRules::bound)
        .def_rw("entropy", &PruningRules::entropy)
        .def_rw("dominance", &PruningRules::dominance)
        .def_rw("published", &PruningRules::published)
        .def_rw("slack", &PruningRules::slack)
        .def_rw("most_of_size", &PruningRules::most_of_size);

    nb::class_<ParentLists>(m, "ParentLists", "Scored parent sets of every variable, best first.")
        .def_prop_ro("variables", &ParentLists::variables)
        .def_prop_ro("sets", &ParentLists::sets)
        .def_prop_ro("bytes", &ParentLists::bytes)
        .def_ro("exhaustive", &ParentLists::exhaustive)
        .def_ro("exhaustive_to", &ParentLists::exhaustive_to)
        .def(
            "sort",
            [](ParentLists& lists, std::size_t threads, std::optional<double> seconds) {
                return std::string(stop_name(run({seconds, {}, nb::none()}, [&](Control& control) {
                                                 lists.sort(at_least_one(threads), control);
                                                 return true;
                                             }).stopped));
            },
            "threads"_a = 1, "seconds"_a = nb::none(),
            "Put all lists in order; return what stopped it, if anything did.")
        .def(
            "best_few",
            [](const ParentLists& lists, std::size_t most, std::size_t threads) {
                return unlocked([&] {
                    return std::make_shared<ParentLists>(lists.best_few(most, at_least_one(threads)));
                });
            },
            "most"_a, "threads"_a = 1,
            "Some of each child's sets: the best ones, and one with the fewest parents.")
        .def(
            "best_of_each_size",
            [](const ParentLists& lists, std::size_t most, std::size_t threads) {
                return unlocked([&] {
                    return std::make_shared<ParentLists>(
                        lists.best_of_each_size(most, at_least_one(threads)));
                });
            },
            "most"_a, "threads"_a = 1, "So many of each child's sets with as many parents, the best.")
        .def(
            "size",
            [](const ParentLists& p, Var child) { return p.lists[checked(child, p.variables())].size(); },
            "child"_a)
        .def(
            "score",
            [](ParentLists& p, Var child, std::size_t at) {
                const ParentList& list = list_of(p, child);
                return list.score(place_in(list, at));
            },
            "child"_a, "at"_a)
        .def(
            "parents",
            [](ParentLists& p, Var child, std::size_t at) {
                const ParentList& list = list_of(p, child);
                const Members members = list.parents(place_in(list, at));
                return std::vector<Var>(members.begin(), members.end());
            },
            "child"_a, "at"_a);

    nb::class_<BestParents>(m, "BestParents", "The best parent set among allowed parents.")
        .def(nb::init<const ParentLists&>(), "lists"_a, nb::keep_alive<1, 2>())
        .def(
            "best",
            [](BestParents& best, Var child, const std::vector<Var>& allowed) {
                const std::size_t variables = best.lists().variables();
                return best.best(checked(child, variables), wide_set(allowed, variables));
            },
            "child"_a, "allowed"_a);

    m.def(
        "restricted",
        [](const ParentLists& lists, const Constraints& constraints) {
            check_fit(constraints, lists.variables());
            return unlocked([&] { return std::make_shared<ParentLists>(restricted(lists, constraints)); });
        },
        "lists"_a, "constraints"_a);
    m.def(
        "selected_sets",
        [](ParentLists& lists, const std::vector<std::vector<std::uint32_t>>& places) {
            return unlocked([&] {
                lists.sort();
                return std::make_shared<ParentLists>(selected(lists, places));
            });
        },
        "lists"_a, "places"_a);
    m.def("pack_lists", &packed, "lists"_a, "children"_a = nb::none());
    m.def(
        "unpack_lists",
        [](const nb::bytes& data) {
            return unlocked([&] { return std::make_shared<ParentLists>(unpacked(view(data))); });
        },
        "data"_a);
    m.def(
        "join_lists",
        [](const std::vector<ParentLists*>& parts) {
            return unlocked([&] { return std::make_shared<ParentLists>(joined(parts)); });
        },
        "parts"_a);
    m.def("sequential_selection", &sequential, "scorer"_a, "constraints"_a, "prune"_a, "counting"_a,
          "instructions"_a, "threads"_a, "most_together"_a = 23, "seconds"_a = nb::none(),
          "max_bytes"_a = nb::none(), "progress"_a = nb::none(), "children"_a = nb::none(),
          "share"_a = nb::none());
    m.def("selection_order", &selection_order, "scorer"_a);
    m.def("best_first_selection", &best_first, "scorer"_a, "constraints"_a, "independence"_a, "prune"_a,
          "sets_per_child"_a, "seconds_per_child"_a.none(), "threads"_a, "start"_a.none() = nb::none(),
          "seconds"_a = nb::none(), "max_bytes"_a = nb::none(), "progress"_a = nb::none(),
          "children"_a = nb::none());
    m.def("estimate_sequential", &estimate, "scorer"_a, "constraints"_a, "prune"_a, "threads"_a,
          "max_bytes"_a);
}
