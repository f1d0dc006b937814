#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "data/table.hpp"

namespace dagscape {

/// Complete data of states and numbers, column by column: each holds codes or finite doubles.
class MixedTable {
  public:
    using AnyColumn = std::variant<Column, std::vector<double>>;

    /// Throws unless columns are equally long, codes lie below their arity and numbers are finite.
    /// Each row counts for `unit` of a case.
    explicit MixedTable(std::vector<AnyColumn> columns, double unit = 1);

    std::size_t rows() const { return rows_; }
    std::size_t variables() const { return columns_.size(); }
    double unit() const { return unit_; }
    double cases() const { return static_cast<double>(rows_) * unit_; }

    bool is_number(Var v) const { return std::holds_alternative<std::vector<double>>(columns_[v]); }
    /// Of a variable with states.
    const Column& states(Var v) const { return std::get<Column>(columns_[v]); }
    /// Of a variable with numbers.
    const std::vector<double>& numbers(Var v) const { return std::get<std::vector<double>>(columns_[v]); }

  private:
    std::vector<AnyColumn> columns_;
    std::size_t rows_;
    double unit_;
};

}  // namespace dagscape
