#include "set_functions/set_cache.hpp"

#include <algorithm>
#include <utility>

namespace dagscape {

namespace {

std::uint64_t hash_of(Members set, std::uint32_t kind) {
    std::uint64_t hash = 0x9E3779B97F4A7C15u ^ kind;
    for (const Var v : set) {
        hash = (hash ^ v) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    hash *= 0xD6E8FEB86659FD93u;
    hash ^= hash >> 29;
    return hash | 1;  // 0 marks an empty slot
}

}  // namespace

SetCache::SetCache(std::size_t max_bytes) : generation_bytes_(max_bytes / shard_count / 2) {}

std::size_t SetCache::Generation::place(Members set, std::uint32_t kind, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (hash >> 8) & mask;; at = (at + 1) & mask) {
        const Slot& slot = slots_[at];
        if (slot.hash == 0) return at;
        if (slot.hash == hash && slot.kind == kind && slot.size == set.size() &&
            std::equal(set.begin(), set.end(), keys_.begin() + static_cast<std::ptrdiff_t>(slot.key)))
            return at;
    }
}

const double* SetCache::Generation::find(Members set, std::uint32_t kind, std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(set, kind, hash)];
    return slot.hash == 0 ? nullptr : &slot.value;
}

bool SetCache::Generation::insert(Members set, std::uint32_t kind, std::uint64_t hash, double value) {
    if (crowded()) grow();
    Slot& slot = slots_[place(set, kind, hash)];
    if (slot.hash != 0) return false;  // another thread was first, with the same value
    slot = {hash, value, keys_.size(), kind, static_cast<std::uint32_t>(set.size())};
    keys_.insert(keys_.end(), set.begin(), set.end());
    ++entries_;
    return true;
}

bool SetCache::Generation::would_outgrow(std::size_t limit) const {
    return bytes() + (crowded() ? slots_.size() * sizeof(Slot) : 0) > limit;
}

void SetCache::Generation::grow() {
    std::vector<Slot> smaller = std::exchange(slots_, {});
    slots_.resize(std::max<std::size_t>(64, smaller.size() * 2));
    for (const Slot& slot : smaller)
        if (slot.hash != 0)
            slots_[place(Members(keys_).subspan(slot.key, slot.size), slot.kind, slot.hash)] = slot;
}

std::optional<double> SetCache::find(Members set, std::uint32_t kind) {
    const std::uint64_t hash = hash_of(set, kind);
    Shard& here = shard(hash);
    const std::lock_guard lock(here.mutex);
    if (const double* value = here.young.find(set, kind, hash)) return *value;
    if (const double* value = here.old.find(set, kind, hash)) {
        const double kept = *value;  // the old generation may go when the young one is full
        insert_young(here, set, kind, hash, kept);
        return kept;
    }
    return std::nullopt;
}

bool SetCache::insert(Members set, std::uint32_t kind, double value) {
    const std::uint64_t hash = hash_of(set, kind);
    Shard& here = shard(hash);
    const std::lock_guard lock(here.mutex);
    return insert_young(here, set, kind, hash, value);
}

bool SetCache::insert_young(Shard& here, Members set, std::uint32_t kind, std::uint64_t hash, double value) {
    if (here.young.entries() > 0 && here.young.would_outgrow(generation_bytes_))
        here.old = std::exchange(here.young, {});
    return here.young.insert(set, kind, hash, value);
}

std::size_t SetCache::entries() const {
    std::size_t total = 0;
    for (const Shard& one : shards_) {
        const std::lock_guard lock(one.mutex);
        total += one.young.entries() + one.old.entries();
    }
    return total;
}

std::size_t SetCache::bytes() const {
    std::size_t total = 0;
    for (const Shard& one : shards_) {
        const std::lock_guard lock(one.mutex);
        total += one.young.bytes() + one.old.bytes();
    }
    return total;
}

}  // namespace dagscape
