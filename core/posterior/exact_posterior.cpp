#include "posterior/exact_posterior.hpp"

#include <algorithm>
#include <bit>

#include "error.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

/// Below so many variables threads take longer to begin than the sums.
constexpr std::size_t least_for_threads = 12;

/// What samplers may keep of the weights of layers.
constexpr std::size_t sampler_bytes = std::size_t{1} << 28;

}  // namespace

PosteriorCost posterior_cost(const std::vector<std::size_t>& component_sizes) {
    PosteriorCost cost;
    for (const std::size_t size : component_sizes) {
        cost.bytes += NetworkSums::bytes(size);
        cost.terms += NetworkSums::terms(size);
    }
    return cost;
}

ExactPosterior::ExactPosterior(std::shared_ptr<const ParentLists> lists, bool split, std::size_t threads,
                               Control& control)
    : lists_(std::move(lists)),
      arcs_(lists_->variables() * lists_->variables()),
      ancestors_(arcs_.size(), -1.0) {
    std::vector<std::size_t> sizes = split ? component_sizes(*lists_) : std::vector{lists_->variables()};
    const PosteriorCost cost = posterior_cost(sizes);
    if (cost.bytes > static_cast<double>(control.max_bytes())) {
        control.stop(Stop::memory);
        return;
    }
    // The number of the component of each variable: earlier ones have none of its descendants.
    std::vector<std::size_t> number(variables());
    for (WeightedComponent& component : weighted_components(*lists_, split)) {
        for (const Var v : component.variables) number[v] = members_.size();
        members_.push_back(component.variables);
        parts_.push_back({std::move(component), nullptr, nullptr, nullptr});
    }
    for (std::size_t u = 0; u < variables(); ++u)
        for (std::size_t v = 0; v < variables(); ++v)
            if (number[u] > number[v]) ancestors_[u * variables() + v] = 0;
    for (Part& part : parts_) {
        const std::size_t size = part.component.variables.size();
        const std::size_t used = size < least_for_threads ? 1 : threads;
        control.stage(NetworkSums::terms(size) / cost.terms);
        part.parents = std::make_unique<ParentSums>(part.component, used, control);
        if (control.stopped()) return;
        part.sums = std::make_unique<NetworkSums>(*part.parents, used, control);
        if (control.stopped()) return;
        if (!(part.sums->total().mantissa > 0))
            throw Error(ErrorKind::graph, "no network can be built from the parent sets");
        const Marginals found = marginals(*part.parents, *part.sums, used, control);
        if (control.stopped()) return;
        take(part, found);
        part.sampler =
            std::make_unique<NetworkSampler>(part.component, *part.parents, *part.sums, sampler_bytes);
    }
    complete_ = true;
}

void ExactPosterior::take(const Part& part, const Marginals& found) {
    const std::vector<Var>& members = part.component.variables;
    const std::size_t size = members.size();
    log_total_ += part.sums->total().log();
    rounding_ = std::max(rounding_, found.rounding);
    for (std::size_t i = 0; i < size; ++i) log_total_ += part.parents->offset(i);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) {
            arcs_[members[i] * variables() + members[j]] = found.arcs[i * size + j];
            ancestors_[members[i] * variables() + members[j]] = found.ancestors[i * size + j];
        }
    // Parents from elsewhere come with a set, whose probability sums over the component tell.
    for (std::size_t i = 0; i < size; ++i) {
        const ParentList& list = lists_->lists[members[i]];
        const std::vector<WeightedSet>& sets = part.component.sets[i];
        std::vector<double> probabilities;
        for (std::size_t at = 0; at < list.size(); ++at) {
            const Members parents = list.parents(at);
            const auto inside = static_cast<std::size_t>(std::popcount(sets[at].inside));
            if (parents.size() == inside) continue;
            if (probabilities.empty())
                probabilities = parent_set_probabilities(part.component, *part.parents, *part.sums, i);
            for (const Var parent : parents)
                if (!std::binary_search(members.begin(), members.end(), parent))
                    arcs_[parent * variables() + members[i]] += probabilities[at];
        }
        for (std::size_t u = 0; u < variables(); ++u) {
            double& arc = arcs_[u * variables() + members[i]];
            arc = std::min(arc, 1.0);
        }
    }
}

std::vector<double> ExactPosterior::parent_sets(Var v) const {
    for (const Part& part : parts_) {
        const auto found = std::find(part.component.variables.begin(), part.component.variables.end(), v);
        if (found == part.component.variables.end()) continue;
        return parent_set_probabilities(part.component, *part.parents, *part.sums,
                                        static_cast<std::size_t>(found - part.component.variables.begin()));
    }
    return {};
}

std::vector<std::uint32_t> ExactPosterior::samples(std::uint64_t seed, std::uint64_t first, std::size_t count,
                                                   std::size_t threads, Control& control) const {
    std::vector<std::uint32_t> places(variables() * count);
    std::vector<char> drawn(count);
    parallel_for(count, threads, control, [&](std::size_t task, std::size_t) {
        draw(seed, first + task, &places[task * variables()]);
        drawn[task] = 1;
        control.advance(1 / static_cast<double>(count));
    });
    const auto missing = std::find(drawn.begin(), drawn.end(), 0);
    places.resize(variables() * static_cast<std::size_t>(missing - drawn.begin()));
    return places;
}

void ExactPosterior::draw(std::uint64_t seed, std::uint64_t stream, std::uint32_t* places) const {
    Random random(seed, stream);
    for (const Part& part : parts_) {
        const std::vector<std::uint32_t> drawn = part.sampler->draw(random);
        for (std::size_t i = 0; i < drawn.size(); ++i) places[part.component.variables[i]] = drawn[i];
    }
}

}  // namespace dagscape
