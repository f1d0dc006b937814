#include "posterior/network_sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "posterior/signed_products.hpp"

namespace dagscape {

NetworkSampler::NetworkSampler(const WeightedComponent& component, const ParentSums& parents,
                               const NetworkSums& sums, std::size_t max_bytes)
    : component_(component), parents_(parents), sums_(sums), bytes_left_(max_bytes) {}

std::vector<std::uint32_t> NetworkSampler::draw(Random& random) {
    std::vector<std::uint32_t> places(parents_.variables());
    // A layer that only rounding made possible, of a probability of 1e-13 or so, leads nowhere.
    while (!try_draw(random, places)) continue;
    return places;
}

bool NetworkSampler::try_draw(Random& random, std::vector<std::uint32_t>& places) {
    const Set all = static_cast<Set>((std::uint64_t{1} << parents_.variables()) - 1);
    Set placed = 0, last = 0;
    while (placed != all) {
        const Set next = draw_layer(placed, last, random);
        if (next == 0) return false;
        for (Set rest = next; rest != 0; rest &= rest - 1) {
            const auto v = static_cast<std::size_t>(std::countr_zero(rest));
            const std::size_t place = draw_parents(v, placed, last, random);
            if (place >= component_.sets[v].size()) return false;
            places[v] = static_cast<std::uint32_t>(place);
        }
        placed |= next;
        last = next;
    }
    return true;
}

NetworkSampler::Set NetworkSampler::draw_layer(Set placed, Set last, Random& random) {
    const std::shared_ptr<const Layers> exact = layers(placed);
    const std::size_t count = exact->weights.size();
    std::vector<double> weights = exact->weights;
    if (last != 0) {
        std::vector<double> shares(count, 1.0);
        for (std::size_t i = 0; i < exact->variables.size(); ++i) {
            const double meets = 1 - parents_.share(exact->variables[i], placed & ~last, placed);
            for (std::size_t t = 0, bit = std::size_t{1} << i; t < bit; ++t)
                shares[bit + t] = shares[t] * meets;
        }
        for (std::size_t t = 0; t < count; ++t) weights[t] *= shares[t];
    }
    double total = 0;
    for (double& weight : weights) total += (weight = std::max(weight, 0.0));
    if (!(total > 0)) return 0;
    double left = random.unit() * total;
    std::size_t drawn = 0;
    for (std::size_t t = 0; t < count; ++t) {
        if (weights[t] == 0) continue;
        drawn = t;
        if ((left -= weights[t]) < 0) break;
    }
    Set layer = 0;
    for (std::size_t i = 0; i < exact->variables.size(); ++i)
        if ((drawn >> i & 1) != 0) layer |= Set{1} << exact->variables[i];
    return layer;
}

std::size_t NetworkSampler::draw_parents(std::size_t v, Set placed, Set last, Random& random) const {
    const std::vector<WeightedSet>& sets = component_.sets[v];
    const double share = last == 0 ? 1 : 1 - parents_.share(v, placed & ~last, placed);
    const double log_whole = parents_.offset(v) + parents_.at(v, placed).log();
    double left = random.unit() * share;
    std::size_t drawn = sets.size();
    for (std::size_t at = 0; at < sets.size(); ++at) {  // heaviest first, so that few are looked at
        const Set inside = sets[at].inside;
        if ((inside & ~placed) != 0 || (last != 0 && (inside & last) == 0)) continue;
        drawn = at;
        if ((left -= std::exp(sets[at].log_weight - log_whole)) < 0) break;
    }
    return drawn;
}

std::shared_ptr<const NetworkSampler::Layers> NetworkSampler::layers(Set placed) {
    {
        const std::lock_guard lock(keeping_);
        if (const auto found = kept_.find(placed); found != kept_.end()) return found->second;
    }
    auto made = std::make_shared<const Layers>(make(placed));
    const std::size_t bytes = made->weights.size() * sizeof(double);
    const std::lock_guard lock(keeping_);
    if (bytes <= bytes_left_ && kept_.emplace(placed, made).second) bytes_left_ -= bytes;
    return made;
}

NetworkSampler::Layers NetworkSampler::make(Set placed) const {
    Layers layers;
    SignedProducts products;
    const Scaled whole = sums_.beyond(placed);
    products.start(Scaled{1, 0} / whole, placed);
    for (std::size_t v = 0; v < parents_.variables(); ++v) {
        const Scaled a = parents_.at(v, placed);
        if ((placed >> v & 1) != 0 || a.mantissa == 0) continue;
        layers.variables.push_back(v);
        products.times(a, Set{1} << v);
    }
    const std::size_t count = products.size();
    layers.weights.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
        const Scaled product = products.at(t) * sums_.beyond(products.sets()[t]);
        layers.weights[t] = std::abs(product.value());
    }
    for (std::size_t step = 1; step < count; step *= 2)
        for (std::size_t from = 0; from < count; from += 2 * step)
            for (std::size_t i = from; i < from + step; ++i) layers.weights[i] -= layers.weights[i + step];
    layers.weights[0] = 0;  // somebody is next
    return layers;
}

}  // namespace dagscape
