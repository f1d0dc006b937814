#pragma once

#include <string_view>
#include <vector>

#include "scores/mixed_likelihood.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

/// Values of all sets of a size. Numbers have the lowest positions, so that the states of a set come first,
/// the widest before the others, and what they say is at hand for all the numbers that may follow.
class MixedWalk final : public ValueWalk {
  public:
    explicit MixedWalk(const MixedLikelihood& function);

    const std::vector<Var>& order() const override { return order_; }
    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             ValueVisitor& visitor) override;
    std::size_t bytes() const override { return 0; }
    double cost(std::size_t size) const override;
    double single_cost(std::size_t size) const override;
    double kept_bytes(std::size_t /*size*/) const override { return 0; }
    std::string_view way(std::size_t /*size*/) const override { return "determinants"; }

  private:
    double prefix_cost(const Ranks& ranks, std::size_t size) const;
    /// Of a set of states.
    double counting_cost(std::size_t size) const;

    const MixedLikelihood& function_;
    std::vector<Var> order_;
};

}  // namespace dagscape
