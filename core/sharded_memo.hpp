#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace dagscape {

/// Values that several threads share, kept for when they are asked for again, up to a number of them. A shard
/// that is full forgets all it has; whoever uses a value holds on to it.
///
/// Keys are hashes. A value knows what it belongs to, so that another with the same key is not taken for it.
template <typename Value>
class ShardedMemo {
  public:
    /// How many values it may keep.
    explicit ShardedMemo(std::size_t most) : most_(most / shards + 1) {}

    /// The value with this key of which `belongs` is true; null where there is none.
    template <typename Belongs>
    std::shared_ptr<const Value> find(std::uint64_t key, const Belongs& belongs) {
        Shard& shard = shards_[key % shards];
        const std::lock_guard lock(shard.mutex);
        const auto found = shard.values.find(key);
        return found != shard.values.end() && belongs(*found->second) ? found->second : nullptr;
    }
    /// False where another thread was first.
    bool keep(std::uint64_t key, std::shared_ptr<const Value> value) {
        Shard& shard = shards_[key % shards];
        const std::lock_guard lock(shard.mutex);
        if (shard.values.size() >= most_) shard.values.clear();
        return shard.values.insert_or_assign(key, std::move(value)).second;
    }

    static constexpr std::size_t shards = 16;

  private:
    struct Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, std::shared_ptr<const Value>> values;
    };
    std::size_t most_;  // of a shard
    std::array<Shard, shards> shards_;
};

}  // namespace dagscape
