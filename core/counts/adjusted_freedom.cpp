#include "counts/adjusted_freedom.hpp"

#include <utility>
#include <vector>

#include "data/row_groups.hpp"

namespace dagscape {

namespace {

constexpr double few_cells = 32768;

double free_cells(std::size_t of_x, std::size_t of_y) {
    return of_x > 1 && of_y > 1 ? double(of_x - 1) * double(of_y - 1) : 0;
}

/// Refines the numbers of the rows' cells by one more column.
template <typename Code>
void refine(std::uint16_t* __restrict cells, const Code* __restrict codes, std::size_t rows,
            std::uint16_t arity) {
    for (std::size_t row = 0; row < rows; ++row)
        cells[row] = static_cast<std::uint16_t>(cells[row] * arity + codes[row]);
}

/// Marks the cells that occur, and looks at them: the usual case, a pass over the rows for each column.
double by_cells(const Table& table, Var x, Var y, Members given) {
    thread_local std::vector<std::uint16_t> cells;  // below `few_cells`; narrow, for more at a time
    thread_local std::vector<std::uint8_t> seen, y_seen;
    cells.assign(table.rows(), 0);
    const auto divide = [&](Var v) {
        const auto arity = static_cast<std::uint16_t>(table.arity(v));
        std::visit([&](const auto& codes) { refine(cells.data(), codes.data(), codes.size(), arity); },
                   table.column(v).codes);
    };
    for (const Var v : given) divide(v);
    divide(x);
    divide(y);
    const std::size_t rx = table.arity(x), ry = table.arity(y);
    const auto combinations = static_cast<std::size_t>(table.combinations(given));
    seen.assign(combinations * rx * ry, 0);
    for (const std::uint16_t number : cells) seen[number] = 1;
    double freedom = 0;
    const std::uint8_t* cell = seen.data();
    for (std::size_t combination = 0; combination < combinations; ++combination) {
        std::size_t of_x = 0, of_y = 0;
        y_seen.assign(ry, 0);
        for (std::size_t i = 0; i < rx; ++i) {
            std::uint8_t any = 0;
            for (std::size_t j = 0; j < ry; ++j, ++cell) {
                any |= *cell;
                y_seen[j] |= *cell;
            }
            of_x += any;
        }
        for (const std::uint8_t mark : y_seen) of_y += mark;
        freedom += free_cells(of_x, of_y);
    }
    return freedom;
}

/// For each group, how many states of the column occur there.
void count_states(const RowGroups& rows, const Column& column, std::vector<std::uint32_t>& states) {
    RowGroups parts = rows;
    parts.split(column);
    std::vector<std::uint8_t> seen(parts.bound, 0);
    states.assign(rows.bound, 0);
    for (std::size_t row = 0; row < rows.group.size(); ++row)
        if (!std::exchange(seen[parts.group[row]], 1)) ++states[rows.group[row]];
}

/// The same in memory for as many groups as occur, where the cells would be too many.
double by_groups(const Table& table, Var x, Var y, Members given) {
    RowGroups rows(table.rows());
    for (const Var v : given) rows.split(table.column(v));
    std::vector<std::uint32_t> of_x, of_y;
    count_states(rows, table.column(x), of_x);
    count_states(rows, table.column(y), of_y);
    double freedom = 0;
    for (std::size_t group = 0; group < rows.bound; ++group) freedom += free_cells(of_x[group], of_y[group]);
    return freedom;
}

}  // namespace

double adjusted_freedom(const Table& table, Var x, Var y, Members given) {
    const double cells = table.combinations(given) * table.arity(x) * table.arity(y);
    return cells <= few_cells ? by_cells(table, x, y, given) : by_groups(table, x, y, given);
}

}  // namespace dagscape
