#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "search/exact/charged_array.hpp"

namespace dagscape {

/// The nodes to be expanded, the lowest estimate first; ties to the set with more variables, then to the
/// lower.
///
/// Most of them wait in buckets of like estimates, as sets alone; only the lowest bucket is kept in order.
/// Buckets are narrow next to the first estimate and grow wider with the distance from it. What is pushed
/// must not be lower than what was taken last, which a consistent heuristic sees to.
template <typename Set>
class OpenList {
  public:
    using Cost = std::int64_t;
    struct Entry {
        Cost estimate;
        Set placed;
    };

    OpenList(Cost least, Control& control) : control_(control), least_(least), heads_(buckets, control) {}

    /// Whether there was memory for it.
    bool push(Cost estimate, const Set& placed) {
        const std::size_t bucket = bucket_of(estimate);
        if (bucket <= current_) return push_current({estimate, placed});
        if (!heads_) return false;
        std::uint32_t& head = heads_[bucket];
        if (head == 0 || chunk(head).count == Chunk::most) {
            const std::uint32_t fresh = take_chunk();
            if (fresh == 0) return false;
            chunk(fresh).count = 0;
            chunk(fresh).next = head;
            head = fresh;
        }
        Chunk& to = chunk(head);
        to.sets[to.count++] = placed;
        return true;
    }

    /// The lowest entry. `estimate_of` gives the present estimate of a set that waited, or none if it need
    /// not be expanded any more.
    template <typename EstimateOf>
    std::optional<Entry> pop(const EstimateOf& estimate_of) {
        while (heap_.empty()) {
            out_of_memory_ = !heads_;
            if (!heads_ || ++current_ >= buckets) return std::nullopt;
            for (std::uint32_t at = heads_[current_]; at != 0;) {
                Chunk& from = chunk(at);
                for (std::uint32_t i = 0; i < from.count; ++i) {
                    const Set& placed = from.sets[i];
                    const std::optional<Cost> estimate = estimate_of(placed);
                    // A set that was reached more cheaply waits, or has waited, in an earlier bucket too.
                    if (!estimate) continue;
                    if (!hold({*estimate, placed})) {
                        out_of_memory_ = true;
                        return std::nullopt;
                    }
                }
                const std::uint32_t next = from.next;
                from.next = free_;
                free_ = at;
                at = next;
            }
            std::make_heap(heap_.begin(), heap_.end(), later);
        }
        std::pop_heap(heap_.begin(), heap_.end(), later);
        const Entry entry = heap_.back();
        heap_.pop_back();
        return entry;
    }

    /// Why nothing came: not because nothing is left.
    bool out_of_memory() const { return out_of_memory_; }
    std::size_t bytes() const {
        return heads_.bytes() + blocks_.size() * block_chunks * sizeof(Chunk) +
               heap_.capacity() * sizeof(Entry);
    }
    ~OpenList() { control_.release(heap_.capacity() * sizeof(Entry)); }
    OpenList(const OpenList&) = delete;
    OpenList& operator=(const OpenList&) = delete;

  private:
    // A distance from the least estimate as a floating-point number: exponent and so many bits.
    static constexpr unsigned fraction_bits = 8;
    static constexpr std::size_t buckets = std::size_t{65} << fraction_bits;
    struct Chunk {
        static constexpr std::uint32_t most = 248 / sizeof(Set);
        std::uint32_t next, count;
        Set sets[most];
    };
    static_assert(sizeof(Chunk) <= 256);
    static constexpr std::size_t block_chunks = 1024;

    static bool later(const Entry& a, const Entry& b) {
        return a.estimate != b.estimate
                   ? a.estimate > b.estimate
                   : std::pair(a.placed.size(), b.placed) < std::pair(b.placed.size(), a.placed);
    }
    std::size_t bucket_of(Cost estimate) const {
        const auto distance = static_cast<std::uint64_t>(estimate - std::min(estimate, least_));
        const unsigned width = static_cast<unsigned>(std::bit_width(distance));
        if (width <= fraction_bits) return static_cast<std::size_t>(distance);
        const std::uint64_t fraction = distance >> (width - fraction_bits - 1) & ((1U << fraction_bits) - 1);
        return (std::size_t{width - fraction_bits} << fraction_bits) + static_cast<std::size_t>(fraction);
    }
    Chunk& chunk(std::uint32_t number) {
        return blocks_[(number - 1) / block_chunks][(number - 1) % block_chunks];
    }
    /// 0 if memory is over.
    std::uint32_t take_chunk() {
        if (free_ != 0) {
            const std::uint32_t taken = free_;
            free_ = chunk(taken).next;
            return taken;
        }
        if (taken_ == blocks_.size() * block_chunks) {
            ChargedArray<Chunk> block(block_chunks, control_);
            if (!block) return 0;
            blocks_.push_back(std::move(block));
        }
        return ++taken_;
    }
    bool push_current(const Entry& entry) {
        if (!hold(entry)) return false;
        std::push_heap(heap_.begin(), heap_.end(), later);
        return true;
    }
    bool hold(const Entry& entry) {
        if (heap_.size() == heap_.capacity()) {
            const std::size_t before = heap_.capacity(), after = std::max<std::size_t>(256, 2 * before);
            control_.charge(after * sizeof(Entry));
            if (control_.why() == Stop::memory) {
                control_.release(after * sizeof(Entry));
                return false;
            }
            heap_.reserve(after);
            control_.release(before * sizeof(Entry));
        }
        heap_.push_back(entry);
        return true;
    }

    Control& control_;
    Cost least_;
    ChargedArray<std::uint32_t> heads_;  // the first chunk of each bucket; 0 for none
    std::vector<ChargedArray<Chunk>> blocks_;
    std::uint32_t taken_ = 0, free_ = 0;
    std::size_t current_ = 0;
    bool out_of_memory_ = false;
    std::vector<Entry> heap_;  // of the current bucket
};

}  // namespace dagscape
