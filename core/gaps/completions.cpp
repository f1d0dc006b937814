#include "gaps/completions.hpp"

#include <algorithm>
#include <string>

#include "error.hpp"
#include "gaps/completer.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace dagscape {

namespace {

constexpr std::size_t rows_at_once = 256;

}  // namespace

Completions::Completions(std::shared_ptr<const GapTable> table, const TableNetwork& network,
                         const CompletionOptions& options, std::size_t threads, Control& control)
    : table_(std::move(table)) {
    if (network.variables() != table_->variables())
        throw Error(ErrorKind::parameter, "the network must have the variables of the table");
    for (Var v = 0; v < network.variables(); ++v)
        if (network.arities[v] != table_->arity(v))
            throw Error(ErrorKind::parameter, "the network must have the states of the table");
    const std::size_t rows = table_->rows(), tasks = (rows + rows_at_once - 1) / rows_at_once;
    std::vector<Part> parts(tasks);
    parallel_for(tasks, threads, control, [&](std::size_t task, std::size_t) {
        Completer completer(*table_, network, options);
        const std::size_t end = std::min(rows, (task + 1) * rows_at_once);
        for (std::size_t row = task * rows_at_once; row < end; ++row) {
            if (control.stopped()) return;
            completer.complete(row, parts[task]);
        }
        control.advance(1.0 / static_cast<double>(tasks));
    });
    if (control.why() == Stop::none) take(parts);
}

void Completions::take(std::vector<Part>& parts) {
    for (Part& part : parts) {
        for (Group& group : part.groups) {
            group.first_state += states_.size();
            group.first_weight += weights_.size();
            if (group.first_pair != no_pairs) group.first_pair += pairs_.size();
        }
        for (std::size_t& pair : part.pairs) pair += pair_weights_.size();
        for (Gap& gap : part.gaps) {
            gap.group += static_cast<std::uint32_t>(groups_.size());
            gap.marginal += marginals_.size();
        }
        const auto append = [](auto& to, auto& from) {
            to.insert(to.end(), from.begin(), from.end());
            from = {};
        };
        append(gaps_, part.gaps);
        append(groups_, part.groups);
        append(states_, part.states);
        append(weights_, part.weights);
        append(marginals_, part.marginals);
        append(pairs_, part.pairs);
        append(pair_weights_, part.pair_weights);
        log_likelihood_ += part.log_likelihood;
        rows_drawn_ += part.rows_drawn;
    }
    first_gap_.reserve(table_->rows() + 1);
    std::size_t next = 0;
    for (std::size_t row = 0; row < table_->rows(); ++row) {
        first_gap_.push_back(next);
        next += table_->missing(row).size();
    }
}

/// `emit(states, weight)` for all that a row may have of a set, in which it lacks something.
template <typename Emit>
void Completions::expand(std::size_t row, Members set, const Emit& emit) const {
    struct Hole {
        std::size_t place;  // in the set
        const Gap* gap;
    };
    thread_local std::vector<Hole> holes;
    thread_local std::vector<GapTable::Code> states;
    holes.clear();
    states.resize(set.size());
    const Members gaps = table_->missing(row);
    for (std::size_t i = 0; i < set.size(); ++i) {
        states[i] = table_->column(set[i])[row];
        if (states[i] != table_->arity(set[i])) continue;
        const auto at = static_cast<std::size_t>(std::ranges::lower_bound(gaps, set[i]) - gaps.begin());
        holes.push_back({i, &gaps_[first_gap_[row] + at]});
    }
    std::ranges::stable_sort(holes, {}, [](const Hole& hole) { return hole.gap->group; });

    const auto fill = [&](const auto& self, std::size_t from, double weight) -> void {
        if (from == holes.size()) {
            emit(states.data(), weight);
            return;
        }
        std::size_t end = from + 1;
        while (end < holes.size() && holes[end].gap->group == holes[from].gap->group) ++end;
        if (end == from + 1) {
            const Hole& hole = holes[from];
            const double* marginal = &marginals_[hole.gap->marginal];
            for (std::uint32_t state = 0; state < table_->arity(set[hole.place]); ++state) {
                if (!(marginal[state] > 0)) continue;
                states[hole.place] = static_cast<GapTable::Code>(state);
                self(self, end, weight * marginal[state]);
            }
            return;
        }
        const Group& group = groups_[holes[from].gap->group];
        for (std::size_t i = 0; i < group.entries; ++i) {
            for (std::size_t j = from; j < end; ++j)
                states[holes[j].place] = states_of(group, holes[j].gap->slot)[i];
            self(self, end, weight * weights_[group.first_weight + i]);
        }
    };
    fill(fill, 0, 1.0);
}

/// The same as `expand` with all rows, where combinations are numbered: completions of a row are steps from
/// where it would be with the first state in every gap. Most rows lack one of the set, and need no more than
/// the distribution of that cell.
void Completions::add_numbered(Members set, const std::vector<std::uint8_t>& known,
                               const WeightedCells& cells) const {
    struct Hole {
        std::size_t step;
        std::uint32_t arity;
        const Gap* gap;
    };
    const std::span<const std::size_t> steps = cells.steps();
    const std::uint32_t* numbers = cells.numbers();
    double* sums = cells.sums();
    std::vector<Hole> holes;

    const auto fill = [&](const auto& self, std::size_t from, std::size_t cell, double weight) -> void {
        std::size_t end = from + 1;
        while (end < holes.size() && holes[end].gap->group == holes[from].gap->group) ++end;
        const auto next = [&](std::size_t there, double share) {
            if (end == holes.size())
                sums[there] += share;
            else
                self(self, end, there, share);
        };
        if (end == from + 1) {
            const Hole& hole = holes[from];
            const double* marginal = &marginals_[hole.gap->marginal];
            for (std::uint32_t state = 0; state < hole.arity; ++state)
                if (marginal[state] > 0) next(cell + state * hole.step, weight * marginal[state]);
            return;
        }
        const Group& group = groups_[holes[from].gap->group];
        if (end == from + 2 && group.first_pair != no_pairs) {
            const Hole &a = holes[from], &b = holes[from + 1];  // sets and slots are both in order
            const double* pair = this->pair(group, a.gap->slot, b.gap->slot);
            for (std::uint32_t i = 0; i < a.arity; ++i)
                for (std::uint32_t j = 0; j < b.arity; ++j, ++pair)
                    if (*pair > 0) next(cell + i * a.step + j * b.step, weight * *pair);
            return;
        }
        for (std::size_t i = 0; i < group.entries; ++i) {
            std::size_t there = cell;
            for (std::size_t j = from; j < end; ++j)
                there += states_of(group, holes[j].gap->slot)[i] * holes[j].step;
            next(there, weight * weights_[group.first_weight + i]);
        }
    };
    for (std::size_t row = 0; row < known.size(); ++row) {
        if (known[row]) continue;
        const Members gaps = table_->missing(row);
        std::size_t cell = numbers[row];
        holes.clear();
        for (std::size_t i = 0; i < set.size(); ++i) {
            if (!table_->missing(row, set[i])) continue;
            const std::uint32_t arity = table_->arity(set[i]);
            const auto at = static_cast<std::size_t>(std::ranges::find(gaps, set[i]) - gaps.begin());
            holes.push_back({steps[i], arity, &gaps_[first_gap_[row] + at]});
            cell -= arity * steps[i];
        }
        if (holes.size() == 1) {
            const double* marginal = &marginals_[holes[0].gap->marginal];
            for (std::uint32_t state = 0; state < holes[0].arity; ++state)
                sums[cell + state * holes[0].step] += marginal[state];
            continue;
        }
        if (holes.size() > 2 || holes[0].gap->group > holes[1].gap->group)
            std::ranges::stable_sort(holes, {}, [](const Hole& hole) { return hole.gap->group; });
        fill(fill, 0, cell, 1.0);
    }
}

std::span<const double> Completions::counts(Members set) const {
    WeightedCells cells(*table_, set);
    const std::vector<std::uint8_t>& known = cells.add_known(set);
    if (cells.numbered()) {
        add_numbered(set, known, cells);
        return cells.weights();
    }
    for (std::size_t row = 0; row < known.size(); ++row)
        if (!known[row])
            expand(row, set, [&](const GapTable::Code* states, double weight) { cells.add(states, weight); });
    return cells.weights();
}

std::vector<double> Completions::counts_of_all(Members variables) const {
    std::vector<std::size_t> steps(variables.size());
    std::size_t size = 1;
    for (std::size_t i = variables.size(); i-- > 0;) {
        steps[i] = size;
        size *= table_->arity(variables[i]);
        if (size > std::size_t{1} << 28)
            throw Error(ErrorKind::parameter, "a family has too many value combinations for a table");
    }
    std::vector<Var> set(variables.begin(), variables.end());
    std::ranges::sort(set);
    std::vector<std::size_t> step_of;  // by place in the set
    for (const Var v : set)
        step_of.push_back(
            steps[static_cast<std::size_t>(std::ranges::find(variables, v) - variables.begin())]);
    std::vector<double> sums(size, 0.0);
    const auto add = [&](const GapTable::Code* states, double weight) {
        std::size_t cell = 0;
        for (std::size_t i = 0; i < set.size(); ++i) cell += states[i] * step_of[i];
        sums[cell] += weight;
    };
    std::vector<GapTable::Code> states(set.size(), 0);
    WeightedCells cells(*table_, set);
    const std::vector<std::uint8_t>& known = cells.add_known(set);
    if (cells.numbered()) {
        add_numbered(set, known, cells);
        for (std::size_t number = 0; number < size; ++number) {
            add(states.data(), cells.sums()[number]);
            for (std::size_t i = set.size(); i-- > 0;) {
                if (++states[i] < table_->arity(set[i])) break;
                states[i] = 0;
            }
        }
        return sums;
    }
    for (std::size_t row = 0; row < known.size(); ++row) {
        if (!known[row]) {
            expand(row, set, add);
            continue;
        }
        for (std::size_t i = 0; i < set.size(); ++i) states[i] = table_->column(set[i])[row];
        add(states.data(), 1.0);
    }
    return sums;
}

std::vector<std::vector<GapTable::Code>> Completions::drawn(std::uint64_t seed) const {
    std::vector<std::vector<GapTable::Code>> columns;
    for (std::size_t v = 0; v < table_->variables(); ++v)
        columns.push_back(table_->column(static_cast<Var>(v)));
    std::vector<std::size_t> entry;  // that was drawn, by group of the row
    for (std::size_t row = 0; row < table_->rows(); ++row) {
        const Members gaps = table_->missing(row);
        if (gaps.empty()) continue;
        Random random(seed, row);
        const std::size_t first =
            groups_.empty() ? 0 : gaps_[first_gap_[row]].group;  // they begin with the first gap's
        entry.clear();
        for (std::size_t place = 0; place < gaps.size(); ++place) {
            const Gap& gap = gaps_[first_gap_[row] + place];
            const Group& group = groups_[gap.group];
            if (gap.group - first == entry.size()) {
                double left = random.unit();
                std::size_t chosen = 0;
                while (chosen + 1 < group.entries && left >= weights_[group.first_weight + chosen])
                    left -= weights_[group.first_weight + chosen++];
                entry.push_back(chosen);
            }
            columns[gaps[place]][row] = states_of(group, gap.slot)[entry[gap.group - first]];
        }
    }
    return columns;
}

}  // namespace dagscape
