#pragma once

#include <cstdint>
#include <vector>

#include "posterior/chains/network_state.hpp"

namespace dagscape {

/// Networks evenly spread over rounds of which nobody knows how many there will be: one for each so many
/// rounds, twice as many rounds as soon as there are too many networks.
class SpreadNetworks {
  public:
    /// At most so many networks at the end, and twice as many on the way.
    explicit SpreadNetworks(std::uint64_t most) : most_(most) {}

    /// The network after another round.
    void add(const NetworkState& state);
    /// Adds those of the rounds that came after these.
    void append(SpreadNetworks later);
    /// Leaves no more than `most`.
    void finish();

    /// One after another: the place of every parent set.
    std::vector<std::uint32_t>& places() { return places_; }
    std::vector<double>& log_weights() { return log_weights_; }

  private:
    void halve();

    std::uint64_t most_, gap_ = 1, rounds_ = 0;
    std::vector<std::uint32_t> places_;
    std::vector<double> log_weights_;
};

}  // namespace dagscape
