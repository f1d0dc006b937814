#include "scores/count_subsets.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace dagscape {

namespace {

constexpr std::uint32_t unnumbered = ~std::uint32_t{0};

}  // namespace

bool CountSubsets::set_base(Members base) {
    if (base.size() > most_variables) return false;
    base_.assign(base.begin(), base.end());
    const Table& table = function_.table();
    rows_.group.assign(table.rows(), 0);
    rows_.bound = 1;
    for (const Var v : base_) rows_.split(table.column(v));
    const std::size_t groups = rows_.bound;
    if (groups << base_.size() > most_cells) return false;
    sizes_.assign(groups, 0);
    codes_.assign(groups * base_.size(), 0);
    for (std::size_t row = 0; row < table.rows(); ++row)
        sizes_[rows_.group[row]] += table.weights().empty() ? 1 : table.weights()[row];
    for (std::size_t i = 0; i < base_.size(); ++i)
        std::visit(
            [&](const auto& codes) {
                for (std::size_t row = 0; row < codes.size(); ++row)
                    codes_[i * groups + rows_.group[row]] = codes[row];
            },
            table.column(base_[i]).codes);
    subsets_.assign(std::size_t{1} << base_.size(), {});
    set_expense();
    return true;
}

/// For a score with a price, the least (r_x - 1) Π r_P over the members x of each subset, P being the others.
void CountSubsets::set_expense() {
    if (function_.score().price() <= 0) return;
    expense_.resize(subsets_.size());
    for (std::size_t subset = 0; subset < expense_.size(); ++subset) {
        double combinations = 1, least = 1;
        for (std::size_t rest = subset; rest != 0; rest &= rest - 1) {
            const double states =
                function_.table().arity(base_[static_cast<std::size_t>(std::countr_zero(rest))]);
            combinations *= states;
            least = std::min(least, (states - 1) / states);
        }
        expense_[subset] = combinations * least;
    }
    value_of_none_ = value(0);
    value_of_base_ = value(all());
}

/// Combinations of a subset are those of the subset without its highest variable, told apart by that.
CountSubsets::Cells& CountSubsets::cells(Subset subset) {
    Cells& made = subsets_[subset];
    if (!made.of_group.empty()) return made;
    const std::size_t groups = sizes_.size();
    made.of_group.assign(groups, 0);
    if (subset == 0) {
        made.group = {0};
        return made;
    }
    const std::size_t highest = static_cast<std::size_t>(std::bit_width(subset)) - 1;
    const Cells& fewer = cells(subset & ~(Subset{1} << highest));
    const std::uint32_t arity = function_.table().arity(base_[highest]);
    made.combinations = fewer.combinations * arity;
    numbers_.assign(fewer.group.size() * arity, unnumbered);
    const std::uint32_t* codes = &codes_[highest * groups];
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::uint32_t& number = numbers_[fewer.of_group[group] * arity + codes[group]];
        if (number == unnumbered) {
            number = static_cast<std::uint32_t>(made.group.size());
            made.group.push_back(group);
        }
        made.of_group[group] = number;
    }
    return made;
}

double CountSubsets::value(Subset subset) {
    const Cells& own = cells(subset);
    totals_.assign(own.group.size(), 0);
    for (std::size_t group = 0; group < sizes_.size(); ++group) totals_[own.of_group[group]] += sizes_[group];
    return function_.tables().joint_in_any_order(totals_, own.combinations, std::popcount(subset));
}

void CountSubsets::set_tried(Var tried) {
    const Table& table = function_.table();
    states_ = table.arity(tried);
    ++trial_;
    told_.reset();
    Cells& whole = cells(all());
    // Every group is a cell of its own of the whole base, and has its number.
    whole.counts.assign(whole.group.size() * states_, 0);
    whole.tried = trial_;
    // Most rows lie in a few cells: counting into four places in turn spares waiting for the last sum.
    const std::size_t cells_in_all = whole.counts.size();
    totals_.assign(3 * cells_in_all, 0);
    std::uint32_t* const places[] = {whole.counts.data(), totals_.data(), totals_.data() + cells_in_all,
                                     totals_.data() + 2 * cells_in_all};
    const std::uint32_t* groups = rows_.group.data();
    const std::vector<std::uint32_t>& weights = table.weights();
    std::visit(
        [&](const auto& codes) {
            std::size_t row = 0;
            if (weights.empty())
                for (; row + 4 <= codes.size(); row += 4)
                    for (std::size_t i = 0; i < 4; ++i)
                        ++places[i][groups[row + i] * states_ + codes[row + i]];
            for (; row < codes.size(); ++row)
                whole.counts[groups[row] * states_ + codes[row]] += weights.empty() ? 1 : weights[row];
        },
        table.column(tried).codes);
    if (weights.empty())
        for (std::size_t i = 0; i < cells_in_all; ++i)
            places[0][i] += places[1][i] + places[2][i] + places[3][i];
}

double CountSubsets::value_with_tried(Subset subset) {
    Cells& own = cells(subset);
    if (own.tried != trial_) {
        const Cells* from = &subsets_[all()];
        for (Subset rest = all() & ~subset; rest != 0; rest &= rest - 1) {
            const Cells& more = subsets_[subset | (rest & (~rest + 1))];
            if (more.tried == trial_ && more.group.size() < from->group.size()) from = &more;
        }
        sum(*from, own);
    }
    return function_.tables().joint_in_any_order(own.counts, own.combinations * static_cast<double>(states_),
                                                 std::popcount(subset) + 1);
}

/// What x gains by the variable v tried, beside P, is for a penalized likelihood N I(x; v | P) less the price
/// of (r_x - 1)(r_v - 1) Π r_P parameters. The first is at most N I(v; base), whatever P. A variable of one
/// state gains nothing and gives nothing, and what is gained beside it is gained without it.
double CountSubsets::most_gain(Subset subset) {
    const double price = function_.score().price();
    if (price <= 0) return std::numeric_limits<double>::infinity();
    if (states_ == 1 || expense_[subset] == 0) return 0;
    return told() - price * static_cast<double>(states_ - 1) * expense_[subset];
}

/// N I(v; base), rounding included: values of the base with the variable and without, and of the variable
/// alone, without their penalties.
double CountSubsets::told() {
    if (!told_) {
        const double parameters =
            (function_.table().combinations(base_) - 1) * static_cast<double>(states_ - 1);
        told_ = value_with_tried(all()) - value_of_base_ - value_with_tried(0) + value_of_none_ +
                function_.score().price() * parameters + 2 * tolerance_;
    }
    return *told_;
}

void CountSubsets::sum(const Cells& from, Cells& to) const {
    to.counts.assign(to.group.size() * states_, 0);
    to.tried = trial_;
    const std::uint32_t* counts = from.counts.data();
    for (const std::uint32_t group : from.group) {
        std::uint32_t* into = &to.counts[to.of_group[group] * states_];
        for (std::size_t state = 0; state < states_; ++state) into[state] += counts[state];
        counts += states_;
    }
}

}  // namespace dagscape
