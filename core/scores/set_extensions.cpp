#include "scores/set_extensions.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace dagscape {

namespace {

/// Far below where the scorer refuses a set.
constexpr double most_combinations = 1e100;

std::uint64_t key_of(Members set) {
    std::uint64_t key = 0x9e3779b97f4a7c15;
    for (const Var v : set) {
        key = (key ^ v) * 0xd6e8feb86659fd93;
        key ^= key >> 32;
    }
    return key;
}

}  // namespace

SetExtensions::SetExtensions(const Table& table, const Score& score, std::size_t max_bytes)
    : table_(table),
      score_(score),
      counts_(table, best_instructions()),
      block_scores_(counts_.order(), score),
      most_(max_bytes / shards / (sizeof(SetExtension) + 150 + table.variables() * sizeof(double)) + 1) {
    assert(suits(table, score));
    for (std::size_t v = 0; v < table.variables(); ++v)
        largest_arity_ = std::max(largest_arity_, table.arity(static_cast<Var>(v)));
}

std::shared_ptr<const SetExtension> SetExtensions::find(Members set, std::uint64_t key) {
    Shard& shard = shards_[key % shards];
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.sets.find(key);
    if (found == shard.sets.end()) return nullptr;
    return std::equal(set.begin(), set.end(), found->second->set.begin(), found->second->set.end())
               ? found->second
               : nullptr;
}

void SetExtensions::keep(const std::shared_ptr<const SetExtension>& extension, std::uint64_t key) {
    Shard& shard = shards_[key % shards];
    const std::lock_guard lock(shard.mutex);
    if (shard.sets.size() >= most_) shard.sets.clear();
    shard.sets.insert_or_assign(key, extension);
}

std::shared_ptr<const SetExtension> SetExtensionMaker::operator()(Members set) {
    assert(std::is_sorted(set.begin(), set.end()));
    const std::uint64_t key = key_of(set);
    if (auto known = shared_.find(set, key)) return known;
    auto extension = std::make_shared<SetExtension>();
    extension->set.assign(set.begin(), set.end());
    count(*extension);
    shared_.keep(extension, key);
    return extension;
}

void SetExtensionMaker::count(SetExtension& extension) {
    const Table& table = shared_.table_;
    double combinations = 1;
    for (const Var v : extension.set) combinations *= table.arity(v);
    if (combinations > most_combinations) return;
    if (extension.set.empty()) {
        const ItemOrder& order = counts_.order();
        const std::uint32_t all = order.cases;
        fill(extension, {{}, order.positions(), 1, &all, order.count.data(), order.items()}, combinations);
    } else if (counts_.count(extension.set.front(), Members(extension.set).subspan(1))) {
        fill(extension, counts_.family(), combinations);
    }
}

void SetExtensionMaker::fill(SetExtension& extension, const SetBlock& block, double combinations) {
    const ItemOrder& order = counts_.order();
    joint_.resize(order.positions());
    shared_.block_scores_.joint(block, joint_.data());
    extension.value = shared_.block_scores_.prefix(block);
    extension.with.resize(order.positions());
    for (std::size_t position = 0; position < joint_.size(); ++position)
        extension.with[order.variable[position]] = joint_[position];
    extension.error = error_of(combinations);
}

/// A sum of m terms is off by at most m roundings of the sum of their sizes. Terms are at most those of m
/// single cases and of all cases together: a likelihood's grow with the cases, a marginal likelihood's are
/// negative for the first case of a cell alone. Here and in the scorer terms are added in other orders.
double SetExtensionMaker::error_of(double combinations) const {
    const auto cases = static_cast<double>(counts_.order().cases);
    double most = 0;
    for (const double q : {combinations, combinations * shared_.largest_arity_}) {
        const double cells = std::min(cases, q) + 8;
        const double size = std::abs(shared_.block_scores_.constant(q)) +
                            cells * std::abs(shared_.score_.cell(1, q)) +
                            std::abs(shared_.score_.cell(cases, q));
        most = std::max(most, std::ldexp(cells * size, -51));
    }
    return most;
}

}  // namespace dagscape
