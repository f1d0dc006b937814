#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace dagscape {

/// One of several parts of a work that is divided.
struct Part {
    std::size_t part = 0, parts = 1;
};

/// Which sets a walk must show: those of a share, with at least one of some positions.
///
/// A walk goes down: where a prefix has none of them and none is left below it, nothing is wanted; and a
/// prefix without one is wanted only with a last variable among them. So positions that lie together are
/// skipped best; any others are served as well.
class WantedSets {
  public:
    /// All of so many positions.
    explicit WantedSets(std::size_t positions, Part share = {})
        : WantedSets(std::vector<bool>(positions, true)) {
        share_ = share;
    }
    explicit WantedSets(std::vector<bool> wanted) : wanted_(std::move(wanted)), first_(wanted_.size()) {
        for (std::size_t position = 0; position < wanted_.size(); ++position) {
            if (!wanted_[position]) continue;
            if (count_++ == 0) first_ = position;
            end_ = position + 1;
            if (runs_.empty() || runs_.back().second < position) runs_.emplace_back(position, position);
            runs_.back().second = position + 1;
        }
    }

    /// Whether sets with these as their two highest positions are in the share. Sets go to shares by their
    /// sum, so that each gets some of all heights; those of two variables by the highest alone.
    bool mine(std::size_t top, std::size_t second = 0) const {
        return (top + second) % share_.parts == share_.part;
    }
    bool has(std::size_t position) const { return wanted_[position]; }
    std::size_t count() const { return count_; }
    /// The lowest, and one more than the highest; the number of positions and 0 where there are none.
    std::size_t first() const { return first_; }
    std::size_t end() const { return end_; }
    /// Those that lie together, each with one more than its last.
    const std::vector<std::pair<std::size_t, std::size_t>>& runs() const { return runs_; }

  private:
    std::vector<bool> wanted_;
    Part share_;
    std::size_t count_ = 0, first_, end_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> runs_;
};

}  // namespace dagscape
