#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "parents/parent_lists.hpp"
#include "search/exact/arc_decisions.hpp"
#include "search/exact/integer_program/set_columns.hpp"

namespace dagscape {

/// What every network obeys: over the families of the members, the coefficients chosen add up to `right` or
/// more. A coefficient depends on the child and on which other members are its parents.
///
/// Without a table the cut is a cluster: 1 for a family with fewer than `least` parents among the members,
/// of which an acyclic graph has at least `least` (Jaakkola, Sontag, Globerson and Meila, Learning Bayesian
/// network structure using LP relaxations, AISTATS 2010; Cussens, UAI 2011).
struct Cut {
    std::vector<Var> members;  // ascending
    std::uint32_t least = 1;
    double right = 1;
    /// By member, then by the set of members that are parents, bit i for the i-th.
    std::vector<double> table;
};

/// The families of an integer program, one column for each: x = 1 where a child has a set as its parents.
///
/// Columns are numbered child by child in the order of the lists. One more per child, in the end, stands for
/// an empty set at a price that no network is worth, so that a program always has a solution.
class Families {
  public:
    using Column = std::uint32_t;

    /// Lists must be sorted.
    explicit Families(const ParentLists& parents);

    std::size_t variables() const { return children_.size(); }
    std::size_t columns() const { return begins_.back(); }
    /// How many columns have not been dropped.
    std::size_t kept() const;
    Column column(Var child, std::uint32_t place) const { return begins_[child] + place; }
    Var child(Column column) const;
    std::uint32_t place(Column column) const { return column - begins_[child(column)]; }
    double regret(Column column) const;
    /// The sum of the greatest regrets of all children: no network has more.
    double greatest_regret() const { return greatest_; }
    /// Parents of the set, or none for a stand-in.
    std::vector<Var> parents(Column column) const;

    /// Returns the cut's number. Numbers of cuts that were forgotten are given again.
    std::size_t add(Cut cut);
    std::vector<std::uint32_t> add(std::vector<Cut> cuts);
    void forget(std::size_t cut);
    const Cut& cut(std::size_t at) const { return cuts_[at].cut; }
    double coefficient(std::size_t cut, Column column) const;
    /// The same of any set, whether or not it is among the columns.
    double coefficient(std::size_t cut, Var child, Members parents) const;
    /// The same of a child's kept set.
    double kept_coefficient(std::size_t cut, Var kept_child, std::size_t at) const {
        const Child& own = children_[kept_child];
        return coefficient(cuts_[cut], kept_child, own.sets[own.kept[at]]);
    }

    /// The best columns of each child, to begin with.
    std::vector<Column> best(std::size_t per_child) const;
    bool obeys(Column column, const ArcDecisions& decisions) const;

    struct Priced {
        /// No network that obeys the decisions has less regret: the Lagrangian value of the duals, over all
        /// kept columns, whether or not they are in the program. Any duals give a valid bound, and what
        /// rounding may have added is taken off.
        double bound = 0;
        std::vector<Column> entering;  // not in the program, and of negative reduced cost
    };
    /// `worth`: what a child's families are worth in the program, its dual. Columns that cost more than
    /// `within` above the child's best need not be looked at.
    Priced price(std::span<const std::uint32_t> cuts, std::span<const double> duals,
                 std::span<const double> worth, const ArcDecisions& decisions, double within,
                 std::size_t per_child);
    /// The same without decisions, and with all reduced costs; nothing enters.
    double price(std::span<const std::uint32_t> cuts, std::span<const double> duals, std::size_t threads);

    /// The child's kept sets, and what is left of their regrets after the last pricing, never more than it
    /// would be without rounding.
    const SetColumns& kept_sets(Var child) const { return children_[child].columns; }
    std::span<const double> reduced(Var child) const { return children_[child].reduced; }
    double least_reduced(Var child) const { return children_[child].least; }
    Column kept_column(Var child, std::size_t at) const { return begins_[child] + children_[child].kept[at]; }
    /// Marks columns as being in the program.
    void enter(std::span<const Column> columns);
    /// Drops, for good, the columns that no network with less regret than `regret` has, as the last pricing
    /// shows, which must have been without decisions. Tells which of them were in the program.
    std::vector<Column> drop(double regret);

    struct Network {
        double regret = std::numeric_limits<double>::infinity();
        std::vector<std::uint32_t> chosen;  // places, by child
        std::vector<Var> order;
    };
    /// The best kept families along an order.
    Network along(std::vector<Var> order) const;
    /// A network near a fractional solution: the variable placed next is one that has much of its support
    /// among those already placed, `noise` more or less.
    Network round(std::span<const Column> columns, std::span<const double> x, double noise,
                  std::uint64_t seed) const;

  private:
    using Word = BitRows::Word;
    struct Child : WideCandidateSets {  // all of them, by place
        using WideCandidateSets::WideCandidateSets;
        std::vector<std::uint32_t> kept;  // places
        SetColumns columns;               // the kept ones
        std::vector<double> costs;        // their regrets
        std::vector<double> reduced;      // by position in kept: the last pricing
        std::vector<bool> entered;        // by place
        double least = 0;                 // of reduced
    };
    struct Row {
        Cut cut;
        std::vector<Word> mask;
        std::vector<std::uint8_t> position;  // of each variable among the members of a table; no_member
        double most = 1;                     // the greatest coefficient
    };
    /// The cuts that a child has a part in, with their multipliers.
    struct Charges {
        std::vector<std::pair<const Row*, double>> rows;
        double most = 0;  // that they can take off a set
    };
    std::vector<Charges> charges(std::span<const std::uint32_t> cuts, std::span<const double> duals) const;
    double right_sides(std::span<const std::uint32_t> cuts, std::span<const double> duals) const;
    /// Reduced costs of a child's sets, of those from some place on only what they are at least.
    void price(Var child, const Charges& charges, std::size_t until);
    void take(const Charges& charges, Var child, std::span<double> costs) const;
    double coefficient(const Row& row, Var child, const Word* set) const;
    bool obeys(const Word* set, Var child, const ArcDecisions& decisions) const;

    std::size_t width_;
    std::vector<Child> children_;
    std::vector<Column> begins_;
    std::vector<Row> cuts_;
    std::vector<std::size_t> free_;  // numbers of cuts forgotten
    std::vector<Word> empty_;
    double greatest_ = 0;
    double bound_ = 0;
};

}  // namespace dagscape
