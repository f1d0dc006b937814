#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// Discrete data in which cells may be missing, column by column.
class GapTable {
  public:
    using Code = std::uint16_t;

    /// The code of a missing cell is the number of states of its column. Throws where columns are not equally
    /// long, or a code is higher than that.
    GapTable(std::vector<std::vector<Code>> columns, std::vector<std::uint32_t> arities);

    std::size_t rows() const { return columns_.front().size(); }
    std::size_t variables() const { return columns_.size(); }
    std::uint32_t arity(Var v) const { return arities_[v]; }
    const std::vector<Code>& column(Var v) const { return columns_[v]; }
    bool missing(std::size_t row, Var v) const { return columns_[v][row] == arities_[v]; }
    /// The variables without a value in a row, ascending.
    Members missing(std::size_t row) const {
        return std::span(gaps_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
    }
    /// The number of value combinations of a set, occurring or not. Throws beyond the range of doubles.
    double combinations(Members set) const;

    /// known[row]: whether all of the set have a value there.
    void find_known(Members set, std::vector<std::uint8_t>& known) const;

  private:
    std::vector<std::vector<Code>> columns_;
    std::vector<std::uint32_t> arities_;
    std::vector<Var> gaps_;           // row by row
    std::vector<std::size_t> begin_;  // where a row's gaps begin
};

/// How much each value combination of a set weighs, by rows that may count in parts. Combinations are
/// numbered along the set, the last member fastest, where there are few enough of them; else they are sorted.
class WeightedCells {
  public:
    /// The set need not be in ascending order.
    WeightedCells(const GapTable& table, Members set);

    /// Adds the rows that have all of a larger set, or of this one, and returns which these are.
    const std::vector<std::uint8_t>& add_known(Members known);
    /// Whether combinations are numbered. Then `sums()[c]` is what combination c weighs so far, a state is
    /// `steps()[i]` away from the next of the same member, and `numbers()`, once known rows were added, has
    /// the combination of each row, in which a gap counts as the number of states.
    bool numbered() const { return numbered_; }
    std::span<const std::size_t> steps() const { return steps_; }
    double* sums() const;
    const std::uint32_t* numbers() const;
    /// Adds a case: a state for each member of the set.
    void add(const GapTable::Code* states, double weight);
    /// Weights of the combinations that occur, in an order that depends on the data and the set alone; valid
    /// until the next use on this thread.
    std::span<const double> weights();

  private:
    struct Room;
    static Room& room();

    const GapTable& table_;
    std::vector<Var> set_;
    std::vector<std::size_t> steps_;
    std::size_t cells_ = 1;
    bool numbered_ = true;
};

}  // namespace dagscape
