#include "parents/pruning.hpp"

#include <algorithm>
#include <cmath>

#include "parents/entropy_given_others.hpp"
#include "scores/bdeu.hpp"

namespace dagscape {

namespace {

double entropy_sum(const Counter& counter, Members set) {
    std::vector<std::uint32_t> counts;
    counter.count(set, counts);
    double sum = 0;
    for (const std::uint32_t n : counts) sum += n_log_n(n);
    return sum;
}

}  // namespace

ScoreBounds::ScoreBounds(const Scorer& scorer) : scorer_(scorer), counter_(scorer.table()) {
    bdeu_ = dynamic_cast<const Bdeu*>(&scorer.score()) != nullptr;
    if (const auto* likelihood = dynamic_cast<const PenalizedLikelihood*>(&scorer.score()))
        price_ = likelihood->price();
    if (price_ <= 0) return;
    least_entropy_ = entropy_given_others(scorer.table());
    for (std::size_t v = 0; v < scorer.table().variables(); ++v)
        if (const double r = arity(static_cast<Var>(v)); r > 1) arities_.push_back(r);
    std::sort(arities_.begin(), arities_.end());
    if (!arities_.empty()) least_arity_ = arities_.front();
}

std::size_t ScoreBounds::most_parents(Var child, const WideSet& required) const {
    if (price_ <= 0) return scorer_.table().variables() - 1;
    std::vector<double> others = arities_;  // variables of one state tell nothing, and cost nothing
    const auto leave_out = [&](Var v) {
        if (const auto at = std::find(others.begin(), others.end(), arity(v)); arity(v) > 1) others.erase(at);
    };
    leave_out(child);
    for (const Var v : required) leave_out(v);
    const std::vector<Var> root = required.members();
    std::vector<Var> family = root;
    family.insert(std::lower_bound(family.begin(), family.end(), child), child);
    const double most_gain = entropy_sum(counter_, root) - entropy_sum(counter_, family);
    const double paid = scorer_.table().combinations(root);
    double combinations = paid;
    std::size_t most = root.size();
    for (const double r : others) {
        combinations *= r;
        if (price_ * (arity(child) - 1) * (combinations - paid) >= most_gain) break;
        ++most;
    }
    return most;
}

double ScoreBounds::superset_bound(Var child, Members parents) const {
    const double combinations = scorer_.table().combinations(parents);
    if (price_ > 0) return -price_ * (arity(child) - 1) * combinations * least_arity_ - least_entropy_[child];
    if (bdeu_) {
        std::vector<std::uint32_t> counts;
        counter_.count(parents, counts);
        return -static_cast<double>(counts.size()) * std::log(arity(child));
    }
    return std::numeric_limits<double>::infinity();
}

bool ScoreBounds::never_pays(Var child, Var y, double cases_entropy_child, double cases_entropy_y,
                             double combinations) const {
    return std::min(cases_entropy_child, cases_entropy_y) <=
           price_ * (arity(child) - 1) * (arity(y) - 1) * combinations;
}

}  // namespace dagscape
