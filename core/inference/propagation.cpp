#include "inference/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace dagscape {

namespace {

/// Divides all by their sum, or by the greatest, and returns it; zero if all are zero.
double scale(std::span<double> values, bool to_sum) {
    const double whole =
        to_sum ? std::accumulate(values.begin(), values.end(), 0.0) : std::ranges::max(values);
    if (whole > 0)
        for (double& value : values) value /= whole;
    return whole;
}

}  // namespace

Propagation::Propagation(const TableNetwork& network, const CliqueTree& tree)
    : network_(network), tree_(tree), tables_(tree.cliques().size()), messages_(tree.cliques().size()) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        tables_[i].resize(tree.cliques()[i].cells);
        messages_[i].resize(tree.cliques()[i].separator_cells);
    }
}

void Propagation::fill(const Evidence& evidence) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        std::ranges::fill(tables_[i], 1.0);
        for (const CliqueTree::Placed& family : tree_.cliques()[i].families) {
            const double* first = network_.families[family.child].values.data();
            for (const auto& [v, step] : family.offsets)
                first += static_cast<std::size_t>(evidence.states[v]) * step;
            multiply(tables_[i], family.walk, first);
        }
    }
    for (Var v = 0; v < evidence.likelihoods.size(); ++v)
        if (!evidence.likelihoods[v].empty() && tree_.home(v) != CliqueTree::Clique::none)
            multiply(tables_[tree_.home(v)], tree_.beside(v), evidence.likelihoods[v].data());
}

double Propagation::collect(const Evidence& evidence, By by) {
    constexpr double impossible = -std::numeric_limits<double>::infinity();
    fill(evidence);
    double log_probability = 0;
    const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
    for (std::size_t i = 0; i + 1 < cliques.size(); ++i) {
        std::ranges::fill(messages_[i], 0.0);
        if (by == By::sum)
            add_up(tables_[i], cliques[i].to_separator, messages_[i].data());
        else
            greatest(tables_[i], cliques[i].to_separator, messages_[i].data());
        const double whole = scale(messages_[i], by == By::sum);
        if (!(whole > 0)) return impossible;
        log_probability += std::log(whole);
        multiply(tables_[cliques[i].parent], cliques[i].parent_to_separator, messages_[i].data());
    }
    const double whole = scale(tables_.back(), by == By::sum);
    return whole > 0 ? log_probability + std::log(whole) : impossible;
}

double Propagation::collect(const Evidence& evidence) { return collect(evidence, By::sum); }
double Propagation::collect_greatest(const Evidence& evidence) { return collect(evidence, By::greatest); }

void Propagation::distribute() {
    const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
    for (std::size_t i = cliques.size() - 1; i-- > 0;) {
        ratio_.assign(messages_[i].size(), 0.0);
        add_up(tables_[cliques[i].parent], cliques[i].parent_to_separator, ratio_.data());
        for (std::size_t cell = 0; cell < ratio_.size(); ++cell)
            ratio_[cell] = messages_[i][cell] > 0 ? ratio_[cell] / messages_[i][cell] : 0.0;
        multiply(tables_[i], cliques[i].to_separator, ratio_.data());
        scale(tables_[i], true);
    }
}

std::vector<double> Propagation::marginal(Var v) const {
    std::vector<double> sums(network_.arities[v], 0.0);
    add_up(tables_[tree_.home(v)], tree_.beside(v), sums.data());
    scale(sums, true);
    return sums;
}

std::vector<double> Propagation::joint(const std::vector<Var>& wanted) const {
    std::size_t cells = 1;
    for (const Var v : wanted) cells *= network_.arities[v];
    std::vector<double> sums(cells, 0.0);
    const std::vector<Var>& root = tree_.cliques().back().members;
    add_up(tables_.back(), walk_beside(root, wanted, network_.arities), sums.data());
    return sums;
}

/// From the root on, takes a cell of each clique that agrees with what was taken before. `choose(value,
/// kept)` sees the cells one after another and says whether to take this one instead of the one before; what
/// it keeps is its own, and minus one for the first cell.
template <typename Choose>
void Propagation::settle(const Choose& choose, std::vector<int>& states) const {
    const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
    std::vector<bool> known(states.size(), false);
    for (std::size_t i = cliques.size(); i-- > 0;) {
        const std::vector<Var>& members = cliques[i].members;
        double kept = -1;
        std::vector<int> at(members.size(), 0), chosen = at;
        for (const double value : tables_[i]) {
            bool agrees = true;
            for (std::size_t j = 0; agrees && j < members.size(); ++j)
                agrees = !known[members[j]] || at[j] == states[members[j]];
            if (agrees && choose(value, kept)) chosen = at;
            for (std::size_t j = members.size(); j-- > 0;) {
                if (static_cast<std::size_t>(++at[j]) < network_.arities[members[j]]) break;
                at[j] = 0;
            }
        }
        for (std::size_t j = 0; j < members.size(); ++j) {
            states[members[j]] = chosen[j];
            known[members[j]] = true;
        }
    }
}

void Propagation::decode(std::vector<int>& states) const {
    settle(
        [](double value, double& most) {
            if (value <= most) return false;
            most = value;
            return true;
        },
        states);
}

void Propagation::draw(const std::function<double()>& unit, std::vector<int>& states) const {
    settle(
        [&](double value, double& sum) {
            sum = std::max(sum, 0.0) + value;
            return value > 0 && unit() * sum < value;
        },
        states);
}

}  // namespace dagscape
