#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// One variable's codes, one per row, in the narrowest type that holds its states.
struct Column {
    std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>> codes;
    std::uint32_t arity = 1;  // declared states, whether or not they occur

    std::size_t rows() const;
};

/// Refuses so many value combinations of a set: beyond this the scores' own arithmetic (ess / combinations,
/// say) would leave the range of doubles.
[[noreturn]] void refuse_too_many(std::size_t size);

/// The product of the arities of a set's members.
template <typename Arity>
double combinations_of(Members set, const Arity& arity) {
    double product = 1;
    for (const Var v : set) product *= arity(v);
    if (product > 1e300) refuse_too_many(set.size());
    return product;
}

/// Complete discrete data, column by column, with a whole-number weight for each row.
class Table {
  public:
    /// Throws unless columns are equally long, codes lie below their arity and weights are positive.
    /// No weights: every row counts once.
    explicit Table(std::vector<Column> columns, std::vector<std::uint32_t> weights = {});

    std::size_t rows() const { return rows_; }
    std::size_t variables() const { return columns_.size(); }
    /// The number of cases: rows, each as often as its weight says.
    std::uint32_t cases() const { return cases_; }

    const Column& column(Var v) const { return columns_[v]; }
    std::uint32_t arity(Var v) const { return columns_[v].arity; }
    /// Empty where every row counts once.
    const std::vector<std::uint32_t>& weights() const { return weights_; }

    /// The number of value combinations of a set, occurring or not. Throws beyond the range of doubles.
    double combinations(Members set) const;

  private:
    std::vector<Column> columns_;
    std::vector<std::uint32_t> weights_;
    std::size_t rows_;
    std::uint32_t cases_;
};

}  // namespace dagscape
