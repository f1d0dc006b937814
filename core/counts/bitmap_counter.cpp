#include "counts/bitmap_counter.hpp"

#include <algorithm>

#include "error.hpp"

namespace dagscape {

namespace {

constexpr std::size_t most_cells = std::size_t{1} << 28;

}  // namespace

struct BitmapCounter::Query {
    std::vector<std::size_t> positions;  // ascending in arity, so that the last has most items
    std::vector<std::size_t> steps;      // between cells that differ in a variable's state by one
    std::vector<std::uint32_t> cells;    // state 0 of a variable means "any", until it is subtracted from
    std::vector<std::uint32_t> lanes;
    std::vector<std::vector<std::uint64_t>> masks;  // by depth
};

BitmapCounter::BitmapCounter(const Table& table, Instructions instructions)
    : order_(table), items_(table, order_), kernels_(bit_kernels(instructions)) {}

void BitmapCounter::count(Members set, std::vector<std::uint32_t>& counts) const {
    if (set.empty()) {
        counts.assign(1, order_.cases);
        return;
    }
    thread_local Query query;
    query.positions.clear();
    for (const Var v : set) query.positions.push_back(order_.position_of[v]);
    std::sort(query.positions.begin(), query.positions.end());
    query.steps.clear();
    std::size_t cells = 1;
    for (const std::size_t position : query.positions) {
        query.steps.push_back(cells);
        cells *= order_.states(position);
        if (cells > most_cells)
            throw Error(ErrorKind::parameter,
                        "the set has too many value combinations to be counted from bitmaps");
    }
    query.cells.assign(cells, 0);
    query.cells[0] = order_.cases;
    query.lanes.resize(order_.items());
    if (query.masks.size() < set.size()) query.masks.resize(set.size());
    intersect(query, 0, nullptr, 0);

    for (std::size_t i = 0; i < query.positions.size(); ++i) {
        const std::size_t states = order_.states(query.positions[i]);
        const std::size_t step = query.steps[i];
        for (std::size_t high = 0; high < cells; high += step * states)
            for (std::size_t low = high; low < high + step; ++low)
                for (std::size_t state = 1; state < states; ++state)
                    query.cells[low] -= query.cells[low + state * step];
    }
    counts.clear();
    for (const std::uint32_t n : query.cells)
        if (n > 0) counts.push_back(n);
}

/// Counts the items of the variables from `depth` on, among the rows in the mask (null: all of them), whose
/// number stands in the cell already.
void BitmapCounter::intersect(Query& query, std::size_t depth, const std::uint64_t* mask,
                              std::size_t cell) const {
    const std::size_t position = query.positions[depth];
    const std::size_t first = order_.before(position);
    const std::size_t items = order_.states(position) - 1;
    const std::uint64_t* bitmaps = items_.bitmaps.data() + first * items_.words;
    std::uint32_t* counts = query.lanes.data() + first;  // no other depth uses these
    if (mask) {
        kernels_.and_counts(mask, bitmaps, items, items_.words, counts);
    } else {
        std::copy_n(order_.count.data() + first, items, counts);
    }
    for (std::size_t item = 0; item < items; ++item)
        query.cells[cell + (item + 1) * query.steps[depth]] = counts[item];
    if (depth + 1 == query.positions.size()) return;

    intersect(query, depth + 1, mask, cell);
    for (std::size_t item = 0; item < items; ++item) {
        const std::size_t next = cell + (item + 1) * query.steps[depth];
        if (query.cells[next] == 0) continue;
        const std::uint64_t* row = bitmaps + item * items_.words;
        if (mask) {
            std::vector<std::uint64_t>& both = query.masks[depth];
            both.resize(items_.words);
            for (std::size_t w = 0; w < items_.words; ++w) both[w] = mask[w] & row[w];
            row = both.data();
        }
        intersect(query, depth + 1, row, next);
    }
}

}  // namespace dagscape
