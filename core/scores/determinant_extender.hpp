#pragma once

#include <memory>
#include <vector>

#include "scores/cholesky_rows.hpp"

namespace dagscape {

/// Values of a set with every one more variable: one factorization of the set, over all columns.
class DeterminantExtender final : public SetExtender {
  public:
    explicit DeterminantExtender(const DeterminantFunction& function)
        : function_(function), rows_(function) {}

    std::unique_ptr<SetExtender> clone() const override {
        return std::make_unique<DeterminantExtender>(function_);
    }
    void extend(SetExtension& extension) override;
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override;

  private:
    void factor(Members set);
    double with(Var v);

    const DeterminantFunction& function_;
    CholeskyRows rows_;
};

}  // namespace dagscape
