#include "set_functions/prior_function.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// What larger parent sets can score, with the largest prior among them.
class PriorBounds final : public FamilyBounds {
  public:
    PriorBounds(std::unique_ptr<FamilyBounds> inner, const SizePrior& prior)
        : inner_(std::move(inner)), prior_(prior) {}

    std::size_t most_parents(Var child, Members required, double lead) const override {
        const std::size_t least = required.size();
        const double ahead = prior_.largest(least, prior_.most_parents()) - prior_.of_parents(least);
        return inner_->most_parents(child, required, lead + ahead);
    }
    /// Idle variables change no likelihood, but where the prior rises with the number of parents they gain.
    double superset_bound(Var child, Members parents, std::size_t most) const override {
        const double prior = prior_.largest(parents.size() + 1, most);
        if (prior == nothing) return nothing;  // there are no larger sets
        if (prior > prior_.of_parents(parents.size()) && inner_->has_idle_variables())
            return std::numeric_limits<double>::infinity();
        return inner_->superset_bound(child, parents, most) + prior;
    }
    bool bounds_quickly() const override { return inner_->bounds_quickly(); }
    bool has_idle_variables() const override { return inner_->has_idle_variables(); }

    bool weighs_members() const override { return inner_->weighs_members(); }
    double most_gain(Var v, Members parents, double local) const override {
        return inner_->most_gain(v, parents, local - prior_.of_parents(parents.size()));
    }
    double least_cost(Var child, Var y, Members parents, std::size_t most) const override {
        return inner_->least_cost(child, y, parents, most) - prior_.largest_rise(parents.size(), most);
    }

  private:
    std::unique_ptr<FamilyBounds> inner_;
    const SizePrior& prior_;
};

class PriorExtender final : public SetExtender {
  public:
    PriorExtender(std::unique_ptr<SetExtender> inner, const SizePrior& prior)
        : inner_(std::move(inner)), prior_(prior) {}
    std::unique_ptr<SetExtender> clone() const override {
        return std::make_unique<PriorExtender>(inner_->clone(), prior_);
    }

    void extend(SetExtension& extension) override {
        inner_->extend(extension);
        const std::size_t size = extension.set.size();
        extension.value += prior_.of_set(size);
        if (!extension.known() || size >= extension.with.size()) return;
        const double more = prior_.of_set(size + 1);
        double largest = std::abs(extension.value);
        for (double& value : extension.with) {
            value += more;
            largest = std::max(largest, std::abs(value));
        }
        extension.error += std::ldexp(largest, -52);  // each sum is rounded once more
    }
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override {
        if (!inner_->extend_family(child, parents, candidates, scores)) return false;
        const double prior = prior_.of_parents(parents.size() + 1);
        for (double& score : scores) score += prior;
        return true;
    }

  private:
    std::unique_ptr<SetExtender> inner_;
    const SizePrior& prior_;
};

class PriorSubsets final : public SubsetValues {
  public:
    PriorSubsets(std::unique_ptr<SubsetValues> inner, const SizePrior& prior)
        : inner_(std::move(inner)), prior_(prior) {}

    bool set_base(Members base) override { return inner_->set_base(base); }
    double value(Subset subset) override { return inner_->value(subset) + prior_.of_set(size(subset)); }
    void set_tried(Var tried) override { inner_->set_tried(tried); }
    double value_with_tried(Subset subset) override {
        return inner_->value_with_tried(subset) + prior_.of_set(size(subset) + 1);
    }
    /// A member has the others of the subset as parents, and gains one more.
    double most_gain(Subset subset) override {
        const std::size_t parents = size(subset);
        const double rise = parents == 0 ? 0 : prior_.of_parents(parents) - prior_.of_parents(parents - 1);
        return inner_->most_gain(subset) + rise;
    }

  private:
    static std::size_t size(Subset subset) { return static_cast<std::size_t>(std::popcount(subset)); }

    std::unique_ptr<SubsetValues> inner_;
    const SizePrior& prior_;
};

class PriorBlock final : public ValueBlock {
  public:
    PriorBlock(const ValueBlock& inner, const SizePrior& prior)
        : ValueBlock(inner.prefix, inner.from, inner.below),
          inner_(inner),
          of_set_(prior.of_set(inner.prefix.size() + 1)) {}

    void joint(double* values) const override {
        inner_.joint(values);
        add(values);
    }
    void given(std::uint32_t kind, double* values) const override {
        inner_.given(kind, values);
        add(values);
    }

  private:
    void add(double* values) const {
        for (std::size_t v = from; v < below; ++v) values[v] += of_set_;
    }

    const ValueBlock& inner_;
    double of_set_;
};

class PriorWalk final : public ValueWalk {
  public:
    PriorWalk(std::unique_ptr<ValueWalk> inner, const SizePrior& prior)
        : inner_(std::move(inner)), prior_(prior) {}

    const std::vector<Var>& order() const override { return inner_->order(); }
    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             ValueVisitor& visitor) override {
        WithPrior with_prior(visitor, prior_);
        inner_->run(size, keep, wanted, threads, control, with_prior);
    }
    std::size_t bytes() const override { return inner_->bytes(); }
    double cost(std::size_t size) const override { return inner_->cost(size); }
    double single_cost(std::size_t size) const override { return inner_->single_cost(size); }
    double kept_bytes(std::size_t size) const override { return inner_->kept_bytes(size); }
    std::string_view way(std::size_t size) const override { return inner_->way(size); }

  private:
    class WithPrior final : public ValueVisitor {
      public:
        WithPrior(ValueVisitor& visitor, const SizePrior& prior) : visitor_(visitor), prior_(prior) {}
        void visit(const ValueBlock& block, std::size_t worker) override {
            visitor_.visit(PriorBlock(block, prior_), worker);
        }

      private:
        ValueVisitor& visitor_;
        const SizePrior& prior_;
    };

    std::unique_ptr<ValueWalk> inner_;
    const SizePrior& prior_;
};

}  // namespace

SizePrior::SizePrior(std::vector<double> log_weights) : weights_(std::move(log_weights)), sums_{0} {
    for (const double weight : weights_) {
        if (!std::isfinite(weight)) throw Error(ErrorKind::parameter, "a prior's log weights must be finite");
        sums_.push_back(sums_.back() + weight);
    }
}

double SizePrior::largest(std::size_t least, std::size_t most) const {
    double found = nothing;
    for (std::size_t k = least; k <= std::min(most, most_parents()); ++k)
        found = std::max(found, weights_[k]);
    return found;
}

double SizePrior::largest_rise(std::size_t least, std::size_t most) const {
    double found = nothing;
    for (std::size_t k = least; k + 1 <= std::min(most, most_parents()); ++k)
        found = std::max(found, weights_[k + 1] - weights_[k]);
    return found;
}

PriorFunction::PriorFunction(std::shared_ptr<const SetFunction> likelihood, std::vector<double> log_weights)
    : inner_(std::move(likelihood)), prior_(std::move(log_weights)) {
    const std::size_t needed = std::max<std::size_t>(inner_->variables(), 1);
    if (prior_.most_parents() + 1 != needed)
        throw Error(ErrorKind::parameter, "a prior needs a weight for 0 to " + std::to_string(needed - 1) +
                                              " parents, got " + std::to_string(prior_.most_parents() + 1));
}

/// F(m + 2) − 2 F(m + 1) + F(m) = f(m + 1) − f(m) with m parents.
void PriorFunction::parent_costs(Var x, Members parents, std::span<const Var> candidates,
                                 std::span<double> costs) const {
    inner_->parent_costs(x, parents, candidates, costs);
    if (parents.size() >= prior_.most_parents()) return;
    const double rise = prior_.of_parents(parents.size() + 1) - prior_.of_parents(parents.size());
    for (double& cost : costs) cost -= rise;
}

std::shared_ptr<const SetFunction> PriorFunction::of_kind(std::uint32_t kind) const {
    auto inner = inner_->of_kind(kind);
    return inner ? std::make_shared<PriorFunction>(std::move(inner), prior_.log_weights()) : nullptr;
}

std::unique_ptr<FamilyBounds> PriorFunction::bounds() const {
    return std::make_unique<PriorBounds>(inner_->bounds(), prior_);
}

std::unique_ptr<SetExtender> PriorFunction::extender(ExtensionWay way) const {
    auto inner = inner_->extender(way);
    return inner ? std::make_unique<PriorExtender>(std::move(inner), prior_) : nullptr;
}

std::unique_ptr<SubsetValues> PriorFunction::subsets() const {
    auto inner = inner_->subsets();
    return inner ? std::make_unique<PriorSubsets>(std::move(inner), prior_) : nullptr;
}

std::unique_ptr<ValueWalk> PriorFunction::walk(const WalkOptions& options) const {
    return std::make_unique<PriorWalk>(inner_->walk(options), prior_);
}

}  // namespace dagscape
