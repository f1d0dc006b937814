#include "scores/determinant_walk.hpp"

#include <numeric>
#include <optional>

#include "parallel.hpp"
#include "scores/cholesky_rows.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

namespace {

/// Positions are the variables themselves.
class DeterminantBlock final : public ValueBlock {
  public:
    DeterminantBlock(const DeterminantFunction& function, CholeskyRows& rows,
                     std::span<const std::size_t> positions, std::size_t end)
        : ValueBlock(positions, 0, end), function_(function), rows_(rows) {}

    void joint(double* values) const override {
        const ColumnBlocks& blocks = function_.blocks();
        for (std::size_t i = from; i < below; ++i) {
            const auto v = static_cast<Var>(i);
            values[i] = function_.value(rows_.columns() + blocks.width(v),
                                        rows_.log_determinant() + rows_.log_determinant_of(v),
                                        rows_.offset() + function_.terms().offset[v]);
        }
    }
    void given(std::uint32_t /*kind*/, double* values) const override { joint(values); }

  private:
    const DeterminantFunction& function_;
    CholeskyRows& rows_;
};

/// One thread's way down the tree.
class Descent {
  public:
    Descent(const DeterminantFunction& function, std::size_t size, const WantedSets& wanted, Control& control,
            ValueVisitor& visitor, std::size_t worker)
        : function_(function),
          rows_(function),
          size_(size),
          wanted_(wanted),
          control_(control),
          visitor_(visitor),
          worker_(worker) {}

    void below(std::size_t top) {
        prefix_.clear();
        rows_.shorten(0);
        push(top);
    }
    void show(std::size_t end) { visitor_.visit(DeterminantBlock(function_, rows_, prefix_, end), worker_); }

  private:
    void push(std::size_t position) {
        const auto v = static_cast<Var>(position);
        prefix_.push_back(position);
        rows_.push(v, function_.blocks().begin[v]);
        if (prefix_.size() + 1 == size_) {
            show(position);
        } else {
            // Each variable still to come needs a position below the one before it.
            const std::size_t least = size_ - 1 - prefix_.size();
            for (std::size_t next = position; next-- > least;) {
                if (control_.stopped()) break;
                if (prefix_.size() == 1 && !wanted_.mine(prefix_.front(), next)) continue;
                push(next);
            }
        }
        prefix_.pop_back();
        rows_.shorten(prefix_.size());
    }

    const DeterminantFunction& function_;
    CholeskyRows rows_;
    std::size_t size_;
    const WantedSets& wanted_;
    Control& control_;
    ValueVisitor& visitor_;
    std::size_t worker_;
    std::vector<std::size_t> prefix_;
};

}  // namespace

DeterminantWalk::DeterminantWalk(const DeterminantFunction& function)
    : function_(function), order_(function.variables()) {
    std::iota(order_.begin(), order_.end(), Var{0});
}

void DeterminantWalk::run(std::size_t size, bool /*keep*/, const WantedSets& wanted, std::size_t threads,
                          Control& control, ValueVisitor& visitor) {
    const std::size_t n = order_.size();
    if (size == 1) {
        Descent(function_, size, wanted, control, visitor, 0).show(n);
        return;
    }
    std::vector<std::optional<Descent>> descents(threads);
    parallel_for(n, threads, control, [&](std::size_t task, std::size_t worker) {
        const std::size_t top = n - 1 - task;  // the highest position has most sets below it
        if (top < size - 1 || (size == 2 && !wanted.mine(top))) return;
        if (!descents[worker]) descents[worker].emplace(function_, size, wanted, control, visitor, worker);
        descents[worker]->below(top);
        control.advance(1.0 / static_cast<double>(n));
    });
}

double DeterminantWalk::cost(std::size_t size) const {
    const double sets = static_cast<double>(Ranks(order_.size(), size).choose(order_.size(), size));
    return sets * (10 + 2 * static_cast<double>(size));
}

double DeterminantWalk::single_cost(std::size_t size) const {
    const auto d = static_cast<double>(size);
    return 60 + 10 * d * d + d * d * d / 3;
}

}  // namespace dagscape
