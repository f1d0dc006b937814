#include "posterior/network_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "clones.hpp"
#include "parallel.hpp"
#include "posterior/signed_products.hpp"

namespace dagscape {

namespace {

using Set = std::uint32_t;

/// The exponent of what is zero, and may be the target of no term that is not.
constexpr std::int64_t unreachable = std::int64_t{-1} << 60;

/// Subsets of so many variables are done in one loop without a branch; there is one for each subset of the
/// rest.
constexpr std::size_t most_inner = 10;

/// column[t] += row[t] = outer × inner[t] × values[set ∪ inner set t]
DAGSCAPE_CLONES void gather(const SignedProducts& inner, Scaled outer, Set set, const SetTable& values,
                            double* __restrict row, double* __restrict column) {
    const double* __restrict mantissas = inner.mantissas();
    const std::int64_t* __restrict exponents = inner.exponents();
    const Set* __restrict sets = inner.sets();
    const double* __restrict value = values.mantissas.data();
    const std::int64_t* __restrict value_exponent = values.exponents.data();
    const std::size_t count = inner.size();
    for (std::size_t t = 0; t < count; ++t) {
        const Set at = set | sets[t];
        const double scale = power_of_two(outer.exponent + exponents[t] + value_exponent[at]);
        row[t] = outer.mantissa * mantissas[t] * value[at] * scale;
        column[t] += row[t];
    }
}

/// values[set ∪ inner set t] += outer × inner[t]; exponents are those of the values.
DAGSCAPE_CLONES void scatter(const SignedProducts& inner, Scaled outer, Set set, SetTable& values) {
    const double* __restrict mantissas = inner.mantissas();
    const std::int64_t* __restrict exponents = inner.exponents();
    const Set* __restrict sets = inner.sets();
    double* __restrict value = values.mantissas.data();
    const std::int64_t* __restrict value_exponent = values.exponents.data();
    const std::size_t count = inner.size();
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep  // no two subsets are the same
#endif
    for (std::size_t t = 0; t < count; ++t) {
        const Set at = set | sets[t];
        const double scale = power_of_two(outer.exponent + exponents[t] - value_exponent[at]);
        value[at] += outer.mantissa * mantissas[t] * scale;
    }
}

/// In a fixed order, eight sums side by side.
DAGSCAPE_CLONES double sum(const double* __restrict values, std::size_t count) {
    std::array<double, 8> sums{};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += values[i + lane];
    for (; i < count; ++i) sums[i % 8] += values[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

Set bit(std::size_t v) { return Set{1} << v; }

/// Sets of so many out of n variables, ascending.
std::vector<Set> sets_of_size(std::size_t n, std::size_t size) {
    std::vector<Set> sets;
    const std::uint64_t end = std::uint64_t{1} << n;
    std::uint64_t set = (std::uint64_t{1} << size) - 1;
    while (set < end) {
        sets.push_back(static_cast<Set>(set));
        if (set == 0) break;
        const std::uint64_t lowest = set & (~set + 1), ripple = set + lowest;  // the next with as many bits
        set = ripple | ((set ^ ripple) >> 2) / lowest;
    }
    return sets;
}

}  // namespace

/// What a thread needs.
class NetworkSums::Worker {
  public:
    explicit Worker(NetworkSums& sums) : sums_(sums), row_(1 << most_inner), column_(1 << most_inner) {}

    /// h(R) and who is alone beyond R, once h is there for all larger sets.
    void backward(Set placed) {
        SetTable& h = sums_.backward_;
        h.mantissas[placed] = 0;  // the term without any variable
        h.exponents[placed] = unreachable;
        std::int64_t top = unreachable;
        free_.clear();
        for (std::size_t v = 0; v < sums_.n_; ++v) {
            if ((placed >> v & 1) != 0) continue;
            const Scaled a = sums_.parents_.at(v, placed);
            alone(v, placed) = 0;
            if (a.mantissa == 0) continue;  // none of its sets fits: all terms with it are zero
            free_.push_back(v);
            const Scaled next = h.at(placed | bit(v));
            if (next.mantissa != 0) top = std::max(top, next.exponent + a.exponent);
        }
        if (top == unreachable) return;
        make_products(placed, {-1, -top}, placed);
        std::fill_n(column_.begin(), inner_.size(), 0.0);
        totals_.assign(sums_.n_, 0);
        for (std::size_t i = 0; i < outer_.size(); ++i) {
            const Set set = outer_.sets()[i];
            gather(inner_, outer_.at(i), set, h, row_.data(), column_.data());
            if (outer_.size() == 1) break;
            const double total = sum(row_.data(), inner_.size());
            for (Set rest = set & ~placed; rest != 0; rest &= rest - 1) totals_[first(rest)] += total;
        }
        std::size_t half = inner_.size();
        for (std::size_t at = std::min(free_.size(), most_inner); at-- > 0;) {
            half /= 2;  // the products with this variable are the upper half, then folded onto the lower
            totals_[free_[at]] = sum(&column_[half], half);
            for (std::size_t t = 0; t < half; ++t) column_[t] += column_[half + t];
        }
        h.mantissas[placed] = column_[0];
        h.exponents[placed] = top;
        for (const std::size_t v : free_) alone(v, placed) = totals_[v] / column_[0];
    }

    /// Adds the terms of f(R) to f(R ∪ T), for all T that have `added` and any of the first `low` variables.
    void push(Set placed, Set added, std::size_t low) {
        SetTable& f = sums_.forward_;
        Scaled start = f.at(placed);
        if (start.mantissa == 0) return;
        start.mantissa = -start.mantissa;
        for (Set rest = added; rest != 0; rest &= rest - 1) {
            const Scaled a = sums_.parents_.at(first(rest), placed);
            if (a.mantissa == 0) return;
            start = {-start.mantissa * a.mantissa, start.exponent + a.exponent};
        }
        free_.clear();
        for (std::size_t v = 0; v < low; ++v)
            if ((placed >> v & 1) == 0 && sums_.parents_.at(v, placed).mantissa != 0) free_.push_back(v);
        make_products(placed, start, placed | added);
        const double own = f.mantissas[placed];
        for (std::size_t i = 0; i < outer_.size(); ++i) scatter(inner_, outer_.at(i), outer_.sets()[i], f);
        if (added == 0) f.mantissas[placed] = own;  // no variable at all is no term
    }

    /// The exponents of f for some sets in a row, once they are there for all smaller ones.
    void forward_exponents(Set begin, std::size_t count) {
        SetTable& f = sums_.forward_;
        for (std::size_t i = 0; i < count; ++i) {
            const Set set = begin + static_cast<Set>(i);
            std::int64_t top = set == 0 ? 0 : unreachable;
            for (Set rest = set; rest != 0; rest &= rest - 1) {
                const Set before = set & ~(rest & (~rest + 1));
                const Scaled a = sums_.parents_.at(first(rest), before);
                if (a.mantissa != 0 && f.exponents[before] != unreachable)
                    top = std::max(top, f.exponents[before] + a.exponent);
            }
            f.exponents[set] = top;
            f.mantissas[set] = set == 0 ? 1 : 0;
        }
    }

  private:
    static std::size_t first(Set set) { return static_cast<std::size_t>(std::countr_zero(set)); }
    double& alone(std::size_t v, Set placed) { return sums_.alone_[v][ParentSums::place_of(v, placed)]; }

    /// The products over all subsets of the free variables: inner ones times outer ones, which begin with
    /// `start` for `set`.
    void make_products(Set placed, Scaled start, Set set) {
        inner_.start({1, 0}, 0);
        outer_.start(start, set);
        for (std::size_t i = 0; i < free_.size(); ++i)
            (i < most_inner ? inner_ : outer_).times(sums_.parents_.at(free_[i], placed), bit(free_[i]));
    }

    NetworkSums& sums_;
    SignedProducts inner_, outer_;
    std::vector<double> row_, column_, totals_;
    std::vector<std::size_t> free_;
};

double NetworkSums::terms(std::size_t variables) { return 2 * std::pow(3.0, static_cast<double>(variables)); }

double NetworkSums::bytes(std::size_t variables) {
    const double sets = std::ldexp(1.0, static_cast<int>(variables));
    return ParentSums::bytes(variables) + sets * (static_cast<double>(variables) / 2 * sizeof(double)) +
           2 * sets * (sizeof(double) + sizeof(std::int64_t));
}

NetworkSums::NetworkSums(const ParentSums& parents, std::size_t threads, Control& control)
    : parents_(parents),
      n_(parents.variables()),
      forward_(std::size_t{1} << n_),
      backward_(std::size_t{1} << n_),
      alone_(n_) {
    for (auto& table : alone_) table.resize(std::size_t{1} << (n_ - 1));
    fill_backward(threads, control);
    if (!control.stopped()) fill_forward(threads, control);
}

void NetworkSums::fill_backward(std::size_t threads, Control& control) {
    const double share = 0.5 / std::pow(3.0, static_cast<double>(n_));
    std::vector<Worker> workers(threads, Worker(*this));
    const Set all = static_cast<Set>((std::uint64_t{1} << n_) - 1);
    backward_.mantissas[all] = 1;
    backward_.exponents[all] = 0;
    for (std::size_t size = n_; size-- > 0;) {
        const std::vector<Set> layer = sets_of_size(n_, size);
        const double terms = std::ldexp(1.0, static_cast<int>(n_ - size));
        const std::size_t chunk = std::max<std::size_t>(1, (std::size_t{1} << 16) >> (n_ - size));
        parallel_for((layer.size() + chunk - 1) / chunk, threads, control,
                     [&](std::size_t task, std::size_t worker) {
                         const std::size_t end = std::min(layer.size(), (task + 1) * chunk);
                         for (std::size_t i = task * chunk; i < end; ++i) workers[worker].backward(layer[i]);
                         control.advance(share * terms * static_cast<double>(end - task * chunk));
                     });
        if (control.why() != Stop::none) return;
    }
}

void NetworkSums::fill_forward(std::size_t threads, Control& control) {
    // Sets that agree in their high part are a block. A block takes terms from blocks whose high part is a
    // subset of its own, so those with equally many high variables do not depend on each other, and every
    // sum is written to by one task alone.
    const std::size_t high = n_ > most_inner ? std::min<std::size_t>(n_ - most_inner, 8) : 0, low = n_ - high;
    const std::size_t sets = std::size_t{1} << low;
    const double share = 0.5 / std::pow(3.0, static_cast<double>(high)) / static_cast<double>(sets);
    std::vector<Worker> workers(threads, Worker(*this));
    for (std::size_t size = 0; size <= high; ++size) {
        const std::vector<Set> layer = sets_of_size(high, size);
        parallel_for(layer.size(), threads, control, [&](std::size_t task, std::size_t worker) {
            const Set to = layer[task];
            workers[worker].forward_exponents(to << low, sets);
            // From all parts of it, itself last: 0, then the next subset up.
            for (Set from = 0;; from = (from - to) & to) {
                for (Set rest = 0; rest < sets; ++rest) {
                    if (rest % 64 == 0 && control.stopped()) return;
                    workers[worker].push(from << low | rest, (to & ~from) << low, low);
                }
                control.advance(share * static_cast<double>(sets));
                if (from == to) break;
            }
        });
        if (control.why() != Stop::none) return;
    }
}

}  // namespace dagscape
