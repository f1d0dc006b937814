#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace dagscape {

/// Values made on first use, one for each key, and found again without a lock.
///
/// Room is fixed: once a key's neighborhood is full, `get` says so and the caller computes
/// without keeping. Keys here are arities and products of them, of which data have few.
template <typename Value>
class Keyed {
  public:
    Keyed() = default;
    Keyed(const Keyed&) = delete;
    Keyed& operator=(const Keyed&) = delete;
    ~Keyed() {
        for (auto& slot : slots_) delete slot.load(std::memory_order_relaxed);
    }

    /// The value for the key, made by `make()` if it is new; null where there is no room for it.
    template <typename Make>
    const Value* get(double key, Make make) const {
        if (const auto [value, full] = look(key); value || full) return value;
        const std::lock_guard lock(making_);
        if (const auto [value, full] = look(key); value || full) return value;
        for (std::size_t probe = 0; probe < probes; ++probe) {
            auto& slot = slots_[(start(key) + probe) % size];
            if (slot.load(std::memory_order_relaxed)) continue;
            const Entry* entry = new Entry{key, make()};
            slot.store(entry, std::memory_order_release);
            return &entry->value;
        }
        return nullptr;
    }

  private:
    struct Entry {
        double key;
        Value value;
    };
    static constexpr std::size_t size = 1024;
    static constexpr std::size_t probes = 16;

    static std::size_t start(double key) {
        return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> 54);
    }
    /// The value if it is there, and whether the key's neighborhood is full of others.
    std::pair<const Value*, bool> look(double key) const {
        for (std::size_t probe = 0; probe < probes; ++probe) {
            const Entry* entry = slots_[(start(key) + probe) % size].load(std::memory_order_acquire);
            if (!entry) return {nullptr, false};
            if (entry->key == key) return {&entry->value, false};
        }
        return {nullptr, true};
    }

    mutable std::mutex making_;
    mutable std::array<std::atomic<const Entry*>, size> slots_{};
};

}  // namespace dagscape
