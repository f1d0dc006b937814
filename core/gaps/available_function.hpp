#pragma once

#include <memory>

#include "gaps/gap_table.hpp"
#include "set_functions/set_function.hpp"

namespace dagscape {

/// Node-average likelihood with a price for each parameter, for tables with gaps (Balov 2013; Bodewes and
/// Scutari 2021): a child's mean log-likelihood over the rows in which it and its parents have values, times
/// all rows.
///
/// What is given is computed on other rows than the joint value of the same set, so equivalent networks may
/// score differently, and nothing is known of larger sets before they are counted. A family that is complete
/// in no row counts as if it told nothing: each state of the child is as likely as any other.
class AvailableFunction final : public SetFunction {
  public:
    AvailableFunction(std::shared_ptr<const GapTable> table, double price)
        : table_(std::move(table)), price_(price) {}

    std::size_t variables() const override { return table_->variables(); }
    double cases() const override { return static_cast<double>(table_->rows()); }
    double joint(Members set) const override;
    double parameters(Members set) const override { return table_->combinations(set) - 1; }
    std::uint32_t given_kind(Var child) const override { return child + 1u; }
    double given(Var child, Members parents) const override;
    bool equivalent() const override { return false; }

  private:
    double value(Members set, Members known) const;

    std::shared_ptr<const GapTable> table_;
    double price_;
};

}  // namespace dagscape
