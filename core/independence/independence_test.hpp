#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "varset/var.hpp"

namespace dagscape {

/// What a test of conditional independence came to.
struct Dependence {
    double statistic = 0;
    double freedom = 0;
    double log_p = 0;  // ln of the probability of so much dependence by chance
    bool done = true;  // whether there were rows enough
};

/// A test that two variables are independent given a set: what methods by tests receive. Safe to use from
/// several threads.
class IndependenceTest {
  public:
    explicit IndependenceTest(double alpha) : log_alpha_(std::log(alpha)) {}
    virtual ~IndependenceTest() = default;

    virtual std::size_t variables() const = 0;
    /// `given` ascending, without x and y.
    virtual Dependence operator()(Var x, Var y, Members given) const = 0;

    /// Whether the test shows dependence: it was done, and p is at most alpha.
    bool dependent(const Dependence& test) const { return test.done && test.log_p <= log_alpha_; }
    /// Whether the test finds them independent: it was done, and p is above alpha.
    bool independent(const Dependence& test) const { return test.done && test.log_p > log_alpha_; }

    /// Tests that were done.
    std::uint64_t tests() const { return tests_.load(std::memory_order_relaxed); }

  protected:
    void count_test() const { tests_.fetch_add(1, std::memory_order_relaxed); }

  private:
    double log_alpha_;
    mutable std::atomic<std::uint64_t> tests_ = 0;
};

}  // namespace dagscape
