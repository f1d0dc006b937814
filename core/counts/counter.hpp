#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// How often each value combination of a set of variables occurs: those that do occur, none zero.
using Counts = std::span<const std::uint32_t>;

/// Sufficient statistics of a table: the counts of one set of variables at a time.
class Counter {
  public:
    virtual ~Counter() = default;

    /// Replaces `counts` by those of `set`, in an order that depends on the data and the set alone.
    /// Safe to call from several threads.
    virtual void count(Members set, std::vector<std::uint32_t>& counts) const = 0;
};

}  // namespace dagscape
