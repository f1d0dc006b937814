#include "scores/determinant_walk.hpp"

#include <numeric>
#include <span>

#include "scores/cholesky_rows.hpp"
#include "scores/prefix_walk.hpp"
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

/// The factor of a set, over all columns that may follow.
class DeterminantPrefix {
  public:
    explicit DeterminantPrefix(const DeterminantFunction& function) : function_(&function), rows_(function) {}

    void push(std::size_t position) {
        const auto v = static_cast<Var>(position);
        rows_.push(v, function_->blocks().begin[v]);
    }
    void shorten(std::size_t size) { rows_.shorten(size); }
    void show(std::span<const std::size_t> positions, std::size_t end, ValueVisitor& visitor,
              std::size_t worker) {
        visitor.visit(DeterminantBlock(*function_, rows_, positions, end), worker);
    }

  private:
    const DeterminantFunction* function_;
    CholeskyRows rows_;
};

}  // namespace

DeterminantWalk::DeterminantWalk(const DeterminantFunction& function)
    : function_(function), order_(function.variables()) {
    std::iota(order_.begin(), order_.end(), Var{0});
}

void DeterminantWalk::run(std::size_t size, bool /*keep*/, const WantedSets& wanted, std::size_t threads,
                          Control& control, ValueVisitor& visitor) {
    walk_prefixes(order_.size(), size, wanted, threads, control, visitor,
                  [&] { return DeterminantPrefix(function_); });
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
