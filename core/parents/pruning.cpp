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
    const Table& table = scorer.table();
    const std::size_t n = table.variables();
    most_parents_.assign(n, n - 1);
    if (const auto* bdeu = dynamic_cast<const Bdeu*>(&scorer.score())) ess_ = bdeu->ess();
    if (const auto* likelihood = dynamic_cast<const PenalizedLikelihood*>(&scorer.score()))
        price_ = likelihood->price();
    if (price_ <= 0) return;

    std::vector<Var> all(n);
    for (std::size_t v = 0; v < n; ++v) all[v] = static_cast<Var>(v);
    least_entropy_ = entropy_given_others(table);
    const double nothing = n_log_n(table.cases());
    std::vector<double> arities;  // of variables that can tell anything, ascending
    for (const Var v : all)
        if (table.arity(v) > 1) arities.push_back(arity(v));
    std::sort(arities.begin(), arities.end());
    if (!arities.empty()) least_arity_ = arities.front();

    for (const Var child : all) {
        // A set pays (r − 1)(q − 1) parameters more than the empty one, and gains at most N·H(child). With
        // k parents q is at least the product of the k lowest arities (Theorem 3 of Wu 2010, made exact).
        const double most_gain = nothing - entropy_sum(counter_, {&child, 1});
        double combinations = 1;
        std::size_t most = 0;
        auto lowest = arities;
        if (const auto own = std::find(lowest.begin(), lowest.end(), arity(child));
            own != lowest.end() && arity(child) > 1)
            lowest.erase(own);
        for (const double r : lowest) {
            combinations *= r;
            if (price_ * (arity(child) - 1) * (combinations - 1) >= most_gain) break;
            ++most;
        }
        most_parents_[child] = most;
    }
}

double ScoreBounds::superset_bound(Var child, Members parents) const {
    const double combinations = scorer_.table().combinations(parents);
    if (price_ > 0) return -price_ * (arity(child) - 1) * combinations * least_arity_ - least_entropy_[child];
    if (ess_ > 0 && ess_ / combinations <= 0.8349) {
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
