#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// An ascending set with more members, in a place of its own: on the stack while it is small.
class Inserted {
  public:
    Inserted(Members set, std::initializer_list<Var> more) : size_(set.size() + more.size()) {
        if (size_ > few_.size()) many_.resize(size_);
        Var* const begin = many_.empty() ? few_.data() : many_.data();
        Var* end = std::copy(set.begin(), set.end(), begin);
        for (const Var v : more) {
            Var* at = end++;
            for (; at != begin && *(at - 1) > v; --at) *at = *(at - 1);
            *at = v;
        }
    }
    Inserted(const Inserted&) = delete;
    Inserted& operator=(const Inserted&) = delete;

    operator Members() const { return {many_.empty() ? few_.data() : many_.data(), size_}; }

  private:
    std::size_t size_;
    std::array<Var, 24> few_;
    std::vector<Var> many_;
};

}  // namespace dagscape
