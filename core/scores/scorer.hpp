#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "counts/counter.hpp"
#include "data/table.hpp"
#include "scores/score_tables.hpp"
#include "scores/set_cache.hpp"

namespace dagscape {

class SetExtensions;

/// A score on a table: what every search asks. Values of sets are computed once and kept in a cache
/// that all threads share.
class Scorer {
  public:
    Scorer(std::shared_ptr<const Table> table, std::shared_ptr<const Counter> counter,
           std::shared_ptr<const Score> score, std::size_t cache_bytes);

    /// The score of the child with these parents, given in ascending order and without the child.
    double local(Var child, Members parents) const;
    /// The score's function of one set; see `Score`.
    double joint(Members set) const;

    /// That function of a set with so many value combinations and these counts, in any order and with zeros.
    double joint_of(Counts counts, double combinations) const {
        return tables_.joint_in_any_order(counts, combinations);
    }

    /// Sets with every one more variable at once, for searches that ask about all of them; made on first use.
    /// Null where the table or the score does not suit that.
    SetExtensions* extensions() const;

    const Table& table() const { return *table_; }
    const Score& score() const { return tables_.score(); }
    const SetCache& cache() const { return cache_; }
    /// How often a set had to be counted.
    std::uint64_t sets_counted() const { return counted_.load(std::memory_order_relaxed); }

  private:
    double given(Members parents, std::uint32_t child_arity) const;
    template <typename Value>
    double cached(Members set, std::uint32_t kind, const Value& value) const;

    std::shared_ptr<const Table> table_;
    std::shared_ptr<const Counter> counter_;
    ScoreTables tables_;
    std::size_t cache_bytes_;
    mutable SetCache cache_;
    mutable std::once_flag extended_;
    mutable std::shared_ptr<SetExtensions> extensions_;
    mutable std::atomic<std::uint64_t> counted_ = 0;
};

}  // namespace dagscape
