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

double MixedWalk::cost(std::size_t size) const {
    const double sets = static_cast<double>(Ranks(order_.size(), size).choose(order_.size(), size));
    return sets * (20 + 2 * static_cast<double>(size));
}

double MixedWalk::single_cost(std::size_t size) const {
    const auto d = static_cast<double>(size);
    return 1000 + 20 * d * d + d * d * d;
}

}  // namespace dagscape
