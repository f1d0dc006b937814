#include "set_functions/kinds_function.hpp"

#include <algorithm>
#include <utility>

#include "error.hpp"

namespace dagscape {

namespace {

/// What is known of larger parent sets, by the bounds of the child's kind. What says the same of a parent is
/// not passed on: it may be of another kind.
class KindsBounds final : public FamilyBounds {
  public:
    KindsBounds(std::vector<std::unique_ptr<FamilyBounds>> inner, const std::vector<std::uint32_t>& kind_of)
        : inner_(std::move(inner)), kind_of_(kind_of) {}

    std::size_t most_parents(Var child, Members required, double lead) const override {
        return of(child).most_parents(child, required, lead);
    }
    double superset_bound(Var child, Members parents, std::size_t most) const override {
        return of(child).superset_bound(child, parents, most);
    }
    bool bounds_quickly() const override {
        return std::all_of(inner_.begin(), inner_.end(),
                           [](const auto& one) { return one->bounds_quickly(); });
    }
    bool has_idle_variables() const override {
        return std::any_of(inner_.begin(), inner_.end(),
                           [](const auto& one) { return one->has_idle_variables(); });
    }

  private:
    const FamilyBounds& of(Var child) const { return *inner_[kind_of_[child]]; }

    std::vector<std::unique_ptr<FamilyBounds>> inner_;
    const std::vector<std::uint32_t>& kind_of_;
};

class KindsExtender final : public SetExtender {
  public:
    KindsExtender(std::vector<std::unique_ptr<SetExtender>> inner, const std::vector<std::uint32_t>& kind_of)
        : inner_(std::move(inner)), kind_of_(kind_of) {}
    std::unique_ptr<SetExtender> clone() const override {
        std::vector<std::unique_ptr<SetExtender>> copies;
        for (const auto& one : inner_) copies.push_back(one ? one->clone() : nullptr);
        return std::make_unique<KindsExtender>(std::move(copies), kind_of_);
    }

    /// A set has a value for each kind.
    void extend(SetExtension& extension) override { extension.with.clear(); }
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override {
        const auto& own = inner_[kind_of_[child]];
        return own && own->extend_family(child, parents, candidates, scores);
    }

  private:
    std::vector<std::unique_ptr<SetExtender>> inner_;  // null where a kind has none
    const std::vector<std::uint32_t>& kind_of_;
};

}  // namespace

KindsFunction::KindsFunction(std::vector<std::shared_ptr<const SetFunction>> functions,
                             std::vector<std::uint32_t> kind_of)
    : functions_(std::move(functions)), kind_of_(std::move(kind_of)) {
    if (functions_.empty()) throw Error(ErrorKind::parameter, "there must be a kind at least");
    for (const auto& function : functions_)
        if (!function || function->variables() != kind_of_.size() || function->kinds() != 1)
            throw Error(ErrorKind::parameter, "each kind needs an ordinary function of the same variables");
    for (const std::uint32_t kind : kind_of_)
        if (kind >= functions_.size()) throw Error(ErrorKind::parameter, "there is no such kind");
    for (std::size_t k = 1; k < functions_.size(); ++k)
        if (functions_[k]->cases() > widest().cases()) widest_ = k;
}

std::unique_ptr<FamilyBounds> KindsFunction::bounds() const {
    std::vector<std::unique_ptr<FamilyBounds>> inner;
    for (const auto& function : functions_) inner.push_back(function->bounds());
    return std::make_unique<KindsBounds>(std::move(inner), kind_of_);
}

std::unique_ptr<SetExtender> KindsFunction::extender(ExtensionWay way) const {
    std::vector<std::unique_ptr<SetExtender>> inner;
    for (const auto& function : functions_) inner.push_back(function->extender(way));
    return std::make_unique<KindsExtender>(std::move(inner), kind_of_);
}

std::size_t KindsFunction::extender_bytes() const {
    std::size_t bytes = 0;
    for (const auto& function : functions_) bytes += function->extender_bytes();
    return bytes;
}

}  // namespace dagscape
