#include "gaps/extended_counts.hpp"

#include <algorithm>

namespace dagscape {

bool ExtendedCounts::count(Members set, Members more) {
    const GapTable& table = completions_.table();
    std::size_t widest = 1;
    for (const Var v : more) widest = std::max<std::size_t>(widest, table.arity(v));
    // As where sets are counted singly: few enough that clearing them costs no more than walking the rows.
    const double most = static_cast<double>(std::max<std::size_t>(4 * table.rows(), 4096));
    if (table.combinations(set) * static_cast<double>(widest) > most) return false;
    cells_ = 1;
    steps_.resize(set.size());
    for (std::size_t i = set.size(); i-- > 0;) {
        steps_[i] = cells_;
        cells_ *= table.arity(set[i]);
    }
    first_.clear();
    std::size_t size = cells_;
    for (const Var v : more) {
        first_.push_back(size);
        size += cells_ * table.arity(v);
    }
    first_.push_back(size);
    sums_.assign(size, 0.0);
    weight_of_.resize(std::max(weight_of_.size(), cells_), 0.0);

    for (std::size_t row = 0; row < table.rows(); ++row) {
        find_parts(row, set);
        for (const Chance& chance : all_) sums_[chance.cell] += chance.weight;
        const Members gaps = table.missing(row);
        const Gap* gap = completions_.gaps_.data() + completions_.first_gap_[row];
        auto missing = gaps.begin();
        for (std::size_t i = 0; i < more.size(); ++i) {
            const std::size_t arity = table.arity(more[i]);
            const std::size_t state = table.column(more[i])[row];
            if (state < arity) {
                add_known(first_[i], arity, state);
                continue;
            }
            while (*missing != more[i]) ++missing;
            add_missing(first_[i], arity, gap[missing - gaps.begin()]);
        }
    }
    return true;
}

/// What the row may have of the set.
void ExtendedCounts::find_parts(std::size_t row, Members set) {
    const GapTable& table = completions_.table();
    const Members gaps = table.missing(row);
    const Gap* gap = completions_.gaps_.data() + completions_.first_gap_[row];
    cell_ = 0;
    used_ = 0;
    auto missing = gaps.begin();
    for (std::size_t i = 0; i < set.size(); ++i) {
        const std::size_t arity = table.arity(set[i]), state = table.column(set[i])[row];
        if (state < arity) {
            cell_ += state * steps_[i];
            continue;
        }
        while (*missing != set[i]) ++missing;
        const Hole hole{steps_[i], arity, gap + (missing - gaps.begin())};
        std::size_t at = 0;
        while (at < used_ && parts_[at].group != hole.gap->group) ++at;
        if (at == used_) {
            if (used_ == parts_.size()) parts_.emplace_back();
            parts_[used_].group = hole.gap->group;
            parts_[used_].holes.clear();
            ++used_;
        }
        parts_[at].holes.push_back(hole);
    }
    for (std::size_t i = 0; i < used_; ++i) find_chances(parts_[i]);
    multiply(used_, all_);
}

void ExtendedCounts::find_chances(Part& part) {
    part.chances.clear();
    part.cell_of.clear();
    const auto add = [&](std::size_t cell, double weight) {
        if (weight > 0) part.chances.push_back({cell, weight});
    };
    const std::vector<Hole>& holes = part.holes;
    if (holes.size() == 1) {
        const double* marginal = &completions_.marginals_[holes[0].gap->marginal];
        for (std::size_t state = 0; state < holes[0].arity; ++state)
            add(state * holes[0].step, marginal[state]);
        return;
    }
    const Group& group = completions_.groups_[part.group];
    if (holes.size() == 2 && group.first_pair != Completions::no_pairs) {
        const double* pair = completions_.pair(group, holes[0].gap->slot, holes[1].gap->slot);
        for (std::size_t i = 0; i < holes[0].arity; ++i)
            for (std::size_t j = 0; j < holes[1].arity; ++j)
                add(i * holes[0].step + j * holes[1].step, *pair++);
        return;
    }
    // Many completions are alike in the holes; the first of each kind keeps its place.
    find_cells(part);
    const double* weights = &completions_.weights_[group.first_weight];
    for (std::size_t i = 0; i < group.entries; ++i) {
        double& weight = weight_of_[part.cell_of[i]];
        if (weight == 0) part.chances.push_back({part.cell_of[i], 0});
        weight += weights[i];
    }
    for (Chance& chance : part.chances) {
        chance.weight = weight_of_[chance.cell];
        weight_of_[chance.cell] = 0;
    }
}

/// Where each completion of a group leads.
void ExtendedCounts::find_cells(Part& part) const {
    if (!part.cell_of.empty()) return;
    const Group& group = completions_.groups_[part.group];
    part.cell_of.assign(group.entries, 0);
    for (const Hole& hole : part.holes) {
        const GapTable::Code* states = completions_.states_of(group, hole.gap->slot);
        const auto step = static_cast<std::uint32_t>(hole.step);
        for (std::size_t i = 0; i < group.entries; ++i) part.cell_of[i] += states[i] * step;
    }
}

/// What the row may have of the set, but for one part; cells count from the set's first.
void ExtendedCounts::multiply(std::size_t without, std::vector<Chance>& product) const {
    product.assign(1, {cell_, 1.0});
    for (std::size_t i = 0; i < used_; ++i) {
        if (i == without) continue;
        const std::vector<Chance>& more = parts_[i].chances;
        const std::size_t before = product.size();
        product.resize(before * more.size());
        for (std::size_t a = before; a-- > 0;) {
            const Chance own = product[a];
            for (std::size_t b = 0; b < more.size(); ++b)
                product[a * more.size() + b] = {own.cell + more[b].cell, own.weight * more[b].weight};
        }
    }
}

void ExtendedCounts::add_known(std::size_t first, std::size_t arity, std::size_t state) {
    double* sums = &sums_[first + state];
    for (const Chance& chance : all_) sums[chance.cell * arity] += chance.weight;
}

void ExtendedCounts::add_missing(std::size_t first, std::size_t arity, const Gap& gap) {
    for (std::size_t i = 0; i < used_; ++i) {
        if (parts_[i].group != gap.group) continue;
        if (used_ == 1) {
            others_.assign(1, {cell_, 1.0});
        } else {
            multiply(i, others_);
        }
        add_together(first, arity, gap, parts_[i], others_);
        return;
    }
    const double* marginal = &completions_.marginals_[gap.marginal];
    for (const Chance& chance : all_) {
        double* sums = &sums_[first + chance.cell * arity];
        for (std::size_t state = 0; state < arity; ++state) sums[state] += chance.weight * marginal[state];
    }
}

/// A missing cell that depends on some of the set's.
void ExtendedCounts::add_together(std::size_t first, std::size_t arity, const Gap& gap, Part& part,
                                  const std::vector<Chance>& others) {
    const Group& group = completions_.groups_[part.group];
    if (part.holes.size() == 1 && group.first_pair != Completions::no_pairs) {
        const Hole& hole = part.holes[0];
        const bool later = gap.slot > hole.gap->slot;
        const double* pair = later ? completions_.pair(group, hole.gap->slot, gap.slot)
                                   : completions_.pair(group, gap.slot, hole.gap->slot);
        const std::size_t hole_step = later ? arity : 1, step = later ? 1 : hole.arity;
        for (const Chance& chance : others)
            for (std::size_t i = 0; i < hole.arity; ++i) {
                double* sums = &sums_[first + (chance.cell + i * hole.step) * arity];
                for (std::size_t state = 0; state < arity; ++state)
                    sums[state] += chance.weight * pair[i * hole_step + state * step];
            }
        return;
    }
    find_cells(part);
    const GapTable::Code* states = completions_.states_of(group, gap.slot);
    const double* weights = &completions_.weights_[group.first_weight];
    for (const Chance& chance : others) {
        double* sums = &sums_[first + chance.cell * arity];
        for (std::size_t i = 0; i < group.entries; ++i)
            sums[std::size_t{part.cell_of[i]} * arity + states[i]] += chance.weight * weights[i];
    }
}

}  // namespace dagscape
