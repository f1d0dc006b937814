#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "control.hpp"

namespace dagscape {

/// Sets of variables placed first whose ways to go on were explored, or are being explored, with the least
/// cost at which they were: from the same set at no less cost there is nothing better. Any thread may ask.
template <typename Set>
class ExploredSets {
  public:
    using Cost = std::int64_t;

    explicit ExploredSets(Control& control) : control_(control) {}
    ~ExploredSets() { control_.release(size() * bytes_each); }
    ExploredSets(const ExploredSets&) = delete;
    ExploredSets& operator=(const ExploredSets&) = delete;

    bool known(const Set& placed, Cost cost) {
        Shard& shard = shard_of(placed);
        const std::lock_guard lock(shard.changing);
        const auto found = shard.costs.find(placed);
        return found != shard.costs.end() && found->second <= cost;
    }
    /// Says that it is going to be explored; false if that is not needed.
    bool add(const Set& placed, Cost cost) {
        Shard& shard = shard_of(placed);
        const std::lock_guard lock(shard.changing);
        const auto [found, fresh] = shard.costs.try_emplace(placed, cost);
        if (fresh) control_.charge(bytes_each);
        if (!fresh && found->second <= cost) return false;
        found->second = cost;
        return true;
    }
    std::size_t size() const {
        std::size_t sum = 0;
        for (const Shard& shard : shards_) sum += shard.costs.size();
        return sum;
    }

  private:
    /// About: the entry, its links and its share of the table.
    static constexpr std::size_t bytes_each = sizeof(Set) + 40;
    struct Hash {
        std::size_t operator()(const Set& set) const {
            const std::uint64_t hash = set.hash();
            return static_cast<std::size_t>(hash ^ hash >> 32);
        }
    };
    struct Shard {
        std::mutex changing;
        std::unordered_map<Set, Cost, Hash> costs;
    };
    Shard& shard_of(const Set& set) { return shards_[Hash()(set) >> 7 & (shards_.size() - 1)]; }

    Control& control_;
    std::array<Shard, 64> shards_;
};

}  // namespace dagscape
