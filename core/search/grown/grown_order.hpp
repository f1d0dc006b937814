#pragma once

#include <cstdint>
#include <vector>

#include "random.hpp"
#include "search/grown/grown_parents.hpp"
#include "varset/bit_rows.hpp"

namespace dagscape {

/// An order of the variables, each with the parents that it grows among those before it, and what can be
/// moved in it: as `OrderState`, without lists. Required parents come before their children throughout.
class GrownOrder {
  public:
    static constexpr double least_gain = GrowShrinkTree::least_gain;

    /// Takes an order, in which children wait for the parents that they must have.
    GrownOrder(GrownParents::Visit& visit, const std::vector<Var>& order, Control& control);

    const std::vector<Var>& order() const { return now_.order; }
    std::size_t position(Var v) const { return now_.positions[v]; }
    Members parents(Var v) const { return now_.ends[v]->parents(); }
    double score() const;
    /// Positions looked at so far.
    std::uint64_t looks() const { return looks_; }

    /// Moves the variable at one position toward another, as far as required arcs let it.
    void move(std::size_t from, std::size_t to);
    /// Where a variable is best (the paper's best move): ties go to the left before the right, on either side
    /// to the position nearest to its own, which it is if nothing gains.
    std::size_t best_position(Var v);
    /// Moves a variable to where it is best, if that gains.
    bool improve(Var v);
    /// Improves the variables whose parents changed since they were looked at, in random order, until none
    /// gains.
    void settle(Random& random);

    struct Snapshot {
        std::vector<Var> order;
        std::vector<std::size_t> positions;
        std::vector<const GrownParents::Node*> ends;
        std::uint64_t clearings;  // before which the nodes were made
    };
    const Snapshot& snapshot() const { return now_; }
    void restore(const Snapshot& before);
    /// Walks again where trees were cut down.
    void refresh();
    void forget_changes();

  private:
    using Node = GrownParents::Node;
    void walk_all();
    void end_at(Var v, const Node* node);
    void write_rows(std::size_t row, const Node* node);
    /// The positions between which required arcs let a variable be.
    std::pair<std::size_t, std::size_t> room(Var v) const;
    void fill_before(std::size_t position);
    const Node* walk(Var v) { return visit_.walk(v, before_, control_); }

    GrownParents::Visit& visit_;
    Control& control_;
    Snapshot now_;
    // What nodes say, side by side: a look takes a bit or two of one variable after another. A row for each
    // variable, and one for a variable that is moved in thought.
    BitRows cares_;  // who may change its parents by coming before it
    BitRows path_;   // who does change them by leaving
    WideSet before_;
    std::uint64_t looks_ = 0;
    std::vector<Var> changed_;
    std::vector<bool> is_changed_;
};

}  // namespace dagscape
