#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "random.hpp"
#include "search/order/order_lists.hpp"

namespace dagscape {

/// An order of the variables, each with its best set among those before it, and the moves that take one
/// variable out and put it back elsewhere.
///
/// Such a move is a run of swaps of neighbours. In a swap only two variables can change: the one that comes
/// first now loses a parent at most, so it looks only at sets after its present one, and only if that has the
/// parent; the other gains a candidate, so it looks only at sets before its present one (Teyssier and Koller,
/// UAI 2005; Alonso-Barba, de la Ossa and Puerta 2011; Lee and van Beek, Metaheuristics for score-and-search
/// Bayesian network structure learning, 2017).
class Insertion {
  public:
    Insertion(const OrderLists& lists, std::vector<Var> order);

    const std::vector<Var>& order() const { return order_; }
    double score() const { return score_; }
    const std::vector<std::uint32_t>& places() const { return places_; }
    std::uint64_t swaps() const { return swaps_; }

    /// Takes this order instead.
    void set(std::vector<Var> order);
    /// Moves the variable at one position to another; those between make room.
    void move(std::size_t from, std::size_t to);
    /// Moves a variable to where it is best, if that gains; ties go to the position nearest to its own, on
    /// its left before its right.
    bool improve(Var v);
    /// Improves one variable after another, in random order, until none gains.
    void climb(Random& random, Control& control);

  private:
    void evaluate(std::size_t from, std::size_t to);

    const OrderLists& lists_;
    std::vector<Var> order_;
    std::vector<std::size_t> position_;
    std::vector<std::uint32_t> places_;  // by variable
    double score_ = 0;
    std::uint64_t swaps_ = 0;
    std::vector<std::uint64_t> before_, mover_, other_;  // sets of variables, while moves are looked at
};

/// Climbs by insertion, then again and again from the best order with a few variables moved at random, until
/// `patience` such attempts in a row gain nothing. Begins at `order`.
struct IteratedClimb {
    std::vector<Var> order;
    std::vector<std::uint32_t> places;
    double score;
    std::uint64_t swaps;
};
IteratedClimb iterated_climb(const OrderLists& lists, std::vector<Var> order, std::size_t patience,
                             std::uint64_t most_swaps, std::uint64_t seed, Control& control);

}  // namespace dagscape
