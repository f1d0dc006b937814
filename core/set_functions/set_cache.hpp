#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Values of variable sets, shared by all searches and threads, within a limit of memory.
///
/// Each of its shards keeps two generations. New values go to the young one; when it has its half
/// of the memory, the old one is forgotten and the young one becomes old. A value found in the old
/// generation moves back to the young, so what is in use stays.
class SetCache {
  public:
    explicit SetCache(std::size_t max_bytes);

    /// `kind` tells several values of one set apart.
    std::optional<double> find(Members set, std::uint32_t kind);
    /// Returns whether the value is new.
    bool insert(Members set, std::uint32_t kind, double value);

    std::size_t entries() const;
    std::size_t bytes() const;

  private:
    /// An open-addressing hash map from sets to values; keys lie end to end in one array.
    class Generation {
      public:
        const double* find(Members set, std::uint32_t kind, std::uint64_t hash) const;
        bool insert(Members set, std::uint32_t kind, std::uint64_t hash, double value);
        std::size_t entries() const { return entries_; }
        std::size_t bytes() const {
            return slots_.capacity() * sizeof(Slot) + keys_.capacity() * sizeof(Var);
        }
        /// Whether one more value would make it larger than that many bytes.
        bool would_outgrow(std::size_t limit) const;

      private:
        struct Slot {
            std::uint64_t hash = 0;  // 0: empty
            double value = 0;
            std::size_t key = 0;  // where in keys_
            std::uint32_t kind = 0;
            std::uint32_t size = 0;
        };
        /// The slot of the set, or the empty one where it belongs. There must be an empty slot.
        std::size_t place(Members set, std::uint32_t kind, std::uint64_t hash) const;
        bool crowded() const { return (entries_ + 1) * 3 > slots_.size() * 2; }
        void grow();

        std::vector<Slot> slots_;
        std::vector<Var> keys_;
        std::size_t entries_ = 0;
    };
    struct Shard {
        mutable std::mutex mutex;
        Generation young;
        Generation old;
    };
    static constexpr std::size_t shard_count = 64;

    Shard& shard(std::uint64_t hash) { return shards_[hash >> 58]; }
    bool insert_young(Shard& shard, Members set, std::uint32_t kind, std::uint64_t hash, double value);

    std::array<Shard, shard_count> shards_;
    std::size_t generation_bytes_;  // what one generation of one shard may hold
};

}  // namespace dagscape
