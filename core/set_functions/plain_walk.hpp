#pragma once

#include "set_functions/value_walk.hpp"

namespace dagscape {

class SetFunction;

/// The walk of a function that knows no better: it asks for one set after another.
class PlainWalk final : public ValueWalk {
  public:
    explicit PlainWalk(const SetFunction& function);

    const std::vector<Var>& order() const override { return order_; }
    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             ValueVisitor& visitor) override;
    std::size_t bytes() const override { return 0; }
    double cost(std::size_t size) const override;
    double single_cost(std::size_t size) const override;
    double kept_bytes(std::size_t /*size*/) const override { return 0; }
    std::string_view way(std::size_t /*size*/) const override { return "singly"; }

  private:
    const SetFunction& function_;
    std::vector<Var> order_;
};

}  // namespace dagscape
