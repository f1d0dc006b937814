#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "control.hpp"
#include "instructions.hpp"
#include "varset/var.hpp"
#include "varset/wanted_sets.hpp"

namespace dagscape {

/// How a walk goes about it, for tests and benchmarks: functions of counts have two ways, others one.
enum class WalkWay { cheapest, bitmaps, rows };

struct WalkOptions {
    WalkWay way = WalkWay::cheapest;
    Instructions instructions = best_instructions();
};

/// The values of all sets that add one more variable to a prefix, side by side.
///
/// Walks take variables in an order of their own; a position is a place in it.
class ValueBlock {
  public:
    ValueBlock(std::span<const std::size_t> positions, std::size_t lowest, std::size_t end)
        : prefix(positions), from(lowest), below(end) {}
    virtual ~ValueBlock() = default;

    const std::span<const std::size_t> prefix;  // positions, descending
    const std::size_t from, below;              // the last variable takes every position between

    /// values[v] = joint(prefix ∪ {v}) for those positions.
    virtual void joint(double* values) const = 0;
    /// values[v] = given(X, prefix ∪ {v}), for children X of this kind.
    virtual void given(std::uint32_t kind, double* values) const = 0;
};

/// Sees every block once, from several threads at a time.
class ValueVisitor {
  public:
    virtual ~ValueVisitor() = default;
    virtual void visit(const ValueBlock& block, std::size_t worker) = 0;
};

/// Values of all sets of one size after another, the smaller sizes first.
class ValueWalk {
  public:
    virtual ~ValueWalk() = default;

    /// The variables, by position.
    virtual const std::vector<Var>& order() const = 0;
    /// Shows the blocks of all sets of this size, or at least of those that are wanted; all smaller sizes
    /// must have been walked, and kept. `keep`: larger sizes will be asked for, and all sets are wanted.
    /// Which thread does what changes no number. Where `control` stops the walk, some blocks are not shown,
    /// and no larger size may be asked for.
    virtual void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads,
                     Control& control, ValueVisitor& visitor) = 0;
    /// Memory in use.
    virtual std::size_t bytes() const = 0;

    /// Nanoseconds that all sets of this size take, about, and one set on its own; only their ratios matter.
    virtual double cost(std::size_t size) const = 0;
    virtual double single_cost(std::size_t size) const = 0;
    /// Bytes that are kept of sets of this size for larger ones.
    virtual double kept_bytes(std::size_t size) const = 0;
    /// How sets of this size are done, in a word.
    virtual std::string_view way(std::size_t size) const = 0;
};

}  // namespace dagscape
