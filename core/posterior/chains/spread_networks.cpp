#include "posterior/chains/spread_networks.hpp"

#include <algorithm>

namespace dagscape {

void SpreadNetworks::add(const NetworkState& state) {
    if (++rounds_ % gap_ != 0 || most_ == 0) return;
    places_.insert(places_.end(), state.places().begin(), state.places().end());
    log_weights_.push_back(state.log_weight());
    if (log_weights_.size() >= 2 * most_) halve();
}

void SpreadNetworks::append(SpreadNetworks later) {
    while (gap_ < later.gap_) halve();
    while (later.gap_ < gap_) later.halve();
    places_.insert(places_.end(), later.places_.begin(), later.places_.end());
    log_weights_.insert(log_weights_.end(), later.log_weights_.begin(), later.log_weights_.end());
    rounds_ += later.rounds_;
}

void SpreadNetworks::finish() {
    while (log_weights_.size() > most_) halve();
}

void SpreadNetworks::halve() {
    // The second, the fourth and so on: after rounds that are multiples of the new gap.
    gap_ *= 2;
    const std::size_t width = log_weights_.empty() ? 0 : places_.size() / log_weights_.size();
    std::size_t kept = 0;
    for (std::size_t at = 1; at < log_weights_.size(); at += 2, ++kept) {
        log_weights_[kept] = log_weights_[at];
        std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(at * width), width,
                    places_.begin() + static_cast<std::ptrdiff_t>(kept * width));
    }
    log_weights_.resize(kept);
    places_.resize(kept * width);
}

}  // namespace dagscape
