#include "parents/packed_lists.hpp"

#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

#include "bytes.hpp"

namespace dagscape {

namespace {

constexpr std::string_view magic = "DPL";
constexpr std::uint8_t version = 1;
constexpr std::size_t header_bytes = 3 + 1 + 4 + 4 + 8 + 1;
constexpr std::size_t list_bytes = 4 + 8 + 8;
constexpr std::size_t set_bytes = sizeof(double) + sizeof(std::uint16_t);

ParentList read_list(ByteReader& from, std::size_t child, std::size_t variables) {
    const auto sets = from.number<std::uint64_t>();
    const auto members = from.number<std::uint64_t>();
    std::vector<double> scores = from.numbers<double>(sets);
    const std::vector<std::uint16_t> sizes = from.numbers<std::uint16_t>(sets);
    std::vector<Var> parents = from.numbers<Var>(members);
    std::vector<std::uint64_t> begins(sets + 1);
    for (std::size_t at = 0; at < sets; ++at) begins[at + 1] = begins[at] + sizes[at];
    if (begins.back() != members) from.refuse("have sets of other sizes than they say");
    bool sound = true;
    for (std::size_t at = 0; at < sets; ++at) {
        sound = sound && !std::isnan(scores[at]);
        // Ascending, and so below `variables` where the last one is.
        for (std::uint64_t i = begins[at]; i < begins[at + 1]; ++i)
            sound = sound && parents[i] != child && (i == begins[at] || parents[i - 1] < parents[i]);
        sound = sound && (sizes[at] == 0 || parents[begins[at + 1] - 1] < variables);
    }
    if (!sound) from.refuse("have a set that is none of variable " + std::to_string(child));
    return {std::move(scores), std::move(begins), std::move(parents)};
}

}  // namespace

PackedLists::PackedLists(const ParentLists& lists, std::optional<Members> children) : lists_(lists) {
    if (children) {
        children_.assign(children->begin(), children->end());
    } else {
        children_.resize(lists.variables());
        std::iota(children_.begin(), children_.end(), Var{0});
    }
}

std::size_t PackedLists::bytes() const {
    std::size_t total = header_bytes;
    for (const Var child : children_) {
        const ParentList& list = lists_.lists[child];
        total += list_bytes + list.size() * set_bytes + list.members(list.size()) * sizeof(Var);
    }
    return total;
}

void PackedLists::write(std::span<char> to) const {
    assert(to.size() == bytes());
    ByteWriter writer(to.data());
    writer.numbers(magic.data(), magic.size());
    writer.number(version);
    writer.number(static_cast<std::uint32_t>(lists_.variables()));
    writer.number(static_cast<std::uint32_t>(children_.size()));
    writer.number(static_cast<std::uint64_t>(lists_.exhaustive_to));
    writer.number(static_cast<std::uint8_t>(lists_.exhaustive));
    std::vector<std::uint16_t> sizes;
    for (const Var child : children_) {
        const ParentList& list = lists_.lists[child];
        writer.number(std::uint32_t{child});
        writer.number(static_cast<std::uint64_t>(list.size()));
        writer.number(static_cast<std::uint64_t>(list.members(list.size())));
        writer.numbers(list.scores().data(), list.size());
        sizes.resize(list.size());
        for (std::size_t at = 0; at < list.size(); ++at)
            sizes[at] = static_cast<std::uint16_t>(list.members(at + 1) - list.members(at));
        writer.numbers(sizes.data(), sizes.size());
        writer.numbers(list.all_members().data(), list.all_members().size());
    }
    assert(writer.end() == to.data() + to.size());
}

ParentLists unpacked(std::string_view bytes) {
    ByteReader reader(bytes, "packed parent lists");
    if (!reader.passed(magic)) reader.refuse("begin with " + std::string(magic) + ", and these bytes do not");
    if (const auto came = reader.number<std::uint8_t>(); came != version)
        reader.refuse("must be of version " + std::to_string(version) + ", got " + std::to_string(came));
    ParentLists result;
    const std::size_t variables = reader.number<std::uint32_t>();
    const std::size_t lists = reader.number<std::uint32_t>();
    result.exhaustive_to = reader.number<std::uint64_t>();
    const auto exhaustive = reader.number<std::uint8_t>();
    if (variables > max_variables)
        reader.refuse("have at most " + std::to_string(max_variables) + " variables");
    if (exhaustive > 1 || result.exhaustive_to > variables)
        reader.refuse("say nothing sensible of how complete they are");
    result.exhaustive = exhaustive == 1;
    result.lists.resize(variables);
    std::vector<bool> seen(variables);
    for (std::size_t i = 0; i < lists; ++i) {
        const std::size_t child = reader.number<std::uint32_t>();
        if (child >= variables || seen[child]) reader.refuse("have one list at most of each variable");
        seen[child] = true;
        result.lists[child] = read_list(reader, child, variables);
    }
    if (!reader.done()) reader.refuse("have more bytes than they say");
    return result;
}

}  // namespace dagscape
