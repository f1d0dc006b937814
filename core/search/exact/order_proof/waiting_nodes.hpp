#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "control.hpp"

namespace dagscape {

/// Nodes that wait to be expanded, in buckets of nearly the same estimate: within a bucket, the one that came
/// last is first. What is in the lowest bucket may be above the least estimate by its width.
class WaitingNodes {
  public:
    using Cost = std::int64_t;

    /// Estimates are between these.
    WaitingNodes(Cost least, Cost most, Control& control)
        : control_(control), least_(least), width_((most - least) / buckets + 1), waiting_(buckets + 1) {}
    ~WaitingNodes() { control_.release(bytes_); }
    WaitingNodes(const WaitingNodes&) = delete;
    WaitingNodes& operator=(const WaitingNodes&) = delete;

    /// Which bucket an estimate belongs to.
    std::size_t bucket(Cost estimate) const {
        const Cost at = (std::max(estimate, least_) - least_) / width_;
        return static_cast<std::size_t>(std::min<Cost>(at, buckets));
    }
    /// What all that wait have at least.
    Cost least() const { return least_ + width_ * static_cast<Cost>(lowest_); }

    /// Not below the lowest bucket that has not been emptied. Whether there was memory for it.
    bool push(std::size_t bucket, std::uint32_t node) {
        std::vector<std::uint32_t>& to = waiting_[std::max(bucket, lowest_)];
        if (to.size() == to.capacity()) {
            const std::size_t more = std::max<std::size_t>(16, to.capacity());
            control_.charge(more * sizeof(std::uint32_t));
            bytes_ += more * sizeof(std::uint32_t);
            if (control_.why() == Stop::memory) return false;
            to.reserve(to.capacity() + more);
        }
        to.push_back(node);
        return true;
    }
    /// One of the lowest bucket; none if nothing waits.
    std::optional<std::uint32_t> pop() {
        while (lowest_ <= buckets && waiting_[lowest_].empty()) {
            bytes_ -= release(waiting_[lowest_]);
            ++lowest_;
        }
        if (lowest_ > buckets) return std::nullopt;
        const std::uint32_t node = waiting_[lowest_].back();
        waiting_[lowest_].pop_back();
        return node;
    }
    std::size_t bytes() const { return bytes_; }

  private:
    static constexpr Cost buckets = 1 << 14;

    std::size_t release(std::vector<std::uint32_t>& emptied) {
        const std::size_t held = emptied.capacity() * sizeof(std::uint32_t);
        std::vector<std::uint32_t>().swap(emptied);
        control_.release(held);
        return held;
    }

    Control& control_;
    Cost least_, width_;
    std::vector<std::vector<std::uint32_t>> waiting_;
    std::size_t lowest_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace dagscape
