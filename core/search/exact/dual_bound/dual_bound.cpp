#include "search/exact/dual_bound/dual_bound.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "infinity.hpp"
#include "search/exact/charged_array.hpp"
#include "search/exact/dual_bound/cluster_climb.hpp"
#include "search/exact/dual_bound/dual_ascent.hpp"
#include "search/exact/integer_program/clusters.hpp"

namespace dagscape {

namespace {

/// The temperature at first: the gap, shared among so many times as many parts as there are variables. The
/// soft minimum is off by about a temperature for each variable.
constexpr double parts_per_variable = 4;
/// How far it falls, in all and at a time.
constexpr double lowest_share = 1.0 / 40, cooling = 0.67;
/// Colder when a round raised the bound by less than this share of the gap.
constexpr double least_rise = 0.003;
/// At the lowest temperature, so many such rounds are the end.
constexpr std::size_t most_idle_rounds = 20;

/// A bound that is below the best by more than this share of the gap has gone astray, since sets were missed.
constexpr double fallen = 0.25;
/// So many times in succession, and there is no hope.
constexpr std::size_t most_rounds_astray = 200;
/// Sets take part whose reduced costs are within so many temperatures of the least, and for so many rounds.
constexpr double reach = 12;
constexpr std::uint8_t rounds_to_stay = 20;
/// The same where multipliers are taken from elsewhere, and which sets will be wanted is not known.
constexpr double first_reach = 80;

constexpr std::size_t sweeps_before = 20, sweeps_after = 10;

/// Families of less weight are not looked at when cuts are looked for: all of them for clusters, which are
/// quickly found; fewer where it takes longer.
constexpr double least_weight = 1e-4, least_weight_of_few = 1e-3;
constexpr double by_at_least = 3e-3, hulls_by_at_least = 1e-2;
/// With fewer new clusters the exact search helps, and, for each variable, cuts of other kinds.
constexpr std::size_t few_clusters = 10;
constexpr double few_clusters_per_variable = 0.3;
constexpr std::uint64_t steps_of_exact_search = 300;
constexpr std::size_t largest_hull = 5, most_hulls = 2000, most_hull_cuts = 200, enough_hull_cuts = 50;

}  // namespace

DualBound::DualBound(const ParentLists& parents, const Options& options)
    : options_(options), families_(parents), hulls_(families_), now_(families_), best_(families_) {}

std::size_t DualBound::bytes_for(const ParentLists& parents) {
    // Sets twice, by row and by word; regrets twice, reduced costs, those of the ascent, and what takes part.
    const std::size_t words = 2 * BitRows::width(parents.variables());
    return parents.sets() * (words * sizeof(BitRows::Word) + 4 * sizeof(double) + 2 * sizeof(std::uint32_t));
}

DualBound::Work DualBound::raise(Gap& gap, std::uint64_t most_rounds, Control& control) {
    if (!begun_ && !control.stopped()) {
        begun_ = true;
        begin(gap, control);
    }
    for (std::uint64_t rounds = 0; rounds < most_rounds && !done_ && !gap.closed() && !control.stopped();
         ++rounds)
        round(gap, control);
    work_.multipliers = best_.size();
    work_.sets_left = families_.kept();
    return work_;
}

void DualBound::begin_at(std::span<const std::uint32_t> cuts, std::span<const double> multipliers,
                         double temperature) {
    for (std::size_t at = 0; at < cuts.size(); ++at) now_.add(families_.cut(cuts[at]), multipliers[at]);
    temperature_ = lowest_ = temperature;
}

void DualBound::begin(Gap& gap, Control& control) {
    price(gap);
    if (gap.closed()) return;
    Ascent ascent = dual_ascent(families_, options_.seed, control);
    work_.clusters += ascent.clusters.size();
    for (RaisedCluster& cluster : ascent.clusters)
        now_.add({std::move(cluster.members), 1, 1, {}}, cluster.by);
    held_.assign(now_.cuts().begin(), now_.cuts().end());
    last_bound_ = price(gap);
    if (ascent.impossible) {  // of the sets that are left, so that nothing is better than the incumbent
        gap.raise(gap.regret());
        done_ = true;
    }
    if (temperature_ > 0) {
        let_stay(first_reach);
    } else {
        temperature_ = gap_of(gap) / parts_per_variable / static_cast<double>(families_.variables());
        lowest_ = temperature_ * lowest_share;
    }
    if (!(temperature_ > 0)) done_ = true;
}

void DualBound::round(Gap& gap, Control& control) {
    SmoothedAscent ascent(families_, {temperature_, reach}, stays_);
    for (const std::uint32_t cut : now_.cuts()) {
        if (control.stopped()) return;
        ascent.add(cut);
    }
    const Charge memory(ascent.bytes(), control);
    const auto sweep = [&](std::size_t times) {
        for (std::size_t i = 0; i < times && !control.stopped(); ++i, ++work_.sweeps)
            ascent.sweep(now_.values());
    };
    sweep(sweeps_before);
    const std::size_t found = find_cuts(ascent, control);
    sweep(sweeps_after);
    solution_ = ascent.solution(least_weight);
    const double bound = price(gap);
    forget();
    ++work_.rounds;
    const std::size_t missed = let_stay(reach);
    if (bound < best_bound_ - fallen * gap_of(gap)) {
        // Back, with the sets that were missed. Where few were, the smoothing costs more than steps gain.
        if (missed < families_.variables()) temperature_ = std::max(lowest_, temperature_ * cooling);
        if (++rounds_astray_ >= most_rounds_astray) done_ = true;
        now_ = best_;
        last_bound_ = price(gap);
        return;
    }
    rounds_astray_ = 0;
    if (bound - last_bound_ < least_rise * gap_of(gap)) {
        if (temperature_ <= lowest_ && found < few_clusters && ++idle_rounds_ >= most_idle_rounds)
            done_ = true;
        temperature_ = std::max(lowest_, temperature_ * cooling);
    }
    last_bound_ = bound;
}

std::size_t DualBound::find_cuts(SmoothedAscent& ascent, Control& control) {
    const std::size_t before = now_.size();
    const auto found = [&] { return now_.size() - before; };
    const auto add = [&](std::vector<Cut> cuts) {
        for (Cut& cut : cuts) now_.add(std::move(cut), 0);
    };
    const WeightedFamilies all = ascent.solution(least_weight);
    add(climbed_clusters(families_, all.columns, all.weights, by_at_least));
    const WeightedFamilies few = ascent.solution(least_weight_of_few);
    if (found() < few_clusters && !control.stopped())
        add(violated_clusters(families_, few.columns, few.weights, by_at_least, steps_of_exact_search,
                              2 * families_.variables())
                .cuts);
    work_.clusters += found();
    const double enough = few_clusters_per_variable * static_cast<double>(families_.variables());
    if (options_.hulls && static_cast<double>(found()) < enough) {
        const std::size_t clusters = found();
        add(violated_packings(families_, few.columns, few.weights, hulls_by_at_least));
        for (std::size_t size = 3; size <= largest_hull && found() < clusters + enough_hull_cuts; ++size) {
            if (control.stopped()) break;
            add(hulls_.violated(few.columns, few.weights,
                                {size, hulls_by_at_least, most_hulls, most_hull_cuts}));
        }
        work_.hull_cuts += found() - clusters;
    }
    for (std::size_t at = before; at < now_.size(); ++at) {
        held_.push_back(now_.cuts()[at]);
        ascent.add(now_.cuts()[at]);
        ascent.improve(at, now_.values()[at]);
    }
    return found();
}

double DualBound::price(Gap& gap) {
    now_.drop_idle();
    const double bound = now_.price(options_.threads);
    if (bound > best_bound_) {
        best_bound_ = bound;
        best_ = now_;
    }
    gap.raise(std::min(bound, gap.regret()));
    families_.drop(gap.regret() - Gap::tolerance);
    return bound;
}

std::size_t DualBound::let_stay(double within) {
    stays_.resize(families_.columns());
    std::size_t missed = 0;
    for (std::size_t v = 0; v < families_.variables(); ++v) {
        const Var child = static_cast<Var>(v);
        const std::span<const double> reduced = families_.reduced(child);
        const double most = families_.least_reduced(child) + within * temperature_;
        for (std::size_t at = 0; at < reduced.size(); ++at) {
            if (reduced[at] > most) continue;
            std::uint8_t& rounds = stays_[families_.kept_column(child, at)];
            missed += rounds == 0;
            rounds = rounds_to_stay;
        }
    }
    return missed;
}

void DualBound::forget() {
    std::vector<std::uint32_t> wanted(now_.cuts().begin(), now_.cuts().end());
    wanted.insert(wanted.end(), best_.cuts().begin(), best_.cuts().end());
    std::sort(wanted.begin(), wanted.end());
    std::erase_if(held_, [&](std::uint32_t cut) {
        if (std::binary_search(wanted.begin(), wanted.end(), cut)) return false;
        families_.forget(cut);
        return true;
    });
}

/// Without a network, a part of all that a network can lose.
double DualBound::gap_of(const Gap& gap) const {
    const double regret = gap.regret();
    return regret < infinity ? regret - best_bound_ : 0.1 * best_bound_;
}

}  // namespace dagscape
