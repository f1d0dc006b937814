#include "scores/mixed_walk.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "scores/cholesky_rows.hpp"
#include "scores/prefix_walk.hpp"
#include "varset/inserted.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

namespace {

/// That a factor's column takes for a column that is in it and one that is not. Measured.
constexpr double nanoseconds_each = 0.3;

/// A set, with its sums at each length.
class MixedPrefix {
  public:
    MixedPrefix(const MixedLikelihood& function, const std::vector<Var>& order)
        : function_(&function), order_(&order), rows_(function.columns()), parts_(1) {
        parts_.front().states = function.states_of({});
    }

    void push(std::size_t position) {
        const Var v = (*order_)[position];
        rows_.push(v, function_->columns().blocks().columns());
        MixedLikelihood::Parts parts = parts_.back();
        function_->add(v, parts);
        parts.of_all = rows_.log_determinant();
        if (!function_->is_number(v)) {
            states_.insert(std::lower_bound(states_.begin(), states_.end(), v), v);
            parts.of_states = parts.of_all;
            parts.states = function_->states_of(states_);
        }
        members_.push_back(v);
        parts_.push_back(parts);
    }
    void shorten(std::size_t size) {
        rows_.shorten(size);
        parts_.resize(size + 1);
        for (; members_.size() > size; members_.pop_back())
            if (!function_->is_number(members_.back()))
                states_.erase(std::lower_bound(states_.begin(), states_.end(), members_.back()));
    }
    void show(std::span<const std::size_t> positions, std::size_t end, ValueVisitor& visitor,
              std::size_t worker);

    double with(std::size_t position) {
        const Var v = (*order_)[position];
        // One more column of states comes before all numbers, so there are none yet.
        if (!function_->is_number(v)) return function_->states_of(Inserted(states_, {v}));
        MixedLikelihood::Parts parts = parts_.back();
        function_->add(v, parts);
        parts.of_all += rows_.log_determinant_of(v);
        return function_->value(parts);
    }

  private:
    const MixedLikelihood* function_;
    const std::vector<Var>* order_;
    CholeskyRows rows_;
    std::vector<MixedLikelihood::Parts> parts_;  // by how many members
    std::vector<Var> members_, states_;          // as they came; in order
};

class MixedBlock final : public ValueBlock {
  public:
    MixedBlock(MixedPrefix& members, std::span<const std::size_t> positions, std::size_t end)
        : ValueBlock(positions, 0, end), members_(members) {}

    void joint(double* values) const override {
        for (std::size_t i = from; i < below; ++i) values[i] = members_.with(i);
    }
    void given(std::uint32_t /*kind*/, double* values) const override { joint(values); }

  private:
    MixedPrefix& members_;
};

void MixedPrefix::show(std::span<const std::size_t> positions, std::size_t end, ValueVisitor& visitor,
                       std::size_t worker) {
    visitor.visit(MixedBlock(*this, positions, end), worker);
}

}  // namespace

MixedWalk::MixedWalk(const MixedLikelihood& function) : function_(function), order_(function.variables()) {
    const ColumnBlocks& blocks = function.columns().blocks();
    std::iota(order_.begin(), order_.end(), Var{0});
    std::stable_sort(order_.begin(), order_.end(), [&](Var a, Var b) {
        if (function.is_number(a) != function.is_number(b)) return function.is_number(a);
        return blocks.width(a) < blocks.width(b);
    });
}

void MixedWalk::run(std::size_t size, bool /*keep*/, const WantedSets& wanted, std::size_t threads,
                    Control& control, ValueVisitor& visitor) {
    walk_prefixes(order_.size(), size, wanted, threads, control, visitor,
                  [&] { return MixedPrefix(function_, order_); });
}

/// A set is shown by what its prefix keeps, but one of states alone counts its rows.
double MixedWalk::cost(std::size_t size) const {
    const Ranks ranks(order_.size(), size);
    const auto sets = [&](std::size_t n) { return static_cast<double>(ranks.choose(n, size)); };
    const auto states = static_cast<std::size_t>(
        std::count_if(order_.begin(), order_.end(), [this](Var v) { return !function_.is_number(v); }));
    double result =
        sets(order_.size()) * (20 + 2 * static_cast<double>(size)) + sets(states) * counting_cost(size);
    for (std::size_t k = 1; k < size; ++k) result += prefix_cost(ranks, k);
    return result;
}

/// What one more variable takes in all prefixes of this size: each of its columns, beside each column that
/// the prefix has already, meets all columns.
double MixedWalk::prefix_cost(const Ranks& ranks, std::size_t size) const {
    const ColumnBlocks& blocks = function_.columns().blocks();
    const auto prefixes = [&](std::size_t n, std::size_t k) {
        return static_cast<double>(ranks.choose(n, k));
    };
    double result = 0, above = 0;  // columns of higher positions
    for (std::size_t i = order_.size(), others = 0; i-- > 0; ++others) {
        const auto width = static_cast<double>(blocks.width(order_[i]));
        // Prefixes in which this one is the lowest, and those of them with a certain one of the others.
        const double pairs = size > 1 && others > 0 ? prefixes(others - 1, size - 2) : 0;
        result += width * (prefixes(others, size - 1) + above * pairs);
        above += width;
    }
    return result * static_cast<double>(blocks.columns()) * nanoseconds_each;
}

double MixedWalk::counting_cost(std::size_t size) const {
    return 200 + function_.cases() * (1 + 0.6 * static_cast<double>(size));
}

double MixedWalk::single_cost(std::size_t size) const {
    const double d = static_cast<double>(size * function_.columns().blocks().columns()) /
                     static_cast<double>(order_.size());  // columns of a set, about
    return 1000 + counting_cost(size) + 20 * d * d + d * d * d * nanoseconds_each;
}

}  // namespace dagscape
