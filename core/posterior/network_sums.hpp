#pragma once

#include <cstdint>
#include <vector>

#include "control.hpp"
#include "posterior/parent_sums.hpp"
#include "uninitialized.hpp"

namespace dagscape {

/// A number with an exponent for every set of variables.
struct SetTable {
    UninitializedVector<double> mantissas;
    UninitializedVector<std::int64_t> exponents;

    explicit SetTable(std::size_t sets = 0) : mantissas(sets), exponents(sets) {}
    Scaled at(std::uint32_t set) const { return {mantissas[set], exponents[set]}; }
};

/// The sum of the weights of all networks on the variables of a component, and what it is made of.
///
///     f(S) = Σ_{∅≠T⊆S} (−1)^{|T|+1} f(S∖T) Π_{v∈T} A_v(S∖T)         networks on S alone, by sets of sinks T
///     h(R) = Σ_{∅≠T⊆V∖R} (−1)^{|T|+1} h(R∪T) Π_{v∈T} A_v(R)        the rest of a network whose variables in
///                                                                   R have no parents elsewhere
///
/// by inclusion and exclusion (Robinson 1973; Tian and He, UAI 2009), each in 3^n terms. The weight of all
/// networks is f(V) = h(∅), and f(R) h(R) is that of the networks in which R is closed: has no parents
/// elsewhere.
///
/// A term is the weight of the networks in which T are sinks, or have no parents beyond R, so none exceeds
/// the sum: there is no cancellation to speak of. Range is the danger, and exponents known beforehand meet
/// it: with M(S) the largest product of A_v along an order, M(S) ≤ f(S) ≤ n! M(S).
///
/// The terms of h(R) with v in T add up to h(R) times the share of those in which v alone has its parents in
/// R. All others then descend from v, and R is what does not: with it, f and h tell how likely each set is to
/// be the non-descendants of each variable, and so arcs, parent sets and ancestors, all from the same terms.
///
/// Layers of sets are done one after another, each by tasks that write to places of their own in an order of
/// their own, so that threads change nothing.
class NetworkSums {
  public:
    /// Unfinished where `control` stopped it.
    NetworkSums(const ParentSums& parents, std::size_t threads, Control& control);
    /// What they take, with those of parents.
    static double bytes(std::size_t variables);
    /// Terms to add.
    static double terms(std::size_t variables);

    /// h(∅), relative to the offsets of the parents' sums.
    Scaled total() const { return backward_.at(0); }
    /// h(R).
    Scaled beyond(std::uint32_t placed) const { return backward_.at(placed); }
    /// The probability that R is closed.
    double closed(std::uint32_t set) const {
        return (forward_.at(set) * backward_.at(set) / total()).value();
    }
    /// The share of h(R) in which v is the only variable without a parent beyond R.
    double alone(std::size_t v, std::uint32_t placed) const {
        return alone_[v][ParentSums::place_of(v, placed)];
    }

  private:
    class Worker;
    void fill_backward(std::size_t threads, Control& control);
    void fill_forward(std::size_t threads, Control& control);

    const ParentSums& parents_;
    std::size_t n_;
    SetTable forward_, backward_;
    std::vector<UninitializedVector<double>> alone_;
};

}  // namespace dagscape
