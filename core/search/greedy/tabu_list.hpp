#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// A number for each arc, drawn once and for all; a network is the exclusive or of its arcs' (Zobrist 1970).
inline std::uint64_t arc_key(Var from, Var to) {
    std::uint64_t z = (std::uint64_t{from} << 16 | to) * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/// The networks visited last, by their keys: two different ones are taken for one with a chance of 2^-64.
class TabuList {
  public:
    explicit TabuList(std::size_t length) : length_(length) {}

    bool has(std::uint64_t key) const { return length_ > 0 && members_.contains(key); }
    void push(std::uint64_t key) {
        if (length_ == 0) return;
        if (keys_.size() < length_) {
            keys_.push_back(key);
        } else {
            members_.erase(keys_[next_]);
            keys_[next_] = key;
            next_ = (next_ + 1) % length_;
        }
        members_.insert(key);
    }

  private:
    std::size_t length_;
    std::size_t next_ = 0;             // the oldest, once the list is full
    std::vector<std::uint64_t> keys_;  // distinct, since none of them is visited again
    std::unordered_set<std::uint64_t> members_;
};

}  // namespace dagscape
