#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "random.hpp"
#include "search/equivalence/boundary.hpp"

namespace dagscape {

/// Whether a step is to be taken rather than another: for its gain or, where that is the same, as the first
/// by y, x and what is turned.
template <typename Set>
bool preferred(const Step<Set>& a, const Step<Set>& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return std::tie(a.y, a.x, a.turned) < std::tie(b.y, b.x, b.turned);
}

/// Moves of which one may be the preferred one. Gains that are known but for rounding decide between all
/// that they can; the scores are asked about the few that are left.
template <typename Set>
class Contest {
  public:
    using Move = typename Boundary<Set>::Move;

    explicit Contest(Boundary<Set>& boundary) : boundary_(boundary), slack_(boundary.slack()) {}

    /// Whether a move with this gain might win against those that were entered.
    bool open(double gain) const { return gain >= most_ - slack_; }
    void enter(const Move& move) {
        if (!open(move.gain)) return;
        if (move.gain > most_ + slack_) entered_.clear();
        most_ = std::max(most_, move.gain);
        entered_.push_back(move);
    }
    /// Nothing if none was entered.
    std::optional<Step<Set>> winner() {
        std::erase_if(entered_, [&](const Move& move) { return !open(move.gain); });
        if (entered_.size() == 1) return boundary_.step(entered_.front());
        std::optional<Step<Set>> best;
        for (const Move& move : entered_) {
            const Step<Set> step = boundary_.scored_step(move);
            if (!best || preferred(step, *best)) best = step;
        }
        return best;
    }

  private:
    Boundary<Set>& boundary_;
    double slack_;
    double most_ = -std::numeric_limits<double>::infinity();
    std::vector<Move> entered_;
};

/// The step to the best class, or nothing if none scores higher. Validity is asked only of what would be
/// best.
template <typename Set>
std::optional<Step<Set>> best_step(Boundary<Set>& boundary, std::size_t variables) {
    Contest<Set> contest(boundary);
    for (std::size_t v = 0; v < variables; ++v) {
        const Var y = static_cast<Var>(v);
        if (!contest.open(boundary.most(y))) continue;
        for (const auto& move : boundary.moves(y))
            if (contest.open(move.gain) && boundary.valid(move)) contest.enter(move);
    }
    return contest.winner();
}

/// Draws steps of a run: the best of a share k, but at least one, of the classes that score higher.
template <typename Set>
class DrawnStep {
  public:
    explicit DrawnStep(double k) : k_(k) {}

    /// Nothing if no class scores higher; `better` says how many do.
    std::optional<Step<Set>> operator()(Boundary<Set>& boundary, Random& random, std::uint64_t& better) {
        steps_.clear();
        boundary.each_valid([&](const Move& move) { steps_.push_back(move); });
        better = steps_.size();
        // A little more than k|B|, since 0.29 of 100 must be 29 though 0.29 · 100 < 29 in floating point.
        const auto share = static_cast<std::size_t>(k_ * static_cast<double>(steps_.size()) + 1e-9);
        const std::size_t drawn = std::min(std::max<std::size_t>(1, share), steps_.size());
        Contest<Set> contest(boundary);
        for (std::size_t i = 0; i < drawn; ++i) {
            if (drawn < steps_.size()) std::swap(steps_[i], steps_[i + random.below(steps_.size() - i)]);
            contest.enter(steps_[i]);
        }
        return contest.winner();
    }

  private:
    using Move = typename Boundary<Set>::Move;
    double k_;
    std::vector<Move> steps_;  // room for the work
};

}  // namespace dagscape
