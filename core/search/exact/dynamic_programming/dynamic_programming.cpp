#include "search/exact/dynamic_programming/dynamic_programming.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "clones.hpp"
#include "infinity.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

/// Sets that agree in all but the first so many variables are a block: they lie next to each other, and
/// what is done to them fits the cache.
constexpr std::size_t most_low = 12;

/// to[i] = min(to[i], from[i] + cost[i])
DAGSCAPE_CLONES void relax(double* to, const double* from, const double* cost, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double through = from[i] + cost[i];
        to[i] = through < to[i] ? through : to[i];
    }
}

/// Sets that differ in the first three variables alone are looked at together, as one vector of numbers.
constexpr std::size_t lane_bits = 3, lanes = 1 << lane_bits;

/// least[i] = min(least[i], regret) for the lanes that contain `part`.
inline void lower_lanes(double* least, std::size_t part, double regret) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double here = (lane & part) == part ? regret : infinity;
        least[lane] = here < least[lane] ? here : least[lane];
    }
}

/// From the regret of each set of parents to the least among its subsets, which lower_lanes has seen to for
/// the first three variables. Two variables at a time, since memory is what it waits for.
DAGSCAPE_CLONES void spread(double* __restrict least, std::size_t bits) {
    const auto lower = [](double& here, double other) { here = other < here ? other : here; };
    const std::size_t count = std::size_t{1} << bits;
    std::size_t bit = lane_bits;
    for (; bit + 1 < bits; bit += 2) {
        const std::size_t step = std::size_t{1} << bit;
        for (std::size_t from = 0; from < count; from += 4 * step) {
            double* __restrict none = least + from;
            double* __restrict first = none + step;
            double* __restrict second = first + step;
            double* __restrict both = second + step;
            for (std::size_t i = 0; i < step; ++i) {
                lower(first[i], none[i]);
                lower(both[i], second[i]);
                lower(second[i], none[i]);
                lower(both[i], first[i]);
            }
        }
    }
    if (bit < bits) {
        const std::size_t step = std::size_t{1} << bit;
        for (std::size_t i = 0; i < step; ++i) lower(least[i + step], least[i]);
    }
}

class Blocks {
  public:
    Blocks(const Regrets& regrets, std::size_t threads)
        : regrets_(regrets),
          n_(regrets.variables()),
          low_(std::min(n_, most_low)),
          size_(std::size_t{1} << low_),
          threads_(threads),
          least_(std::size_t{1} << n_),
          tables_(threads) {}

    bool fill(Control& control) {
        // Blocks that differ in one variable depend on each other, those with equally many do not.
        const std::size_t high = n_ - low_, count = std::size_t{1} << high;
        std::vector<std::vector<std::uint32_t>> layers(high + 1);
        for (std::uint32_t block = 0; block < count; ++block)
            layers[static_cast<std::size_t>(std::popcount(block))].push_back(block);
        for (const std::vector<std::uint32_t>& layer : layers) {
            parallel_for(layer.size(), threads_, control, [&](std::size_t task, std::size_t worker) {
                fill(VarSet(std::uint64_t{layer[task]} << low_), tables_[worker]);
                control.advance(1 / static_cast<double>(count));
            });
            if (control.why() != Stop::none) return false;
        }
        return true;
    }

    double least() const { return least_.back(); }
    UninitializedVector<double> take() { return std::move(least_); }
    /// An order of least regret.
    std::vector<Var> order() const {
        std::vector<Var> order(n_);
        VarSet set = regrets_.all();
        for (std::size_t at = n_; at-- > 0;) {
            // The same sum of the same numbers as on the way up, so one of them is equal.
            for (const Var last : set) {
                const VarSet rest = set - last;
                if (least_[rest.bits()] + regrets_.regret(last, rest) != least_[set.bits()]) continue;
                order[at] = last;
                set = rest;
                break;
            }
        }
        return order;
    }

  private:
    using Table = UninitializedVector<double>;

    /// All sets whose high part is `high`.
    void fill(VarSet high, std::vector<Table>& tables) {
        if (tables.empty()) tables.assign(low_ + 1, Table(std::max(size_, lanes)));
        double* here = &least_[high.bits()];
        std::fill(here, here + size_, infinity);
        if (high.empty()) here[0] = 0;
        for (const Var last : high) {
            const VarSet rest = high - last;
            table(last, rest, tables[low_]);
            relax(here, &least_[rest.bits()], tables[low_].data(), size_);
        }
        for (std::size_t v = 0; v < low_; ++v) table(static_cast<Var>(v), high, tables[v]);
        within(here, 0, low_, tables);
    }

    /// What the child loses for every low part of what is available, given the high part.
    void table(Var child, VarSet high, Table& least) const {
        std::fill(least.begin(), least.end(), infinity);
        const VarSet low = VarSet::first(low_);
        for (std::size_t at = 0; at < regrets_.sets(child); ++at) {
            const VarSet set = regrets_.set(child, at);
            if (!(set - low).subset_of(high)) continue;
            const std::size_t part = (set & low).bits();
            lower_lanes(&least[part / lanes * lanes], part % lanes, regrets_.regret_at(child, at));
        }
        spread(least.data(), low_);
    }

    /// Steps that add a low variable, among the 2^bits sets from `from` on: those without the highest of the
    /// bits, from them to those with it, then those.
    void within(double* here, std::size_t from, std::size_t bits, const std::vector<Table>& tables) const {
        if (bits <= lane_bits) {
            for (std::size_t set = from; set < from + (std::size_t{1} << bits); ++set)
                for (std::size_t v = 0; v < bits; ++v)
                    if ((set >> v & 1) == 0) {
                        double& with = here[set | std::size_t{1} << v];
                        with = std::min(with, here[set] + tables[v][set]);
                    }
            return;
        }
        const std::size_t half = std::size_t{1} << (bits - 1);
        within(here, from, bits - 1, tables);
        relax(here + from + half, here + from, tables[bits - 1].data() + from, half);
        within(here, from + half, bits - 1, tables);
    }

    const Regrets& regrets_;
    std::size_t n_, low_, size_, threads_;
    UninitializedVector<double> least_;       // by set
    std::vector<std::vector<Table>> tables_;  // by worker
};

}  // namespace

std::size_t dynamic_programming_bytes(std::size_t variables, std::size_t threads) {
    const std::size_t low = std::min(variables, most_low);
    return sizeof(double) * ((std::size_t{1} << variables) + threads * (low + 1) * (std::size_t{1} << low)) +
           sizeof(std::uint32_t) * (std::size_t{1} << (variables - low));
}

LeastRegrets least_regrets(const Regrets& regrets, std::size_t threads, Control& control) {
    Blocks blocks(regrets, threads);
    if (!blocks.fill(control)) return {};
    std::vector<Var> order;
    if (blocks.least() < infinity) order = blocks.order();
    return {blocks.take(), std::move(order)};
}

DynamicProgrammingWork dynamic_programming(const Regrets& regrets, std::size_t threads, Gap& gap,
                                           Control& control, std::vector<Var>* order) {
    DynamicProgrammingWork work;
    const std::size_t n = regrets.variables();
    if (n >= 40) control.stop(Stop::memory);  // a thousand times too many, and beyond what sizes can say
    if (control.stopped()) return work;
    work.bytes = dynamic_programming_bytes(n, threads);
    control.charge(work.bytes);
    if (!control.stopped()) {
        Blocks blocks(regrets, threads);
        if (blocks.fill(control)) {
            work.nodes = std::uint64_t{1} << n;
            work.edges = n * (work.nodes / 2);
            if (blocks.least() < infinity) {
                const std::vector<Var> along = blocks.order();
                Regrets::Chosen best = regrets.along(along);
                if (order) *order = along;
                gap.offer(best.regret, std::move(best.places));
            }
            gap.raise(std::min(blocks.least(), gap.regret()));
        }
    }
    control.release(work.bytes);
    return work;
}

DynamicProgrammingWork dynamic_programming(const ParentLists& parents, std::size_t threads, Gap& gap,
                                           Control& control) {
    const auto regrets = Regrets::within_limits(parents, control);
    return regrets ? dynamic_programming(*regrets, threads, gap, control) : DynamicProgrammingWork{};
}

}  // namespace dagscape
