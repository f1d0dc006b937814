#pragma once

#include <string_view>
#include <vector>

#include "scores/determinant_function.hpp"

namespace dagscape {

/// Values of all sets of a size: down the tree of sets, a row of the factor for each variable of a prefix,
/// over all that may follow.
class DeterminantWalk final : public ValueWalk {
  public:
    explicit DeterminantWalk(const DeterminantFunction& function);

    const std::vector<Var>& order() const override { return order_; }
    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             ValueVisitor& visitor) override;
    std::size_t bytes() const override { return 0; }
    double cost(std::size_t size) const override;
    double single_cost(std::size_t size) const override;
    double kept_bytes(std::size_t /*size*/) const override { return 0; }
    std::string_view way(std::size_t /*size*/) const override { return "determinants"; }

  private:
    const DeterminantFunction& function_;
    std::vector<Var> order_;
};

}  // namespace dagscape
