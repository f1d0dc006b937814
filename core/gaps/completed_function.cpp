#include "gaps/completed_function.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "gaps/completed_extender.hpp"
#include "scores/at_peak.hpp"
#include "varset/inserted.hpp"

namespace dagscape {

namespace {

/// How high larger parent sets can score, for penalized likelihoods: they pay for at least so many more
/// parameters, and explain no more than everything (see CountBounds, which knows rows better). What is known
/// of BDeu is of whole cases, and says nothing here.
class CompletedBounds final : public FamilyBounds {
  public:
    explicit CompletedBounds(const CompletedFunction& function)
        : function_(function), price_(function.score().price()) {
        for (std::size_t v = 0; v < function.variables(); ++v)
            if (const double r = arity(static_cast<Var>(v)); r > 1) arities_.push_back(r);
        std::ranges::sort(arities_);
    }

    std::size_t most_parents(Var child, Members required, double lead) const override {
        if (price_ <= 0) return FamilyBounds::most_parents(child, required, lead);
        std::vector<double> others = arities_;
        const auto leave_out = [&](Var v) {
            if (arity(v) > 1) others.erase(std::ranges::find(others, arity(v)));
        };
        leave_out(child);
        for (const Var v : required) leave_out(v);
        const double paid = function_.table().combinations(required);
        const double score = function_.joint(Inserted(required, {child})) - function_.joint(required);
        const double most_gain = -score - price_ * (arity(child) - 1) * paid + lead;
        double combinations = paid;
        std::size_t most = required.size();
        for (const double r : others) {
            combinations *= r;
            if (price_ * (arity(child) - 1) * (combinations - paid) >= most_gain) break;
            ++most;
        }
        // Variables of one state cost nothing: a set that is ahead for its size may have them all.
        return lead > 0 ? most + function_.variables() - arities_.size() : most;
    }
    double superset_bound(Var child, Members parents, std::size_t most) const override {
        if (price_ <= 0) return FamilyBounds::superset_bound(child, parents, most);
        const double least = arities_.empty() ? 2 : arities_.front();
        return -price_ * (arity(child) - 1) * function_.table().combinations(parents) * least;
    }
    bool bounds_quickly() const override { return price_ > 0; }
    bool has_idle_variables() const override { return arities_.size() < function_.variables(); }
    bool weighs_members() const override { return price_ > 0; }
    double most_gain(Var v, Members parents, double local) const override {
        if (price_ <= 0) return FamilyBounds::most_gain(v, parents, local);
        return -local - price_ * (arity(v) - 1) * function_.table().combinations(parents);
    }
    double least_cost(Var child, Var y, Members parents, std::size_t most) const override {
        if (price_ <= 0) return FamilyBounds::least_cost(child, y, parents, most);
        return price_ * (arity(child) - 1) * (arity(y) - 1) * function_.table().combinations(parents);
    }

  private:
    double arity(Var v) const { return function_.table().arity(v); }

    const CompletedFunction& function_;
    double price_;
    std::vector<double> arities_;  // of variables that can tell anything, ascending
};

}  // namespace

double CompletedFunction::joint(Members set) const {
    const double combinations = table().combinations(set);
    return of_occurring(completions_->counts(set), set.size(), combinations);
}

double CompletedFunction::of_counts(std::span<const double> counts, std::size_t variables,
                                    double combinations, std::vector<double>& occurring) const {
    occurring.clear();
    std::ranges::copy_if(counts, std::back_inserter(occurring), [](double n) { return n > 0; });
    return of_occurring(occurring, variables, combinations);
}

double CompletedFunction::of_occurring(std::span<const double> counts, std::size_t variables,
                                       double combinations) const {
    const auto cells = [&](const Score& score) {
        double sum = 0;
        for (const double n : counts) sum += score.cell(n, combinations);
        return sum;
    };
    if (const auto alternatives = score_->alternatives(variables); !alternatives.empty())
        return at_peak(alternatives.size(), [&](std::size_t place) {
            return cells(*alternatives[place]) + alternatives[place]->constant(combinations);
        });
    const double sum = cells(*score_);
    const auto constant = [&] { return score_->constant(combinations); };
    const double* kept = constants_.get(combinations, constant);
    return sum + (kept ? *kept : constant());
}

double CompletedFunction::given(Var child, Members parents) const {
    if (equivalent()) return joint(parents);
    double sum = 0;
    for (const double n : completions_->counts(parents)) sum += score_->given_cell(n, table().arity(child));
    return sum;
}

double CompletedFunction::cost(Members set) const {
    return (has_exact_cost() ? score_->price() : std::log(cases()) / 2) * parameters(set);
}

std::unique_ptr<SetExtender> CompletedFunction::extender(ExtensionWay /*way*/) const {
    return equivalent() ? std::make_unique<CompletedExtender>(*this) : nullptr;
}

std::size_t CompletedFunction::extender_bytes() const { return equivalent() ? CompletedExtender::bytes : 0; }

std::unique_ptr<FamilyBounds> CompletedFunction::bounds() const {
    return std::make_unique<CompletedBounds>(*this);
}

}  // namespace dagscape
