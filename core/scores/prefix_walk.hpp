#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "set_functions/value_walk.hpp"

namespace dagscape {

/// One thread's way down the tree of sets of a size, positions descending. A `Prefix` knows what a set tells
/// of those that follow:
///
///     void push(std::size_t position);          one more
///     void shorten(std::size_t size);           back to so many
///     void show(std::span<const std::size_t> positions, std::size_t end, ValueVisitor&, std::size_t worker);
template <class Prefix>
class PrefixDescent {
  public:
    PrefixDescent(Prefix prefix, std::size_t size, const WantedSets& wanted, Control& control,
                  ValueVisitor& visitor, std::size_t worker)
        : prefix_(std::move(prefix)),
          size_(size),
          wanted_(wanted),
          control_(control),
          visitor_(visitor),
          worker_(worker) {}

    void below(std::size_t top) {
        positions_.clear();
        prefix_.shorten(0);
        push(top);
    }
    void show(std::size_t end) { prefix_.show(positions_, end, visitor_, worker_); }

  private:
    void push(std::size_t position) {
        positions_.push_back(position);
        prefix_.push(position);
        if (positions_.size() + 1 == size_) {
            show(position);
        } else {
            // Each variable still to come needs a position below the one before it.
            const std::size_t least = size_ - 1 - positions_.size();
            for (std::size_t next = position; next-- > least;) {
                if (control_.stopped()) break;
                if (positions_.size() == 1 && !wanted_.mine(positions_.front(), next)) continue;
                push(next);
            }
        }
        positions_.pop_back();
        prefix_.shorten(positions_.size());
    }

    Prefix prefix_;
    std::size_t size_;
    const WantedSets& wanted_;
    Control& control_;
    ValueVisitor& visitor_;
    std::size_t worker_;
    std::vector<std::size_t> positions_;
};

/// Shows all sets of a size of n positions; `make()` is an empty prefix.
template <class Make>
void walk_prefixes(std::size_t n, std::size_t size, const WantedSets& wanted, std::size_t threads,
                   Control& control, ValueVisitor& visitor, Make make) {
    using Descent = PrefixDescent<decltype(make())>;
    if (size == 1) {
        Descent(make(), size, wanted, control, visitor, 0).show(n);
        return;
    }
    std::vector<std::optional<Descent>> descents(threads);
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const std::size_t top = n - 1 - task;  // the highest position has most sets below it
        if (top < size - 1 || (size == 2 && !wanted.mine(top))) return;
        if (!descents[worker]) descents[worker].emplace(make(), size, wanted, control, visitor, worker);
        descents[worker]->below(top);
        control.advance(1.0 / static_cast<double>(n));
    });
}

}  // namespace dagscape
