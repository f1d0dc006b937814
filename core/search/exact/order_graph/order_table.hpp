#pragma once

#include <array>
#include <cstdint>

#include "search/exact/charged_array.hpp"
#include "varset/fixed_set.hpp"
#include "varset/var_set.hpp"

namespace dagscape {

/// A set of variables placed so far, with the cheapest way known to place them: a word beyond the set.
template <typename Set>
class OrderNode {
  public:
    using Cost = std::int64_t;
    static constexpr unsigned cost_bits = 54;

    bool used() const { return (state_ & 1) != 0; }
    bool closed() const { return (state_ & 2) != 0; }
    void close() { state_ |= 2; }
    const Set& placed() const { return placed_; }
    /// The variable that was placed last by choice; those it made free of cost came after it.
    Var last() const { return static_cast<Var>(state_ >> 2 & 255); }
    Cost cost() const { return static_cast<Cost>(state_ >> 10); }
    /// Open, and reached in this way.
    void reach(const Set& placed, Cost cost, Var last) {
        placed_ = placed;
        state_ = static_cast<std::uint64_t>(cost) << 10 | static_cast<std::uint64_t>(last) << 2 | 1;
    }

  private:
    Set placed_;
    std::uint64_t state_;
};
static_assert(sizeof(OrderNode<VarSet>) == 16);
static_assert(sizeof(OrderNode<FixedSet<4>>) == 40);

/// The nodes of the order graph that were reached, in open addressing. It lies in shards which grow one
/// after the other by half, so that growing needs little more memory than what it ends with.
template <typename Set>
class OrderTable {
  public:
    using Node = OrderNode<Set>;

    explicit OrderTable(Control& control) : control_(control) {}

    /// Where the node is, or would be put: free until it is reached. Null if memory is over. A place is
    /// good until the next one is asked for.
    Node* find(const Set& placed) {
        const std::uint64_t hash = hash_of(placed);
        Shard& shard = shards_[hash >> (64 - shard_bits)];
        if (shard.nodes >= shard.room && !grow(shard)) return nullptr;
        return probe(shard.slots, hash, placed);
    }
    const Node* known(const Set& placed) const {
        const std::uint64_t hash = hash_of(placed);
        const Shard& shard = shards_[hash >> (64 - shard_bits)];
        if (!shard.slots) return nullptr;
        const Node* node = probe(shard.slots, hash, placed);
        return node->used() ? node : nullptr;
    }
    /// Says that a free place was filled.
    void added(const Set& placed) {
        ++shards_[hash_of(placed) >> (64 - shard_bits)].nodes;
        ++nodes_;
    }
    /// Asks the memory for a place that will be looked at soon.
    void prefetch(const Set& placed) const {
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
            for (const Node& node : shard.slots)
                if (node.used()) visit(node);
    }

  private:
    static constexpr unsigned shard_bits = 7;
    static constexpr std::size_t smallest = 32;
    struct Shard {
        ChargedArray<Node> slots;
        std::size_t nodes = 0;
        std::size_t room = 0;  // nodes it may hold before it grows
    };

    static std::uint64_t hash_of(const Set& set) {
        std::uint64_t hash = set.hash();
        hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
        return hash ^ hash >> 29;
    }
    /// The bits that did not choose the shard, scaled to the size of the shard.
    static std::size_t home(std::uint64_t hash, std::size_t size) {
        const std::uint64_t share = hash << shard_bits >> 32;
        return static_cast<std::size_t>(share * size >> 32);
    }
    template <typename Slots>
    static auto probe(Slots& slots, std::uint64_t hash, const Set& placed) -> decltype(slots.data()) {
        for (std::size_t at = home(hash, slots.size());;) {
            auto* slot = slots.data() + at;
            if (!slot->used() || slot->placed() == placed) return slot;
            if (++at == slots.size()) at = 0;
        }
    }

    bool grow(Shard& shard) {
        const std::size_t size = shard.slots.size() < smallest ? smallest : shard.slots.size() / 2 * 3;
        ChargedArray<Node> larger(size, control_);
        if (!larger) return false;
        for (const Node& node : shard.slots)
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
