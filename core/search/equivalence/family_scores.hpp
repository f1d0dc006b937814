#pragma once

#include <cstdint>
#include <vector>

#include "set_functions/scorer.hpp"

namespace dagscape {

/// The scores that one run asks for again and again, in front of the cache that all runs share: a table of
/// fixed size in which a new family takes the place of an old one. For one thread.
template <typename Set>
class FamilyScores {
  public:
    /// With variables given, ascending, they alone are asked about, by their places among them.
    explicit FamilyScores(const Scorer& scorer, Members variables = {})
        : scorer_(scorer), variables_(variables), entries_(std::size_t{1} << bits) {}

    const Scorer& scorer() const { return scorer_; }
    /// Whether all variables of the table are asked about.
    bool all() const { return variables_.empty(); }
    double operator()(Var child, const Set& parents) {
        const std::uint64_t key = (parents.hash() ^ child) * 0xd6e8feb86659fd93;
        Entry& entry = entries_[key >> (64 - bits)];
        if (entry.child != child || entry.parents != parents) {
            members_.assign(parents.begin(), parents.end());
            if (variables_.empty()) {
                entry = {parents, scorer_.local(child, members_), child};
            } else {
                for (Var& v : members_) v = variables_[v];
                entry = {parents, scorer_.local(variables_[child], members_), child};
            }
        }
        return entry.score;
    }

  private:
    static constexpr int bits = 12;
    struct Entry {
        Set parents{};
        double score = 0;
        std::uint32_t child = ~std::uint32_t{0};
    };
    const Scorer& scorer_;
    Members variables_;
    std::vector<Entry> entries_;
    std::vector<Var> members_;
};

}  // namespace dagscape
