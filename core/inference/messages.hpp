#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "inference/clique_tree.hpp"

namespace dagscape {

/// The tables and messages of a tree of cliques, in doubles or in numbers of a wider range: see
/// `Propagation`.
template <typename Number>
class Messages {
  public:
    enum class By { sum, greatest };

    Messages(const TableNetwork& network, const CliqueTree& tree)
        : network_(network), tree_(tree), tables_(tree.cliques().size()), messages_(tree.cliques().size()) {
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            tables_[i].resize(tree.cliques()[i].cells);
            messages_[i].resize(tree.cliques()[i].separator_cells);
        }
    }

    double collect(const Evidence& evidence, By by) {
        using std::log;
        constexpr double impossible = -std::numeric_limits<double>::infinity();
        fill(evidence);
        double log_probability = 0;
        const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
        for (std::size_t i = 0; i + 1 < cliques.size(); ++i) {
            std::ranges::fill(messages_[i], Number(0));
            if (by == By::sum)
                add_up<Number>(tables_[i], cliques[i].to_separator, messages_[i].data());
            else
                greatest<Number>(tables_[i], cliques[i].to_separator, messages_[i].data());
            const Number whole = scale(messages_[i], by);
            if (!(whole > 0)) return impossible;
            log_probability += log(whole);
            multiply<Number>(tables_[cliques[i].parent], cliques[i].parent_to_separator, messages_[i].data());
        }
        const Number whole = scale(tables_.back(), by);
        return whole > 0 ? log_probability + log(whole) : impossible;
    }

    void distribute() {
        const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
        for (std::size_t i = cliques.size() - 1; i-- > 0;) {
            ratio_.assign(messages_[i].size(), Number(0));
            add_up<Number>(tables_[cliques[i].parent], cliques[i].parent_to_separator, ratio_.data());
            for (std::size_t cell = 0; cell < ratio_.size(); ++cell)
                if (messages_[i][cell] > 0) ratio_[cell] /= messages_[i][cell];
            multiply<Number>(tables_[i], cliques[i].to_separator, ratio_.data());
            scale(tables_[i], By::sum);
        }
    }

    std::vector<double> marginal(Var v) const {
        std::vector<Number> sums(network_.arities[v], Number(0));
        add_up<Number>(tables_[tree_.home(v)], tree_.beside(v), sums.data());
        scale(sums, By::sum);
        return as_doubles(std::move(sums));
    }

    std::vector<double> joint(const std::vector<Var>& wanted) const {
        std::size_t cells = 1;
        for (const Var v : wanted) cells *= network_.arities[v];
        std::vector<Number> sums(cells, Number(0));
        const std::vector<Var>& root = tree_.cliques().back().members;
        add_up<Number>(tables_.back(), walk_beside(root, wanted, network_.arities), sums.data());
        return as_doubles(std::move(sums));
    }

    void decode(std::vector<int>& states) const {
        settle(
            [](Number value, Number& most, bool first) {
                if (!first && value <= most) return false;
                most = value;
                return true;
            },
            states);
    }

    template <typename Unit>
    void draw(const Unit& unit, std::vector<int>& states) const {
        settle(
            [&](Number value, Number& sum, bool) {
                sum += value;
                return value > 0 && Number(unit()) * sum < value;
            },
            states);
    }

  private:
    /// Divides all by their sum, or by the greatest, and returns it; zero if all are zero.
    static Number scale(std::span<Number> values, By by) {
        const Number whole = by == By::sum ? std::accumulate(values.begin(), values.end(), Number(0))
                                           : *std::max_element(values.begin(), values.end());
        if (whole > 0)
            for (Number& value : values) value /= whole;
        return whole;
    }

    static std::vector<double> as_doubles(std::vector<Number> values) {
        if constexpr (std::is_same_v<Number, double>)
            return values;
        else
            return {values.begin(), values.end()};
    }

    void fill(const Evidence& evidence) {
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            std::ranges::fill(tables_[i], Number(1));
            for (const CliqueTree::Placed& family : tree_.cliques()[i].families) {
                const double* first = network_.families[family.child].values.data();
                for (const auto& [v, step] : family.offsets)
                    first += static_cast<std::size_t>(evidence.states[v]) * step;
                multiply<Number>(tables_[i], family.walk, first);
            }
        }
        for (Var v = 0; v < evidence.likelihoods.size(); ++v)
            if (!evidence.likelihoods[v].empty() && tree_.home(v) != CliqueTree::Clique::none)
                multiply<Number>(tables_[tree_.home(v)], tree_.beside(v), evidence.likelihoods[v].data());
    }

    /// From the root on, takes a cell of each clique that agrees with what was taken before. `choose(value,
    /// kept, first)` sees the cells one after another and says whether to take this one instead of the one
    /// before; what it keeps is its own, and zero for the first cell.
    template <typename Choose>
    void settle(const Choose& choose, std::vector<int>& states) const {
        struct Open {  // a member that is not known yet
            Var variable;
            std::size_t step;
            int state, chosen;
        };
        const std::vector<CliqueTree::Clique>& cliques = tree_.cliques();
        std::vector<bool> known(states.size(), false);
        std::vector<Open> open;
        for (std::size_t i = cliques.size(); i-- > 0;) {
            const std::vector<Var>& members = cliques[i].members;
            open.clear();
            std::size_t cell = 0, step = 1;
            for (std::size_t j = members.size(); j-- > 0;) {
                const Var v = members[j];
                if (known[v])
                    cell += static_cast<std::size_t>(states[v]) * step;
                else
                    open.push_back({v, step, 0, 0});
                step *= network_.arities[v];
            }
            Number kept = 0;
            for (bool first = true, more = true; more; first = false) {
                if (choose(tables_[i][cell], kept, first))
                    for (Open& each : open) each.chosen = each.state;
                more = false;
                for (Open& each : open) {  // the last member first
                    cell += each.step;
                    more = static_cast<std::size_t>(++each.state) < network_.arities[each.variable];
                    if (more) break;
                    cell -= each.step * network_.arities[each.variable];
                    each.state = 0;
                }
            }
            for (const Open& each : open) {
                states[each.variable] = each.chosen;
                known[each.variable] = true;
            }
        }
    }

    const TableNetwork& network_;
    const CliqueTree& tree_;
    std::vector<std::vector<Number>> tables_;    // of cliques
    std::vector<std::vector<Number>> messages_;  // from cliques to their parents
    std::vector<Number> ratio_;
};

}  // namespace dagscape
