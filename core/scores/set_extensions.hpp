#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "counts/extension_counts.hpp"
#include "scores/block_scores.hpp"

namespace dagscape {

/// The score's function of a set, and of the set with each one more variable.
struct SetExtension {
    std::vector<Var> set;      // ascending
    double value = 0;          // joint(set)
    std::vector<double> with;  // joint(set ∪ {v}) by variable, for those that are not in it
    /// None of these values is farther than this from what the scorer says of the same set.
    double error = 0;

    /// Whether they could be counted side by side.
    bool known() const { return !with.empty(); }
};

/// Extensions of sets, kept for when they are asked for again. All threads share them. Values are functions
/// of the data and the set alone, and differ from `Scorer::joint` by rounding only, so what is kept changes
/// no result.
///
/// The gain of a parent X for Y with parents P is with(P ∪ {Y})[X] − with(P)[X] − (value(P ∪ {Y}) −
/// value(P)): two extensions tell it for all X, and each set is the family of all its members.
class SetExtensions {
  public:
    /// The table and the score must outlive this; the score must be equivalent.
    SetExtensions(const Table& table, const Score& score, std::size_t max_bytes);

    static bool suits(const Table& table, const Score& score) {
        return score.equivalent() && table.variables() > 0 && ExtensionCounts::suits(table);
    }

  private:
    friend class SetExtensionMaker;
    static constexpr std::size_t shards = 16;
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, std::shared_ptr<const SetExtension>> sets;
    };
    std::shared_ptr<const SetExtension> find(Members set, std::uint64_t key);
    void keep(const std::shared_ptr<const SetExtension>& extension, std::uint64_t key);

    const Table& table_;
    const Score& score_;
    const ExtensionCounts counts_;
    const BlockScores block_scores_;
    std::uint32_t largest_arity_ = 1;
    std::size_t most_;  // of a shard
    std::array<Shard, shards> shards_;
};

/// Finds extensions, and counts those that are not there. For one thread.
class SetExtensionMaker {
  public:
    explicit SetExtensionMaker(SetExtensions& shared) : shared_(shared), counts_(shared.counts_) {}

    /// Of a set in ascending order.
    std::shared_ptr<const SetExtension> operator()(Members set);

  private:
    void count(SetExtension& extension);
    void fill(SetExtension& extension, const SetBlock& block, double combinations);
    double error_of(double combinations) const;

    SetExtensions& shared_;
    ExtensionCounts counts_;
    std::vector<double> joint_;  // by position
};

}  // namespace dagscape
