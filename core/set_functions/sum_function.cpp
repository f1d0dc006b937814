#include "set_functions/sum_function.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

using Extenders = std::vector<std::unique_ptr<SetExtender>>;

class SumExtender final : public SetExtender {
  public:
    SumExtender(Extenders inner, double share) : inner_(std::move(inner)), share_(share) {}
    std::unique_ptr<SetExtender> clone() const override {
        Extenders copies;
        for (const auto& each : inner_) copies.push_back(each->clone());
        return std::make_unique<SumExtender>(std::move(copies), share_);
    }

    void extend(SetExtension& extension) override {
        inner_.front()->extend(extension);
        for (std::size_t i = 1; i < inner_.size() && extension.known(); ++i) {
            one_.set = extension.set;
            one_.with.clear();
            inner_[i]->extend(one_);
            if (!one_.known()) extension.with.clear();
            extension.value += one_.value;
            extension.error += one_.error;
            for (std::size_t v = 0; v < extension.with.size(); ++v) extension.with[v] += one_.with[v];
        }
        extension.value *= share_;
        double largest = std::abs(extension.value);
        for (double& value : extension.with) {
            value *= share_;
            largest = std::max(largest, std::abs(value));
        }
        // Each sum is rounded as often as there are functions.
        const auto count = static_cast<double>(inner_.size());
        extension.error = extension.error * share_ + std::ldexp(largest * count, -52);
    }
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override {
        if (!inner_.front()->extend_family(child, parents, candidates, scores)) return false;
        scores_.resize(scores.size());
        for (std::size_t i = 1; i < inner_.size(); ++i) {
            if (!inner_[i]->extend_family(child, parents, candidates, scores_)) return false;
            for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += scores_[k];
        }
        for (double& score : scores) score *= share_;
        return true;
    }

  private:
    Extenders inner_;
    double share_;
    SetExtension one_;
    std::vector<double> scores_;
};

/// What all functions know together. A set that no function scores above the required parents alone is not
/// above them in the sum. Nothing is known where a variable may be idle, for it need not be so in all.
class SumBounds final : public FamilyBounds {
  public:
    SumBounds(std::vector<std::unique_ptr<FamilyBounds>> inner, double share)
        : inner_(std::move(inner)), share_(share) {}

    std::size_t most_parents(Var child, Members required, double lead) const override {
        if (has_idle_variables()) return FamilyBounds::most_parents(child, required, lead);
        const double each = lead / (share_ * static_cast<double>(inner_.size()));
        std::size_t most = 0;
        for (const auto& one : inner_) most = std::max(most, one->most_parents(child, required, each));
        return most;
    }
    double superset_bound(Var child, Members parents, std::size_t most) const override {
        if (has_idle_variables()) return FamilyBounds::superset_bound(child, parents, most);
        double sum = 0;
        for (const auto& one : inner_) sum += one->superset_bound(child, parents, most);
        return sum * share_;
    }
    bool bounds_quickly() const override {
        return std::ranges::all_of(inner_, [](const auto& one) { return one->bounds_quickly(); });
    }
    bool has_idle_variables() const override {
        return std::ranges::any_of(inner_, [](const auto& one) { return one->has_idle_variables(); });
    }

  private:
    std::vector<std::unique_ptr<FamilyBounds>> inner_;
    double share_;
};

}  // namespace

SumFunction::SumFunction(std::vector<std::shared_ptr<const SetFunction>> functions, double share)
    : functions_(std::move(functions)), share_(share) {
    if (functions_.empty()) throw Error(ErrorKind::parameter, "a sum needs a function at least");
    if (!(share_ > 0)) throw Error(ErrorKind::parameter, "the share of a sum must be positive");
    for (const auto& function : functions_)
        if (!function || function->variables() != variables() || function->kinds() != 1)
            throw Error(ErrorKind::parameter, "a sum is over ordinary functions of the same variables");
}

double SumFunction::cases() const {
    return sum([](const SetFunction& function) { return function.cases(); });
}

double SumFunction::joint(Members set) const {
    return sum([&](const SetFunction& function) { return function.joint(set); });
}

double SumFunction::parameters(Members set) const {
    return sum([&](const SetFunction& function) { return function.parameters(set); });
}

double SumFunction::given(Var child, Members parents) const {
    return sum([&](const SetFunction& function) { return function.given(child, parents); });
}

double SumFunction::cost(Members set) const {
    return sum([&](const SetFunction& function) { return function.cost(set); });
}

double SumFunction::adjusted_freedom(Var x, Var y, Members given) const {
    return sum([&](const SetFunction& function) { return function.adjusted_freedom(x, y, given); });
}

double SumFunction::rounding() const {
    const double most = sum([](const SetFunction& function) { return function.rounding(); });
    return std::exp2(std::ceil(std::log2(most)));
}

std::unique_ptr<FamilyBounds> SumFunction::bounds() const {
    std::vector<std::unique_ptr<FamilyBounds>> inner;
    for (const auto& function : functions_) inner.push_back(function->bounds());
    return std::make_unique<SumBounds>(std::move(inner), share_);
}

std::unique_ptr<SetExtender> SumFunction::extender(ExtensionWay way) const {
    Extenders inner;
    for (const auto& function : functions_) {
        inner.push_back(function->extender(way));
        if (!inner.back()) return nullptr;
    }
    return std::make_unique<SumExtender>(std::move(inner), share_);
}

std::size_t SumFunction::extender_bytes() const {
    std::size_t bytes = 0;
    for (const auto& function : functions_) bytes += function->extender_bytes();
    return bytes;
}

}  // namespace dagscape
