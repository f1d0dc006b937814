#include "counts/extension_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "counts/column_counts.hpp"

namespace dagscape {

namespace {

constexpr std::size_t most_cell_bytes = std::size_t{64} << 20;
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

std::size_t items_of(const Table& table) {
    std::size_t items = 0;
    for (std::size_t v = 0; v < table.variables(); ++v) items += table.arity(static_cast<Var>(v)) - 1;
    return items;
}

/// Bit j of word i becomes bit i of word j (Warren, Hacker's Delight, section 7-3).
void transpose(std::array<std::uint64_t, 64>& square) {
    std::uint64_t mask = 0x00000000ffffffff;
    for (std::size_t j = 32; j != 0; j /= 2, mask ^= mask << j)
        for (std::size_t k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            const std::uint64_t swapped = ((square[k] >> j) ^ square[k | j]) & mask;
            square[k] ^= swapped << j;
            square[k | j] ^= swapped;
        }
}

}  // namespace

ExtensionCounts::Parts::Parts(const Table& data, Instructions instructions)
    : table(data),
      order(table),
      items(table, order),
      kernels(bit_kernels(instructions)),
      word_cost(dagscape::word_cost(instructions)),
      words(column_words(order.items())),
      rows(table.rows() * words, 0) {
    std::array<std::uint64_t, 64> square;
    for (std::size_t first = 0; first < order.items(); first += 64)
        for (std::size_t w = 0; w < items.words; ++w) {
            for (std::size_t i = 0; i < 64; ++i)
                square[i] = first + i < order.items() ? items.bitmaps[(first + i) * items.words + w] : 0;
            transpose(square);
            for (std::size_t row = 64 * w; row < std::min(64 * (w + 1), table.rows()); ++row)
                rows[row * words + first / 64] = square[row % 64];
        }
}

ExtensionCounts::ExtensionCounts(const Table& table, Instructions instructions, ExtensionWay way)
    : parts_(std::make_shared<const Parts>(table, instructions)), way_(way) {}

bool ExtensionCounts::suits(const Table& table) {
    return table.weights().empty() && items_of(table) <= 32 * table.variables();
}

std::size_t ExtensionCounts::bytes_for(const Table& table) {
    const std::size_t items = items_of(table);
    return items * ((table.rows() + 63) / 64) * 8 + table.rows() * column_words(items) * 8;
}

void ExtensionCounts::begin(Var child, Members parents, const Counted& counted) {
    counted_ = counted;
    family_set_.assign(1, order().position_of[child]);
    for (const Var parent : parents) family_set_.push_back(order().position_of[parent]);
    std::sort(family_set_.begin() + 1, family_set_.end(), std::greater<>());
    family_.settled.clear();
    given_.settled.clear();
}

bool ExtensionCounts::count(Var child, Members parents) {
    begin(child, parents, {&order(), parts_->items.bitmaps.data(), parts_->words * 64});
    if (!by_bitmaps()) return count_rows(child, parents);
    count_bitmaps();
    return true;
}

bool ExtensionCounts::count_some(Var child, Members parents, std::span<const std::size_t> positions) {
    if (2 * positions.size() > order().positions() || way_ == ExtensionWay::rows) return false;
    some_.emplace(order(), positions);
    const std::size_t words = parts_->items.words;
    some_bitmaps_.resize(some_->items() * words);
    std::uint64_t* to = some_bitmaps_.data();
    for (const std::size_t position : positions) {
        const std::size_t length = (order().states(position) - 1) * words;
        std::copy_n(parts_->items.bitmaps.data() + order().before(position) * words, length, to);
        to += length;
    }
    begin(child, parents, {&*some_, some_bitmaps_.data(), some_->items()});
    if (!by_bitmaps()) return false;
    count_bitmaps();
    return true;
}

/// Nanoseconds, measured on one machine; only their ratios matter.
bool ExtensionCounts::by_bitmaps() const {
    if (way_ != ExtensionWay::cheaper) return way_ == ExtensionWay::bitmaps;
    const auto rows = static_cast<double>(parts_->table.rows());
    const double row_cost =
        rows * (6 + 1.5 * static_cast<double>(family_set_.size()) + 0.2 * static_cast<double>(parts_->words));
    double cost = static_cast<double>(counted().items()) *
                  (2 + parts_->word_cost * static_cast<double>(parts_->items.words));
    for (const std::size_t position : family_set_) {
        cost *= static_cast<double>(order().states(position));
        if (cost > row_cost) return false;
    }
    return true;
}

/// Adds a cell of the family to the cell of the parents that it is part of.
void ExtensionCounts::add_to_given(std::size_t cell, std::size_t given_cell) {
    given_.totals[given_cell] += family_.totals[cell];
    const std::uint32_t* from = family_.items.data() + cell * counted_.stride;
    std::uint32_t* to = given_.items.data() + given_cell * counted_.stride;
    for (std::size_t i = 0; i < counted().items(); ++i) to[i] += from[i];
}

void ExtensionCounts::count_bitmaps() {
    const std::size_t words = parts_->items.words;
    const std::size_t rows = parts_->table.rows();
    masks_.bits.assign(words, ~std::uint64_t{0});
    if (rows % 64 != 0) masks_.bits.back() = (std::uint64_t{1} << (rows % 64)) - 1;
    masks_.totals.assign(1, static_cast<std::uint32_t>(rows));
    for (std::size_t i = 1; i < family_set_.size(); ++i) {
        split_masks(family_set_[i], masks_, next_masks_, nullptr);
        std::swap(masks_, next_masks_);
    }
    const std::size_t given_cells = masks_.totals.size();
    split_masks(family_set_[0], masks_, next_masks_, &source_);

    const std::size_t cells = next_masks_.totals.size();
    const std::size_t items = counted().items();
    family_.totals = next_masks_.totals;
    family_.items.resize(cells * counted_.stride);
    // The largest cell is what the others leave.
    const auto largest = static_cast<std::size_t>(
        std::max_element(family_.totals.begin(), family_.totals.end()) - family_.totals.begin());
    std::uint32_t* rest = family_.items.data() + largest * counted_.stride;
    std::copy_n(counted().count.data(), items, rest);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (cell == largest) continue;
        std::uint32_t* counts = family_.items.data() + cell * counted_.stride;
        parts_->kernels.and_counts(next_masks_.bits.data() + cell * words, counted_.bitmaps, items, words,
                                   counts);
        for (std::size_t i = 0; i < items; ++i) rest[i] -= counts[i];
    }
    given_.totals.assign(given_cells, 0);
    given_.items.assign(given_cells * counted_.stride, 0);
    for (std::size_t cell = 0; cell < cells; ++cell) add_to_given(cell, source_[cell]);
}

/// Parts every mask by the states of a variable; those without rows are left out.
void ExtensionCounts::split_masks(std::size_t position, const Masks& from, Masks& to,
                                  std::vector<std::uint32_t>* source) {
    const std::size_t words = parts_->items.words;
    const std::size_t states = order().states(position);
    to.bits.resize(from.totals.size() * states * words);
    to.totals.clear();
    if (source) source->clear();
    const auto keep = [&](std::size_t cell, std::uint32_t total) {
        if (total == 0) return;
        to.totals.push_back(total);
        if (source) source->push_back(static_cast<std::uint32_t>(cell));
    };
    for (std::size_t cell = 0; cell < from.totals.size(); ++cell) {
        const std::uint64_t* mask = from.bits.data() + cell * words;
        std::uint32_t left = from.totals[cell];
        for (std::size_t item = order().before(position); item + 1 < order().before(position) + states;
             ++item) {
            const std::uint64_t* bitmap = parts_->items.bitmaps.data() + item * words;
            std::uint64_t* both = to.bits.data() + to.totals.size() * words;
            for (std::size_t w = 0; w < words; ++w) both[w] = mask[w] & bitmap[w];
            std::uint32_t total = 0;
            parts_->kernels.and_counts(mask, bitmap, 1, words, &total);
            left -= total;
            keep(cell, total);
        }
        if (left == 0) continue;
        std::uint64_t* others = to.bits.data() + to.totals.size() * words;
        std::copy_n(mask, words, others);
        for (std::size_t item = order().before(position); item + 1 < order().before(position) + states;
             ++item) {
            const std::uint64_t* bitmap = parts_->items.bitmaps.data() + item * words;
            for (std::size_t w = 0; w < words; ++w) others[w] &= ~bitmap[w];
        }
        keep(cell, left);
    }
}

/// Puts the rows in order of their groups; `starts_` says where each begins.
void ExtensionCounts::order_rows() {
    starts_.assign(groups_.bound + 1, 0);
    for (const std::uint32_t group : groups_.group) ++starts_[group + 1];
    for (std::size_t group = 0; group < groups_.bound; ++group) starts_[group + 1] += starts_[group];
    ordered_.resize(groups_.group.size());
    for (std::size_t row = 0; row < ordered_.size(); ++row)
        ordered_[starts_[groups_.group[row]]++] = static_cast<std::uint32_t>(row);
    // Each start has moved to its group's end, which is the next one's start.
    starts_.insert(starts_.begin(), 0);
}

bool ExtensionCounts::count_rows(Var child, Members parents) {
    const Table& table = parts_->table;
    const std::size_t most_groups = std::max<std::size_t>(table.rows(), 4096);
    const auto part = [&](Var v) {
        const Column& column = table.column(v);
        if (groups_.bound * column.arity <= most_groups) {
            groups_.spread(column);
        } else {
            groups_.split(column);
        }
    };
    groups_.group.assign(table.rows(), 0);
    groups_.bound = 1;
    for (const Var parent : parents) part(parent);
    given_group_ = groups_.group;
    given_rows_.assign(groups_.bound, 0);
    for (const std::uint32_t group : given_group_) ++given_rows_[group];
    part(child);
    order_rows();
    if (!list_cells()) return false;

    family_.items.resize(family_.totals.size() * counted_.stride);
    given_.items.assign(given_.totals.size() * counted_.stride, 0);
    for (std::size_t cell = 0; cell < family_.totals.size(); ++cell) {
        count_columns(parts_->rows.data(), parts_->words,
                      {ordered_.data() + first_[cell], family_.totals[cell]},
                      family_.items.data() + cell * counted_.stride);
        add_to_given(cell, source_[cell]);
    }
    return true;
}

/// The groups that have rows, and those of the parents they are part of. A row that is alone among those
/// with its parents' states can be parted by no variable: it is settled.
bool ExtensionCounts::list_cells() {
    family_.totals.clear();
    given_.totals.clear();
    source_.clear();
    first_.clear();
    given_place_.assign(given_rows_.size(), none);
    std::uint32_t settled = 0;
    for (std::size_t group = 0; group < groups_.bound; ++group) {
        const std::uint32_t total = starts_[group + 1] - starts_[group];
        if (total == 0) continue;
        const std::uint32_t given_group = given_group_[ordered_[starts_[group]]];
        if (given_rows_[given_group] == 1) {
            ++settled;
            continue;
        }
        std::uint32_t& place = given_place_[given_group];
        if (place == none) {
            place = static_cast<std::uint32_t>(given_.totals.size());
            given_.totals.push_back(0);
        }
        source_.push_back(place);
        first_.push_back(starts_[group]);
        family_.totals.push_back(total);
    }
    if (settled > 0) {
        family_.settled.emplace_back(1u, settled);
        given_.settled.emplace_back(1u, settled);
    }
    return 2 * family_.totals.size() * counted_.stride * sizeof(std::uint32_t) <= most_cell_bytes;
}

}  // namespace dagscape
