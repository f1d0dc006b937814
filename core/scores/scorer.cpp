#include "scores/scorer.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "scores/set_extensions.hpp"

namespace dagscape {

Scorer::Scorer(std::shared_ptr<const Table> table, std::shared_ptr<const Counter> counter,
               std::shared_ptr<const Score> score, std::size_t cache_bytes)
    : table_(std::move(table)),
      counter_(std::move(counter)),
      tables_(std::move(score), table_->cases()),
      cache_bytes_(cache_bytes),
      cache_(cache_bytes) {}

SetExtensions* Scorer::extensions() const {
    std::call_once(extended_, [&] {
        if (SetExtensions::suits(*table_, score()))
            extensions_ = std::make_shared<SetExtensions>(*table_, score(), cache_bytes_ / 4);
    });
    return extensions_.get();
}

double Scorer::local(Var child, Members parents) const {
    assert(std::is_sorted(parents.begin(), parents.end()));
    thread_local std::vector<Var> family;
    family.assign(parents.begin(), parents.end());
    family.insert(std::lower_bound(family.begin(), family.end(), child), child);
    return joint(family) - given(parents, table_->arity(child));
}

double Scorer::joint(Members set) const {
    return cached(set, 0, [&](Counts counts) { return tables_.joint(counts, table_->combinations(set)); });
}

double Scorer::given(Members parents, std::uint32_t child_arity) const {
    if (score().equivalent()) return joint(parents);
    return cached(parents, child_arity, [&](Counts counts) { return tables_.given(counts, child_arity); });
}

/// Kind 0 is the joint value; a child's arity, which is at least 1, tells the others apart.
template <typename Value>
double Scorer::cached(Members set, std::uint32_t kind, const Value& value) const {
    if (const auto known = cache_.find(set, kind)) return *known;
    thread_local std::vector<std::uint32_t> counts;
    counter_->count(set, counts);
    const double fresh = value(counts);
    // Two threads may count the same set at once; that is one set counted.
    if (cache_.insert(set, kind, fresh)) counted_.fetch_add(1, std::memory_order_relaxed);
    return fresh;
}

}  // namespace dagscape
