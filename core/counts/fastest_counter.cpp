#include "counts/fastest_counter.hpp"

namespace dagscape {

FastestCounter::FastestCounter(const Table& table, Instructions instructions)
    : rows_(table), bitmap_cost_(8 + word_cost(instructions) * static_cast<double>(table.rows()) / 64) {
    for (std::size_t v = 0; v < table.variables(); ++v) arities_.push_back(table.arity(static_cast<Var>(v)));
    // Bitmaps of very many states would outgrow the table they are made of.
    double items = 0;
    for (const std::uint32_t arity : arities_) items += arity - 1;
    if (table.weights().empty() && items <= 32 * static_cast<double>(arities_.size()))
        bitmaps_.emplace(table, instructions);
}

bool FastestCounter::by_bitmaps(Members set) const {
    if (!bitmaps_) return false;
    const double row_cost =
        200 + static_cast<double>(rows_.rows()) * (1.0 + 0.7 * static_cast<double>(set.size()));
    double cost = bitmap_cost_;
    for (const Var v : set) {
        cost *= arities_[v];
        if (cost > row_cost) return false;
    }
    return true;
}

void FastestCounter::count(Members set, std::vector<std::uint32_t>& counts) const {
    if (by_bitmaps(set)) {
        bitmaps_->count(set, counts);
    } else {
        rows_.count(set, counts);
    }
}

}  // namespace dagscape
