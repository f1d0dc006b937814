#include "gaps/completed_extender.hpp"

#include <algorithm>
#include <cmath>

#include "varset/inserted.hpp"

namespace dagscape {

namespace {

std::uint64_t key_of(Members set) {
    std::uint64_t key = 0x9e3779b97f4a7c15;
    for (const Var v : set) {
        key = (key ^ v) * 0xd6e8feb86659fd93;
        key ^= key >> 32;
    }
    return key;
}

}  // namespace

CompletedExtender::CompletedExtender(const CompletedFunction& function)
    : function_(function),
      memo_(std::make_shared<ShardedMemo<SetExtension>>(
          bytes / (sizeof(SetExtension) + 150 + function.variables() * sizeof(double)))),
      counts_(function.completions()) {}

void CompletedExtender::extend(SetExtension& extension) {
    others_.clear();
    for (std::size_t i = 0; i < function_.variables(); ++i)
        if (const auto v = static_cast<Var>(i); !std::ranges::binary_search(extension.set, v))
            others_.push_back(v);
    if (!extend_some(extension.set, others_)) return;
    const GapTable& table = function_.table();
    const double combinations = table.combinations(extension.set);
    extension.value = function_.of_counts(counts_.own(), extension.set.size(), combinations, occurring_);
    extension.with.assign(function_.variables(), 0.0);
    double widest = 1;
    for (std::size_t i = 0; i < others_.size(); ++i) {
        extension.with[others_[i]] = joint_[i];
        widest = std::max<double>(widest, table.arity(others_[i]));
    }
    extension.error = std::max(error_of(combinations, 1), error_of(combinations, widest));
}

/// joint_[i]: of the set and others[i].
bool CompletedExtender::extend_some(Members set, Members others) {
    if (!counts_.count(set, others)) return false;
    const double combinations = function_.table().combinations(set);
    joint_.resize(others.size());
    for (std::size_t i = 0; i < others.size(); ++i)
        joint_[i] = function_.of_counts(counts_.with(i), set.size() + 1,
                                        combinations * function_.table().arity(others[i]), occurring_);
    return true;
}

/// A sum of m terms is off by at most m roundings of the sum of their sizes. Terms are as CountExtender has
/// them; counts are sums themselves, of one term for each row and completion, and rounded as often.
double CompletedExtender::error_of(double combinations, double widest) const {
    const double q = combinations * widest, cases = function_.cases();
    double most = 0;
    const auto raise = [&](const Score& score) {
        const double cells = std::min(cases * q, q) + 8;
        const double size =
            std::abs(score.constant(q)) + cells * std::abs(score.cell(1, q)) + std::abs(score.cell(cases, q));
        most = std::max(most, std::ldexp((cells + cases) * size, -50));
    };
    raise(function_.score());
    for (const auto& alternative : function_.score().alternatives(2)) raise(*alternative);
    return most;
}

std::shared_ptr<const SetExtension> CompletedExtender::extension(Members set) {
    const std::uint64_t key = key_of(set);
    const auto same = [&](const SetExtension& other) { return std::ranges::equal(set, other.set); };
    if (auto known = memo_->find(key, same)) return known;
    auto made = std::make_shared<SetExtension>();
    made->set.assign(set.begin(), set.end());
    extend(*made);
    memo_->keep(key, made);
    return made;
}

bool CompletedExtender::extend_family(Var child, Members parents, std::span<const Var> candidates,
                                      std::span<double> scores) {
    const Inserted family(parents, {child});
    if (2 * candidates.size() <= function_.variables()) {
        others_.assign(candidates.begin(), candidates.end());
        std::ranges::sort(others_);
        const auto place = [&](Var v) {
            return static_cast<std::size_t>(std::ranges::lower_bound(others_, v) - others_.begin());
        };
        if (!extend_some(family, others_)) return false;
        for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = joint_[place(candidates[i])];
        if (!extend_some(parents, others_)) return false;
        for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] -= joint_[place(candidates[i])];
        return true;
    }
    const auto whole = extension(family);
    if (!whole->known()) return false;
    const auto given = extension(parents);
    if (!given->known()) return false;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        scores[i] = whole->with[candidates[i]] - given->with[candidates[i]];
    return true;
}

}  // namespace dagscape
