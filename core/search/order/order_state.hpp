#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "random.hpp"
#include "same_score.hpp"
#include "search/order/order_lists.hpp"

namespace dagscape {

/// An order of the variables, each with its best set among those before it, and what can be moved in it.
///
/// In a swap of neighbors only two variables can change. The one that comes first now loses a parent at
/// most, so it looks only at sets after its present one, and only if that has the parent; the other gains a
/// candidate, so it looks only at sets before its present one that have it. Taking one variable out and
/// putting it back elsewhere is a run of swaps (Teyssier and Koller, UAI 2005; Alonso-Barba, de la Ossa and
/// Puerta 2011; Lee and van Beek, Metaheuristics for score-and-search Bayesian network structure learning,
/// 2017), and so is moving a block of them (Scanagatta, Corani and Zaffalon, Improved local search in
/// Bayesian networks structure learning, 2017).
class OrderState {
  public:
    /// Gains below this are rounding; following them could go in circles. No less than what proofs neglect.
    static constexpr double least_gain = same_score;
    static constexpr std::size_t longest_block = 5, reach = 10;

    OrderState(const OrderLists& lists, std::vector<Var> order);

    const std::vector<Var>& order() const { return now_.order; }
    std::size_t position(Var v) const { return now_.positions[v]; }
    /// Added up anew, since errors of many small changes would add up: in time they look like gains.
    double score() const;
    /// The place of each variable's set in its list.
    const std::vector<std::uint32_t>& places() const { return now_.places; }
    /// Swaps looked at so far.
    std::uint64_t swaps() const { return swaps_; }

    /// Takes another order. A variable that has no set among those before it waits until it has one, so that
    /// all have one if that is possible at all.
    void set(std::vector<Var> order);
    /// Moves the variable at one position to another; those between make room.
    void move(std::size_t from, std::size_t to);
    /// What swapping the variables at a position and the next would gain.
    double swap_gain(std::size_t at);
    /// Moves a variable to where it is best, if that gains; ties go to the left before the right, on either
    /// side to the position nearest to its own.
    bool improve(Var v);
    /// Moves so many variables that follow each other, from a position on, as a block to where they are best
    /// within so many positions, if that gains; ties as for one variable.
    bool improve_block(std::size_t start, std::size_t length, std::size_t within);
    /// All blocks of two variables so, in random order; if none gains, those of one more, up to five.
    bool improve_blocks(Random& random, Control& control);
    /// Improves the variables whose surroundings changed since they were looked at, in random order, until
    /// none gains.
    void settle(Random& random, Control& control);
    /// Likewise, until none of all variables gains, nor any block if these are asked for: a local optimum.
    void climb(Random& random, Control& control, bool blocks = false);

    /// All that has to be kept to come back to this order.
    struct Snapshot {
        std::vector<Var> order;
        std::vector<std::size_t> positions;
        std::vector<std::uint32_t> places;
    };
    const Snapshot& snapshot() const { return now_; }
    void restore(const Snapshot& before) {
        now_ = before;
        forget_changes();
    }
    void forget_changes();

  private:
    void append(Var v);
    void place(Var v, std::uint32_t place);
    void mark(Var v);
    void fill_before(std::size_t position);

    const OrderLists& lists_;
    Snapshot now_;
    std::uint64_t swaps_ = 0;
    std::vector<std::uint64_t> before_, mover_, start_;  // sets of variables, while moves are looked at
    std::vector<std::uint32_t> own_;                     // places of a block's sets, likewise
    std::vector<Var> changed_;
    std::vector<bool> is_changed_;
};

}  // namespace dagscape
