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
    explicit SumExtender(Extenders inner) : inner_(std::move(inner)) {}
    std::unique_ptr<SetExtender> clone() const override {
        Extenders copies;
        for (const auto& each : inner_) copies.push_back(each->clone());
        return std::make_unique<SumExtender>(std::move(copies));
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
        double largest = std::abs(extension.value);
        for (const double value : extension.with) largest = std::max(largest, std::abs(value));
        // Each sum is rounded as often as there are parts.
        extension.error += std::ldexp(largest * static_cast<double>(inner_.size()), -52);
    }
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override {
        if (!inner_.front()->extend_family(child, parents, candidates, scores)) return false;
        scores_.resize(scores.size());
        for (std::size_t i = 1; i < inner_.size(); ++i) {
            if (!inner_[i]->extend_family(child, parents, candidates, scores_)) return false;
            for (std::size_t k = 0; k < scores.size(); ++k) scores[k] += scores_[k];
        }
        return true;
    }

  private:
    Extenders inner_;
    SetExtension one_;
    std::vector<double> scores_;
};

}  // namespace

SumFunction::SumFunction(std::vector<std::shared_ptr<const SetFunction>> functions)
    : functions_(std::move(functions)) {
    if (functions_.empty()) throw Error(ErrorKind::parameter, "a sum needs a function at least");
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
    double most = 0;
    for (const auto& function : functions_) most += function->rounding();
    return std::exp2(std::ceil(std::log2(most)));
}

std::unique_ptr<SetExtender> SumFunction::extender(ExtensionWay way) const {
    Extenders inner;
    for (const auto& function : functions_) {
        inner.push_back(function->extender(way));
        if (!inner.back()) return nullptr;
    }
    return std::make_unique<SumExtender>(std::move(inner));
}

std::size_t SumFunction::extender_bytes() const {
    std::size_t bytes = 0;
    for (const auto& function : functions_) bytes += function->extender_bytes();
    return bytes;
}

}  // namespace dagscape
