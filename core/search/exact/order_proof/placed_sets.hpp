#pragma once

#include <cstdint>
#include <vector>

#include "search/exact/charged_array.hpp"
#include "varset/var.hpp"

namespace dagscape {

/// The sets of variables that were placed first in some way, each with the cheapest way known. They keep
/// their numbers, so that others can refer to them.
template <typename Set>
class PlacedSets {
  public:
    using Cost = std::int64_t;
    using Number = std::uint32_t;
    static constexpr Number none = ~Number{0};

    struct Node {
        Set placed;
        Cost cost;
        Cost rest;    // what the others cost at least
        Number from;  // the set before the last variable placed by choice; `none` at first
        std::uint16_t last;
        bool expanded;
    };

    explicit PlacedSets(Control& control) : control_(control) {}

    /// The number of a set, a new one if `fresh` says so: then the rest of its node is to be filled in.
    /// `none` if memory is over.
    Number find(const Set& placed, bool& fresh) {
        if (std::size_t{nodes_} * 3 >= slots_.size() * 2 && !grow()) return none;
        std::size_t at = home(placed, slots_.size());
        for (; slots_[at] != 0; at = at + 1 == slots_.size() ? 0 : at + 1)
            if ((*this)[slots_[at] - 1].placed == placed) {
                fresh = false;
                return slots_[at] - 1;
            }
        if (nodes_ == blocks_.size() * block && !add_block()) return none;
        fresh = true;
        slots_[at] = ++nodes_;
        (*this)[nodes_ - 1].placed = placed;
        return nodes_ - 1;
    }
    Node& operator[](Number number) { return blocks_[number / block][number % block]; }
    const Node& operator[](Number number) const { return blocks_[number / block][number % block]; }
    std::uint64_t size() const { return nodes_; }
    std::size_t bytes() const { return blocks_.size() * block * sizeof(Node) + slots_.bytes(); }

  private:
    static constexpr std::size_t block = std::size_t{1} << 14, first_slots = std::size_t{1} << 12;
    static constexpr std::size_t most = none - block;

    static std::size_t home(const Set& placed, std::size_t size) {
        std::uint64_t hash = placed.hash();
        hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93;
        // The upper half, scaled to the size.
        return static_cast<std::size_t>((hash ^ hash >> 29) >> 32) * size >> 32;
    }
    bool grow() {
        ChargedArray<Number> more(slots_.size() == 0 ? first_slots : slots_.size() * 2, control_);
        if (!more) return false;
        for (const Number used : slots_) {
            if (used == 0) continue;
            std::size_t at = home((*this)[used - 1].placed, more.size());
            while (more[at] != 0) at = at + 1 == more.size() ? 0 : at + 1;
            more[at] = used;
        }
        slots_ = std::move(more);
        return true;
    }
    bool add_block() {
        if (nodes_ >= most) {
            control_.stop(Stop::memory);
            return false;
        }
        ChargedArray<Node> more(block, control_);
        if (!more) return false;
        blocks_.push_back(std::move(more));
        return true;
    }

    Control& control_;
    std::vector<ChargedArray<Node>> blocks_;
    ChargedArray<Number> slots_;  // numbers and one; 0 where nothing is
    Number nodes_ = 0;
};

}  // namespace dagscape
