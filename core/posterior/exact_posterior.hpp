#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "control.hpp"
#include "posterior/marginals.hpp"
#include "posterior/network_sampler.hpp"
#include "posterior/network_sums.hpp"

namespace dagscape {

/// What sums over all networks take: memory while they are kept, and terms to add.
struct PosteriorCost {
    double bytes = 0;
    double terms = 0;
};
PosteriorCost posterior_cost(const std::vector<std::size_t>& component_sizes);

/// The distribution over all networks whose weight is a product of weights of parent sets, by exact sums over
/// the networks of each component.
class ExactPosterior {
  public:
    /// `lists` has the log weights in place of scores. Not `complete()` where `control` stopped it.
    ExactPosterior(std::shared_ptr<const ParentLists> lists, bool split, std::size_t threads,
                   Control& control);
    ExactPosterior(const ExactPosterior&) = delete;
    ExactPosterior& operator=(const ExactPosterior&) = delete;

    bool complete() const { return complete_; }
    std::size_t variables() const { return lists_->variables(); }
    const ParentLists& lists() const { return *lists_; }
    /// The log of the sum of all weights.
    double log_total() const { return log_total_; }
    /// Of arcs u→v, at u × n + v.
    const std::vector<double>& arcs() const { return arcs_; }
    /// Of paths u→…→v within a component; across components, where sums do not tell, −1. Only a variable of
    /// an earlier component can be an ancestor: the other way it is 0.
    const std::vector<double>& ancestors() const { return ancestors_; }
    double rounding() const { return rounding_; }
    const std::vector<std::vector<Var>>& components() const { return members_; }
    std::vector<double> parent_sets(Var v) const;
    /// Samples first, first + 1, ... of a seed, one after another: for each variable the place of a set in
    /// its list. A sample depends on its number alone. Fewer where `control` stops it.
    std::vector<std::uint32_t> samples(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                       std::size_t threads, Control& control) const;

  private:
    struct Part {
        WeightedComponent component;
        std::unique_ptr<ParentSums> parents;
        std::unique_ptr<NetworkSums> sums;
        std::unique_ptr<NetworkSampler> sampler;
    };
    void draw(std::uint64_t seed, std::uint64_t stream, std::uint32_t* places) const;
    void take(const Part& part, const Marginals& found);

    std::shared_ptr<const ParentLists> lists_;
    std::vector<Part> parts_;
    std::vector<std::vector<Var>> members_;
    std::vector<double> arcs_, ancestors_;
    double log_total_ = 0;
    double rounding_ = 0;
    bool complete_ = false;
};

}  // namespace dagscape
