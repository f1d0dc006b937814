#include "set_functions/plain_walk.hpp"

#include <algorithm>
#include <numeric>

#include "parallel.hpp"
#include "set_functions/set_function.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

namespace {

class PlainBlock final : public ValueBlock {
  public:
    PlainBlock(const SetFunction& function, std::span<const std::size_t> positions, std::size_t end)
        : ValueBlock(positions, 0, end), function_(function) {}

    void joint(double* values) const override {
        for (std::size_t v = from; v < below; ++v) values[v] = function_.joint(set_with(v));
    }
    void given(std::uint32_t kind, double* values) const override {
        Var child = 0;
        while (function_.given_kind(child) != kind) ++child;
        for (std::size_t v = from; v < below; ++v) values[v] = function_.given(child, set_with(v));
    }

  private:
    /// Positions are the variables themselves, and the last is the lowest.
    Members set_with(std::size_t last) const {
        set_.assign(1, static_cast<Var>(last));
        for (std::size_t i = prefix.size(); i-- > 0;) set_.push_back(static_cast<Var>(prefix[i]));
        return set_;
    }

    const SetFunction& function_;
    mutable std::vector<Var> set_;
};

}  // namespace

PlainWalk::PlainWalk(const SetFunction& function) : function_(function), order_(function.variables()) {
    std::iota(order_.begin(), order_.end(), Var{0});
}

void PlainWalk::run(std::size_t size, bool /*keep*/, const WantedSets& wanted, std::size_t threads,
                    Control& control, ValueVisitor& visitor) {
    const std::size_t n = order_.size();
    const auto show = [&](const std::vector<std::size_t>& prefix, std::size_t worker) {
        visitor.visit(PlainBlock(function_, prefix, prefix.empty() ? n : prefix.back()), worker);
    };
    if (size == 1) {
        show({}, 0);
        return;
    }
    const std::size_t lower = size - 2;  // prefix positions below the highest
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const std::size_t top = n - 1 - task;  // the highest position has most sets below it
        if (top < size - 1 || (lower == 0 && !wanted.mine(top))) return;
        std::vector<std::size_t> rest(lower);                 // ascending
        std::iota(rest.begin(), rest.end(), std::size_t{1});  // one position is left for the last variable
        do {
            if (control.stopped()) return;
            if (lower > 0 && rest.front() == 0) continue;
            if (lower > 0 && !wanted.mine(top, rest.back())) continue;
            std::vector<std::size_t> prefix{top};
            prefix.insert(prefix.end(), rest.rbegin(), rest.rend());
            show(prefix, worker);
        } while (next_set(rest, top));
        control.advance(1.0 / static_cast<double>(n));
    });
}

double PlainWalk::cost(std::size_t size) const {
    return static_cast<double>(Ranks(order_.size(), size).choose(order_.size(), size)) * single_cost(size);
}

/// A pass over the rows for every member, about.
double PlainWalk::single_cost(std::size_t size) const {
    return 200 + function_.cases() * (1 + 0.6 * static_cast<double>(size));
}

}  // namespace dagscape
