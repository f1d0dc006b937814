#include "search/exact/integer_program/hulls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/exact/integer_program/acyclic_packing.hpp"
#include "search/exact/integer_program/lifted_cut.hpp"
#include "search/exact/integer_program/support.hpp"

namespace dagscape {

using namespace few;

namespace {

constexpr double cooling = 0.9;

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
