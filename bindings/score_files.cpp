#include "parents/score_files.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bindings.hpp"
#include "buffers.hpp"
#include "lock.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using Names = std::vector<std::string>;
using Write = nb::typed<nb::callable, nb::object(nb::bytes)>;

template <ScoreFile (*read)(std::string_view)>
std::tuple<Names, ParentLists, Facts> read_bytes(const nb::bytes& text) {
    const Unlocked unlocked;
    ScoreFile file = read(view(text));
    return {std::move(file.names), std::move(file.lists), std::move(file.facts)};
}

/// A sink that may be used without the interpreter lock.
Sink sink_to(const Write& write) {
    return [&write](std::string_view piece) {
        const Locked locked;
        call_python(write, nb::bytes(piece.data(), piece.size()));
    };
}

}  // namespace

void bind_score_files(nb::module_& m) {
    m.def("read_jkl", &read_bytes<read_jkl>, "text"_a);
    m.def("read_pss", &read_bytes<read_pss>, "text"_a);
    m.def(
        "write_jkl",
        [](ParentLists& lists, const Names& names, const Facts& facts, const Write& write) {
            const Unlocked unlocked;
            lists.sort();
            write_jkl(lists, names, facts, sink_to(write));
        },
        "lists"_a, "names"_a, "facts"_a, "write"_a);
    m.def(
        "write_pss",
        [](ParentLists& lists, const Names& names, const Facts& facts, const Write& write) {
            const Unlocked unlocked;
            lists.sort();
            write_pss(lists, names, facts, sink_to(write));
        },
        "lists"_a, "names"_a, "facts"_a, "write"_a);
}
