#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "posterior/network_sums.hpp"
#include "random.hpp"

namespace dagscape {

/// Draws networks of a component, each with its probability: perfect samples, one independent of the other.
///
/// A network is drawn layer by layer: first the variables without parents in the component, then those
/// whose parents are all among these, and so on (after Kuipers and Moffa, Statistics and Computing 2015, and
/// Talvitie, Vuoksenmaa and Koivisto, UAI 2019). With W placed so far and L the last layer,
///
///     P(next layer is T) ∝ [Σ_{X⊇T} (−1)^{|X∖T|} h(W∪X) Π_{v∈X} A_v(W)] Π_{v∈T} (1 − A_v(W∖L) / A_v(W)):
///
/// the first factor is the weight of all in which exactly T have no parent beyond W, the second the share in
/// which each of T has a parent in L, without which it would have come before. Parents of v are then drawn
/// from its sets among W that meet L.
///
/// The first factor takes 2^k sums for k variables left, and depends on W alone; what has been made is kept,
/// as far as memory allows, for all threads.
class NetworkSampler {
  public:
    /// All must outlive it.
    NetworkSampler(const WeightedComponent& component, const ParentSums& parents, const NetworkSums& sums,
                   std::size_t max_bytes);

    /// For each variable of the component the place of a set in its list.
    std::vector<std::uint32_t> draw(Random& random);

  private:
    using Set = std::uint32_t;
    /// The exact weights of the next layer.
    struct Layers {
        std::vector<std::size_t> variables;  // that may be in it
        std::vector<double> weights;         // by subset of these
    };
    std::shared_ptr<const Layers> layers(Set placed);
    Layers make(Set placed) const;
    Set draw_layer(Set placed, Set last, Random& random);
    /// The place, or a number beyond the list where rounding has led to a layer that cannot be.
    std::size_t draw_parents(std::size_t v, Set placed, Set last, Random& random) const;
    bool try_draw(Random& random, std::vector<std::uint32_t>& places);

    const WeightedComponent& component_;
    const ParentSums& parents_;
    const NetworkSums& sums_;
    std::size_t bytes_left_;
    std::mutex keeping_;
    std::unordered_map<Set, std::shared_ptr<const Layers>> kept_;
};

}  // namespace dagscape
