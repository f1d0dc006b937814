#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dagscape {

/// ln a(a+1)...(a+n−1) for every n below a limit and several a side by side, a column each: what `log_rising`
/// gives one by one, as sums of logarithms. Errors of the sums are kept, so that a value is as near as the
/// logarithms are.
class LogRisings {
  public:
    static constexpr std::size_t width = 8;

    explicit LogRisings(std::size_t counts);
    std::size_t counts() const { return log_.size(); }

    /// rows[n * width + i] of start i, for so many counts n; the columns of further starts are left alone.
    void fill(std::span<const double> starts, std::size_t counts, double* rows) const;

  private:
    std::vector<double> log_, inverse_;  // of every count
};

}  // namespace dagscape
