#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "search/exact/integer_program/acyclic_packing.hpp"
#include "search/exact/integer_program/families.hpp"

namespace dagscape::few {

/// The graph of families with weight, and its strongly connected sets of some size.
class Support {
  public:
    Support(const Families& families, std::span<const Families::Column> columns, std::span<const double> x)
        : families_(families.variables()), neighbors_(families.variables()) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (x[c] < 1e-7) continue;
            const Var child = families.child(columns[c]);
            families_[child].emplace_back(families.parents(columns[c]), x[c]);
            for (const Var parent : families_[child].back().first) {
                neighbors_[child].push_back(parent);
                neighbors_[parent].push_back(child);
            }
        }
        for (auto& list : neighbors_) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }
    std::size_t variables() const { return families_.size(); }
    const std::vector<Var>& neighbors(Var v) const { return neighbors_[v]; }

    /// Families with only the parents among the members, those that become alike together.
    std::vector<std::vector<Weighted>> among(const std::vector<Var>& members) const {
        std::vector<std::vector<Weighted>> result(members.size());
        for (std::size_t i = 0; i < members.size(); ++i)
            for (const auto& [parents, weight] : families_[members[i]]) {
                Set set = 0;
                for (const Var parent : parents)
                    for (std::size_t j = 0; j < members.size(); ++j)
                        if (members[j] == parent) set |= Set{1} << j;
                const auto same = std::find_if(result[i].begin(), result[i].end(),
                                               [&](const Weighted& w) { return w.parents == set; });
                if (same == result[i].end())
                    result[i].push_back({set, weight});
                else
                    same->weight += weight;
            }
        return result;
    }

  private:
    std::vector<std::vector<std::pair<std::vector<Var>, double>>> families_;
    std::vector<std::vector<Var>> neighbors_;
};

inline bool strongly_connected(const std::vector<std::vector<Weighted>>& families) {
    const std::size_t size = families.size();
    const Set all = (Set{1} << size) - 1;
    std::array<Set, 8> from{}, to{};
    for (std::size_t v = 0; v < size; ++v)
        for (const Weighted& family : families[v]) from[v] |= family.parents;
    for (std::size_t v = 0; v < size; ++v)
        for (std::size_t p = 0; p < size; ++p)
            if ((from[v] >> p & 1) != 0) to[p] |= Set{1} << v;
    for (const auto& arcs : {from, to}) {
        Set reached = 1, before = 0;
        while (reached != before) {
            before = reached;
            for (Set rest = before; rest != 0; rest &= rest - 1)
                reached |= arcs[static_cast<std::size_t>(std::countr_zero(rest))];
        }
        if (reached != all) return false;
    }
    return true;
}

/// Every connected set of so many variables once (Wernicke, Efficient detection of network motifs, 2006).
class ConnectedSets {
  public:
    ConnectedSets(const Support& support, std::size_t size, std::size_t most)
        : support_(support), size_(size), most_(most), seen_(support.variables(), 0) {}

    std::vector<std::vector<Var>> from(Var root) {
        result_.clear();
        root_ = root;
        members_ = {root};
        std::vector<Var> next;
        seen_[root] = 1;
        for (const Var v : support_.neighbors(root)) {
            ++seen_[v];
            if (v > root) next.push_back(v);
        }
        extend(next);
        seen_[root] = 0;
        for (const Var v : support_.neighbors(root)) --seen_[v];
        return std::move(result_);
    }

  private:
    void extend(std::vector<Var> next) {
        if (members_.size() == size_) {
            result_.push_back(members_);
            return;
        }
        while (!next.empty() && result_.size() < most_) {
            const Var v = next.back();
            next.pop_back();
            std::vector<Var> further = next;
            for (const Var u : support_.neighbors(v))
                if (u > root_ && seen_[u] == 0) further.push_back(u);
            for (const Var u : support_.neighbors(v)) ++seen_[u];
            members_.push_back(v);
            extend(std::move(further));
            members_.pop_back();
            for (const Var u : support_.neighbors(v)) --seen_[u];
        }
    }

    const Support& support_;
    std::size_t size_, most_;
    std::vector<int> seen_;  // how many members have it as neighbor, or are it
    Var root_ = 0;
    std::vector<Var> members_;
    std::vector<std::vector<Var>> result_;
};

}  // namespace dagscape::few
