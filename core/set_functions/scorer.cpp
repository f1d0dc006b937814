#include "set_functions/scorer.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "set_functions/set_extensions.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

Scorer::Scorer(std::shared_ptr<const SetFunction> function, std::size_t cache_bytes, Members free)
    : function_(std::move(function)),
      cache_bytes_(cache_bytes),
      free_(function_->variables()),
      cache_(cache_bytes) {
    for (const Var v : free) free_[v] = true;
    if (const std::uint32_t kinds = function_->kinds(); kinds > 1)
        for (std::uint32_t kind = 0; kind < kinds; ++kind)
            of_kinds_.push_back(
                std::make_unique<Scorer>(function_->of_kind(kind), cache_bytes / kinds, free));
}

SetExtensions* Scorer::extensions() const {
    std::call_once(extended_, [&] {
        if (!function_->equivalent()) return;
        if (auto extender = function_->extender())
            extensions_ = std::make_shared<SetExtensions>(std::move(extender), variables(), cache_bytes_ / 4);
    });
    return extensions_.get();
}

double Scorer::relation(Var child, Members parents) const {
    assert(std::is_sorted(parents.begin(), parents.end()));
    if (!of_kinds_.empty()) return of_kinds_[function_->kind(child)]->relation(child, parents);
    return joint(Inserted(parents, {child})) - given(child, parents);
}

double Scorer::joint(Members set) const {
    assert(of_kinds_.empty());
    return cached(set, 0, [&] { return function_->joint(set); });
}

double Scorer::given(Var child, Members parents) const {
    const std::uint32_t kind = function_->given_kind(child);
    if (kind == 0) return joint(parents);
    return cached(parents, kind, [&] { return function_->given(child, parents); });
}

std::size_t Scorer::cache_entries() const {
    std::size_t entries = cache_.entries();
    for (const auto& one : of_kinds_) entries += one->cache_entries();
    return entries;
}

std::size_t Scorer::cache_bytes() const {
    std::size_t bytes = cache_.bytes();
    for (const auto& one : of_kinds_) bytes += one->cache_bytes();
    return bytes;
}

std::uint64_t Scorer::sets_counted() const {
    std::uint64_t counted = counted_.load(std::memory_order_relaxed);
    for (const auto& one : of_kinds_) counted += one->sets_counted();
    return counted;
}

template <typename Value>
double Scorer::cached(Members set, std::uint32_t kind, const Value& value) const {
    if (const auto known = cache_.find(set, kind)) return *known;
    const double fresh = value();
    // Two threads may compute the same value at once; that is one set counted.
    if (cache_.insert(set, kind, fresh)) counted_.fetch_add(1, std::memory_order_relaxed);
    return fresh;
}

}  // namespace dagscape
