#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// Families with the weight that each has in a fractional solution.
struct WeightedFamilies {
    std::vector<Families::Column> columns;
    std::vector<double> weights;
};

/// Improves the multipliers of cuts one by one, each to the best of a smoothed bound.
///
/// The bound of multipliers is the sum of their right sides and of each child's least reduced cost. It has
/// kinks, at which steps along single multipliers get stuck. With the soft minimum in place of the least, -T
/// ln Σ exp(-cost / T), it is smooth: every child spreads a weight of 1 over its sets, and a multiplier is
/// best where the weights of its cut add up to the right side (as in the entropic relaxations of Globerson
/// and Jaakkola, NIPS 2007, and Werner, CVPR 2009). Such steps come to the maximum, which is near that of the
/// bound itself if the temperature T is low; and the weights are a solution of the linear program, nearly,
/// for new cuts to be found by.
///
/// Only sets of small reduced cost have weight: a step takes time for these and no others.
class SmoothedAscent {
  public:
    struct Options {
        double temperature;
        double reach;  // sets whose reduced costs are within so many temperatures of the least take part
    };
    /// Begins at the families' last pricing. `stays`: by column, for how many rounds it takes part in any
    /// case, of which this is one.
    SmoothedAscent(const Families& families, const Options& options, std::vector<std::uint8_t>& stays);

    /// One more cut, by its number in the families.
    void add(std::uint32_t cut);
    std::size_t cuts() const { return cuts_.size(); }
    /// Improves each multiplier once, in the order in which cuts were added. A step takes a multiplier a few
    /// temperatures at most. `multipliers`: as many as there are cuts.
    void sweep(std::span<double> multipliers);
    void improve(std::size_t cut, double& multiplier);

    /// Those with at least so much weight.
    WeightedFamilies solution(double least) const;
    std::size_t bytes() const;

  private:
    /// Families of one child that have the same coefficient, not 0, in a cut.
    struct Segment {
        Var child;
        double coefficient;
        std::uint32_t begin, end;  // in places_
        double weight = 0;         // of all of them, while a step is made
    };
    struct Part {
        double right;
        std::uint32_t begin, end;  // in segments_, a child's one after another
    };
    /// What the weights come to if the multiplier rises by so many temperatures, and how fast that grows.
    struct Total {
        double value, slope;
    };
    Total total(const Part& part, double by) const;
    /// The best rise of the multiplier between two, in temperatures.
    double step(const Part& part, double low, double high) const;
    void normalize(Var child);

    const Families& families_;
    double temperature_;
    std::vector<std::uint32_t> begins_;  // of each child's families that take part
    std::vector<std::uint32_t> at_;      // place among the child's kept sets
    std::vector<double> weights_;
    std::vector<double> sums_;  // of weights, by child
    std::vector<Part> cuts_;
    std::vector<Segment> segments_;
    std::vector<std::uint32_t> places_;  // in weights_
};

}  // namespace dagscape
