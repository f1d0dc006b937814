#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "set_functions/set_cache.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

class SetExtensions;

/// A function of sets with a cache in front: what every search asks. Values of sets are computed once and
/// shared by all threads. Where children are of several kinds, there is one of these for each, with a cache
/// of its own.
class Scorer {
  public:
    /// `free`: variables that others may have as parents, and that are given themselves, such as columns of
    /// the past. They have no parents, and no score.
    Scorer(std::shared_ptr<const SetFunction> function, std::size_t cache_bytes, Members free = {});

    /// The score of the child with these parents, given in ascending order and without the child.
    /// That of a free variable is 0.
    double local(Var child, Members parents) const { return free_[child] ? 0 : relation(child, parents); }
    /// The same, of free variables too.
    double relation(Var child, Members parents) const;
    bool free(Var child) const { return free_[child]; }
    /// The function of one set; not to be asked for where there are several kinds.
    double joint(Members set) const;
    /// One for each kind of children; none where all are of one.
    const std::vector<std::unique_ptr<Scorer>>& of_kinds() const { return of_kinds_; }

    /// Sets with every one more variable at once, for searches that ask about all of them; made on first use.
    /// Null where the function has no such thing, or is not equivalent.
    SetExtensions* extensions() const;

    const SetFunction& function() const { return *function_; }
    std::size_t variables() const { return function_->variables(); }
    std::size_t cache_entries() const;
    std::size_t cache_bytes() const;
    /// How often a set's value had to be computed.
    std::uint64_t sets_counted() const;

  private:
    double given(Var child, Members parents) const;
    template <typename Value>
    double cached(Members set, std::uint32_t kind, const Value& value) const;

    std::shared_ptr<const SetFunction> function_;
    std::size_t cache_bytes_;
    std::vector<bool> free_;
    std::vector<std::unique_ptr<Scorer>> of_kinds_;
    mutable SetCache cache_;
    mutable std::once_flag extended_;
    mutable std::shared_ptr<SetExtensions> extensions_;
    mutable std::atomic<std::uint64_t> counted_ = 0;
};

}  // namespace dagscape
