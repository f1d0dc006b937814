#include "gaps/completer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "error.hpp"
#include "inference/clique_tree.hpp"
#include "inference/propagation.hpp"
#include "inference/wide_number.hpp"
#include "random.hpp"

namespace dagscape {

Completions::Completer::Completer(const GapTable& table, const TableNetwork& network,
                                  const CompletionOptions& options)
    : table_(table), network_(network), options_(options), children_(network.variables()) {
    for (Var child = 0; child < network.variables(); ++child) {
        const std::vector<Var> scope = network.scope(child);
        std::vector<std::size_t> steps(scope.size());
        std::size_t step = 1;
        for (std::size_t i = scope.size(); i-- > 0;) {
            steps[i] = step;
            step *= network.arities[scope[i]];
        }
        steps_.push_back(std::move(steps));
        for (const Var parent : network.families[child].parents) children_[parent].push_back(child);
    }
}

void Completions::Completer::complete(std::size_t row, Part& part) {
    const double known = known_families(row);
    double log_totals = 0;
    const std::size_t groups_before = part.groups.size();
    find_groups(row);
    bool all_listed = true;
    for (const std::vector<Var>& members : groups_) {
        double log_total = 0;
        add_group(members, part);
        if (list(row, members, part, log_total))
            log_totals += log_total;
        else
            all_listed = false;
    }
    if (!all_listed) {
        log_totals = draw(row, part) - known;
        ++part.rows_drawn;
    }
    if (!std::isfinite(known) || !std::isfinite(log_totals))
        throw Error(ErrorKind::data, "row " + std::to_string(row + 1) + " is impossible in the network");
    part.log_likelihood += known + log_totals;
    for (std::size_t place = 0; place < group_of_.size(); ++place)
        part.gaps.push_back(
            {static_cast<std::uint32_t>(groups_before + group_of_[place]), slot_of_[place], 0});
    for (std::size_t g = 0; g < groups_.size(); ++g) order_by_slots(part.groups[groups_before + g], part);
    add_marginals(row, part);
    for (std::size_t g = 0; g < groups_.size(); ++g)
        add_pairs(groups_[g], part.groups[groups_before + g], part);
}

/// Missing cells that share a family are joined, and those joined with them.
void Completions::Completer::find_groups(std::size_t row) {
    const Members gaps = table_.missing(row);
    std::vector<std::size_t> parent(gaps.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto join_family = [&](Var child, std::size_t place) {
        const auto join = [&](Var v) {
            if (!table_.missing(row, v)) return;
            const auto at = std::ranges::lower_bound(gaps, v) - gaps.begin();
            const std::size_t a = root(place), b = root(static_cast<std::size_t>(at));
            parent[std::max(a, b)] = std::min(a, b);
        };
        join(child);
        for (const Var v : network_.families[child].parents) join(v);
    };
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        join_family(gaps[i], i);
        for (const Var child : children_[gaps[i]]) join_family(child, i);
    }
    groups_.clear();
    group_of_.assign(gaps.size(), 0);
    slot_of_.assign(gaps.size(), 0);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        if (root(i) == i) {
            group_of_[i] = static_cast<std::uint32_t>(groups_.size());
            groups_.emplace_back();
        } else {
            group_of_[i] = group_of_[root(i)];
        }
        slot_of_[i] = static_cast<std::uint32_t>(groups_[group_of_[i]].size());
        groups_[group_of_[i]].push_back(gaps[i]);
    }
}

/// The families of which nothing is missing.
double Completions::Completer::known_families(std::size_t row) const {
    double sum = 0;
    for (Var child = 0; child < network_.variables(); ++child) {
        const std::vector<Var>& parents = network_.families[child].parents;
        const auto missing = [&](Var v) { return table_.missing(row, v); };
        if (missing(child) || std::ranges::any_of(parents, missing)) continue;
        sum += std::log(*factor(row, child, {}).first);
    }
    return sum;
}

Completions::Completer::Factor Completions::Completer::factor(std::size_t row, Var child,
                                                              const std::vector<Var>& members) const {
    const FamilyTable& family = network_.families[child];
    Factor found{family.values.data(), std::vector<std::size_t>(members.size(), 0)};
    const auto place = [&](Var v, std::size_t step) {
        if (!table_.missing(row, v)) {
            found.first += table_.column(v)[row] * step;
        } else {
            const auto at = std::ranges::lower_bound(members, v) - members.begin();
            found.steps[static_cast<std::size_t>(at)] = step;
        }
    };
    for (std::size_t i = 0; i < family.parents.size(); ++i) place(family.parents[i], steps_[child][i]);
    place(child, steps_[child].back());
    return found;
}

void Completions::Completer::add_group(const std::vector<Var>& members, Part& part) {
    part.groups.push_back(
        {part.states.size(), part.weights.size(), static_cast<std::uint32_t>(members.size()), 0, no_pairs});
}

/// Lists all completions of the group that was added last; false where there are too many.
bool Completions::Completer::list(std::size_t row, const std::vector<Var>& members, Part& part,
                                  double& log_total) {
    std::size_t completions = 1;
    for (const Var v : members) {
        completions *= network_.arities[v];
        if (completions > options_.most_listed && members.size() > 1) return false;
    }
    std::vector<Var> families = members;
    for (const Var v : members) families.insert(families.end(), children_[v].begin(), children_[v].end());
    std::ranges::sort(families);
    families.erase(std::unique(families.begin(), families.end()), families.end());
    std::vector<Factor> factors;
    for (const Var child : families) factors.push_back(factor(row, child, members));

    const RangeWatch range;
    log_total = weigh<double>(factors, members, completions, part);
    if (range.left()) log_total = weigh<WideNumber>(factors, members, completions, part);
    return true;
}

/// Weighs all completions of the group that was added last, and returns the log of the sum; those that are
/// there by then are replaced.
template <typename Number>
double Completions::Completer::weigh(const std::vector<Factor>& factors, const std::vector<Var>& members,
                                     std::size_t completions, Part& part) const {
    using std::log;
    Group& group = part.groups.back();
    part.states.resize(group.first_state);
    part.weights.resize(group.first_weight);
    group.entries = 0;
    std::vector<Number> weights(completions);
    std::vector<GapTable::Code> state(members.size(), 0);
    const auto next = [&] {
        for (std::size_t j = state.size(); j-- > 0;) {
            if (++state[j] < network_.arities[members[j]]) break;
            state[j] = 0;
        }
    };
    Number total = 0;
    for (Number& weight : weights) {
        weight = 1;
        for (const Factor& each : factors) {
            std::size_t place = 0;
            for (std::size_t j = 0; j < state.size(); ++j) place += state[j] * each.steps[j];
            weight *= each.first[place];
        }
        total += weight;
        next();
    }
    for (const Number weight : weights) {
        if (const double share = weight > 0 ? static_cast<double>(weight / total) : 0; share > 0) {
            part.states.insert(part.states.end(), state.begin(), state.end());
            part.weights.push_back(share);
            ++group.entries;
        }
        next();
    }
    return log(total);
}

/// Draws completions of all groups that could not be listed, and returns ln P(what the row has).
double Completions::Completer::draw(std::size_t row, Part& part) {
    Question question{std::vector<bool>(network_.variables()), {}, true, {}};
    Evidence evidence{std::vector<int>(network_.variables(), Evidence::unknown),
                      std::vector<std::vector<double>>(network_.variables())};
    for (Var v = 0; v < network_.variables(); ++v) {
        question.observed[v] = !table_.missing(row, v);
        if (question.observed[v]) evidence.states[v] = table_.column(v)[row];
    }
    const CliqueTree tree(network_, question, options_.most_cells);
    Propagation messages(network_, tree);
    const double log_probability = messages.collect(evidence);
    if (!std::isfinite(log_probability)) return log_probability;

    // The same stream for a row whenever it is asked for, so that what changes is the network alone.
    Random random(options_.seed, row);
    std::vector<std::map<std::vector<GapTable::Code>, double>> found(groups_.size());
    const std::size_t first = part.groups.size() - groups_.size();
    for (std::size_t i = 0; i < options_.draws; ++i) {
        std::vector<int> states = evidence.states;
        messages.draw([&] { return random.unit(); }, states);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (part.groups[first + g].entries > 0) continue;
            std::vector<GapTable::Code> own;
            for (const Var v : groups_[g]) own.push_back(static_cast<GapTable::Code>(states[v]));
            found[g][own] += 1.0 / static_cast<double>(options_.draws);
        }
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (found[g].empty()) continue;
        Group& group = part.groups[first + g];
        group.first_state = part.states.size();
        group.first_weight = part.weights.size();
        for (const auto& [state, weight] : found[g]) {
            part.states.insert(part.states.end(), state.begin(), state.end());
            part.weights.push_back(weight);
            ++group.entries;
        }
    }
    return log_probability;
}

/// Completions are found one by one, and asked for a few slots of all of them.
void Completions::Completer::order_by_slots(const Group& group, Part& part) {
    if (group.members == 1) return;
    GapTable::Code* states = &part.states[group.first_state];
    by_entry_.assign(states, states + std::size_t{group.entries} * group.members);
    for (std::size_t slot = 0; slot < group.members; ++slot)
        for (std::size_t i = 0; i < group.entries; ++i) *states++ = by_entry_[i * group.members + slot];
}

/// The distribution of every missing cell alone: what most sets have of a row's gaps.
void Completions::Completer::add_marginals(std::size_t row, Part& part) const {
    const Members gaps = table_.missing(row);
    for (std::size_t place = 0; place < gaps.size(); ++place) {
        Gap& gap = part.gaps[part.gaps.size() - gaps.size() + place];
        gap.marginal = part.marginals.size();
        part.marginals.resize(part.marginals.size() + network_.arities[gaps[place]], 0.0);
        const Group& group = part.groups[gap.group];
        const GapTable::Code* states =
            &part.states[group.first_state + std::size_t{gap.slot} * group.entries];
        for (std::size_t i = 0; i < group.entries; ++i)
            part.marginals[gap.marginal + states[i]] += part.weights[group.first_weight + i];
    }
}

/// The distributions of all two missing cells of a group, where they are small beside its completions, of
/// which there may be hundreds: most sets that have two cells of a group have no third.
void Completions::Completer::add_pairs(const std::vector<Var>& members, Group& group, Part& part) const {
    constexpr std::size_t most_cells_for_each = 2;
    if (members.size() < 3) return;  // its completions are the pair's
    std::size_t cells = 0, before = 0;
    for (const Var v : members) {
        cells += before * network_.arities[v];
        before += network_.arities[v];
    }
    if (cells > most_cells_for_each * group.entries) return;
    group.first_pair = part.pairs.size();
    for (std::size_t b = 1; b < members.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const std::size_t width = network_.arities[members[b]], first = part.pair_weights.size();
            part.pairs.push_back(first);
            part.pair_weights.resize(first + network_.arities[members[a]] * width, 0.0);
            const GapTable::Code* of_a = &part.states[group.first_state + a * group.entries];
            const GapTable::Code* of_b = &part.states[group.first_state + b * group.entries];
            for (std::size_t i = 0; i < group.entries; ++i)
                part.pair_weights[first + of_a[i] * width + of_b[i]] += part.weights[group.first_weight + i];
        }
    }
}

}  // namespace dagscape
