#include "posterior/chains/network_state.hpp"

#include <bit>

namespace dagscape {

NetworkState::NetworkState(const WeightedLists& lists, std::span<const std::uint32_t> places)
    : lists_(lists), places_(places.begin(), places.end()), children_(places.size(), places.size()) {
    for (std::size_t v = 0; v < places.size(); ++v)
        for (const Var parent : lists_[static_cast<Var>(v)].parents(places_[v]))
            children_.insert(parent, static_cast<Var>(v));
}

double NetworkState::log_weight() const {
    double sum = 0;
    for (std::size_t v = 0; v < places_.size(); ++v)
        sum += lists_[static_cast<Var>(v)].log_weight(places_[v]);
    return sum;
}

void NetworkState::put(Var v, std::uint32_t place) {
    if (place == places_[v]) return;
    for (const Var parent : lists_[v].parents(places_[v])) children_.erase(parent, v);
    for (const Var parent : lists_[v].parents(place)) children_.insert(parent, v);
    places_[v] = place;
}

void NetworkState::below(Var from, const Word* cut, Word* found) const {
    const std::size_t width = children_.width();
    for (std::size_t i = 0; i < width; ++i) found[i] = 0;
    found[from / 64] |= Word{1} << (from % 64);
    // A word is looked through again as long as something was added to it.
    bool added = true;
    thread_local std::vector<Word> done;
    done.assign(width, 0);
    while (added) {
        added = false;
        for (std::size_t i = 0; i < width; ++i)
            for (Word rest = found[i] & ~done[i]; rest != 0; rest = found[i] & ~done[i]) {
                added = true;
                const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
                done[i] |= Word{1} << bit;
                const Word* children = children_[i * 64 + bit];
                for (std::size_t j = 0; j < width; ++j) found[j] |= children[j] & ~cut[j];
            }
    }
}

}  // namespace dagscape
