#pragma once

#include <array>
#include <cstdint>

#include "search/exact/charged_array.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// A set of variables placed so far, with the cheapest way known to place them: 16 bytes.
class OrderNode {
  public:
    static constexpr unsigned cost_bits = 56;

    bool used() const { return (state_ & 1) != 0; }
    bool closed() const { return (state_ & 2) != 0; }
    void close() { state_ |= 2; }
    VarSet placed() const { return VarSet(placed_); }
    /// The variable that was placed last by choice; those it made free of cost came after it.
    Var last() const { return static_cast<Var>(state_ >> 2 & 63); }
    std::uint64_t cost() const { return state_ >> 8; }
    /// Open, and reached in this way.
    void reach(VarSet placed, std::uint64_t cost, Var last) {
        placed_ = placed.bits();
        state_ = cost << 8 | static_cast<std::uint64_t>(last) << 2 | 1;
    }

  private:
    std::uint64_t placed_;
    std::uint64_t state_;
};
static_assert(sizeof(OrderNode) == 16);

/// The nodes of the order graph that were reached, in open addressing. It lies in shards which grow one
/// after the other by half, so that growing needs little more memory than what it ends with.
class OrderTable {
  public:
    explicit OrderTable(Control& control) : control_(control) {}

    /// Where the node is, or would be put: free until it is reached. Null if memory is over. A place is
    /// good until the next one is asked for.
    OrderNode* find(VarSet placed) {
        const std::uint64_t hash = hash_of(placed);
        Shard& shard = shards_[hash >> (64 - shard_bits)];
        if (shard.nodes >= shard.room && !grow(shard)) return nullptr;
        return probe(shard.slots, hash, placed);
    }
    const OrderNode* known(VarSet placed) const {
        const std::uint64_t hash = hash_of(placed);
        const Shard& shard = shards_[hash >> (64 - shard_bits)];
        if (!shard.slots) return nullptr;
        const OrderNode* node = probe(shard.slots, hash, placed);
        return node->used() ? node : nullptr;
    }
    /// Says that a free place was filled.
    void added(VarSet placed) {
        ++shards_[hash_of(placed) >> (64 - shard_bits)].nodes;
        ++nodes_;
    }
    /// Asks the memory for a place that will be looked at soon.
    void prefetch(VarSet placed) const {
#ifdef __GNUC__
        const std::uint64_t hash = hash_of(placed);
        const Shard& shard = shards_[hash >> (64 - shard_bits)];
        if (shard.slots) __builtin_prefetch(&shard.slots[home(hash, shard.slots.size())]);
#endif
    }

    std::uint64_t nodes() const { return nodes_; }
    std::size_t bytes() const { return bytes_; }
    template <typename Visit>
    void for_each(const Visit& visit) const {
        for (const Shard& shard : shards_)
            for (const OrderNode& node : shard.slots)
                if (node.used()) visit(node);
    }

  private:
    static constexpr unsigned shard_bits = 7;
    static constexpr std::size_t smallest = 32;
    struct Shard {
        ChargedArray<OrderNode> slots;
        std::size_t nodes = 0;
        std::size_t room = 0;  // nodes it may hold before it grows
    };

    static std::uint64_t hash_of(VarSet set) {
        std::uint64_t hash = set.bits() * 0x9e3779b97f4a7c15;
        hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
        return hash ^ hash >> 29;
    }
    /// The bits that did not choose the shard, scaled to the size of the shard.
    static std::size_t home(std::uint64_t hash, std::size_t size) {
        const std::uint64_t share = hash << shard_bits >> 32;
        return static_cast<std::size_t>(share * size >> 32);
    }
    template <typename Slots>
    static auto probe(Slots& slots, std::uint64_t hash, VarSet placed) -> decltype(slots.data()) {
        for (std::size_t at = home(hash, slots.size());;) {
            auto* slot = slots.data() + at;
            if (!slot->used() || slot->placed() == placed) return slot;
            if (++at == slots.size()) at = 0;
        }
    }

    bool grow(Shard& shard) {
        const std::size_t size = shard.slots.size() < smallest ? smallest : shard.slots.size() / 2 * 3;
        ChargedArray<OrderNode> larger(size, control_);
        if (!larger) return false;
        for (const OrderNode& node : shard.slots)
            if (node.used()) *probe(larger, hash_of(node.placed()), node.placed()) = node;
        bytes_ += larger.bytes() - shard.slots.bytes();
        shard.slots = std::move(larger);
        shard.room = size / 5 * 4;
        return true;
    }

    Control& control_;
    std::array<Shard, std::size_t{1} << shard_bits> shards_;
    std::uint64_t nodes_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace dagscape
