#include "data/unique_rows.hpp"

#include <type_traits>
#include <vector>

#include "data/row_groups.hpp"

namespace dagscape {

Table unique_rows(const Table& table) {
    RowGroups rows(table.rows());
    for (std::size_t v = 0; v < table.variables() && rows.bound < table.rows(); ++v)
        rows.split(table.column(static_cast<Var>(v)));

    std::vector<std::size_t> place(rows.bound, table.rows());  // of a group in the result; none yet
    std::vector<std::size_t> first;                            // row of each group
    std::vector<std::uint32_t> weights;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::size_t& at = place[rows.group[row]];
        if (at == table.rows()) {
            at = first.size();
            first.push_back(row);
            weights.push_back(0);
        }
        weights[at] += table.weights().empty() ? 1 : table.weights()[row];
    }

    std::vector<Column> columns;
    for (std::size_t v = 0; v < table.variables(); ++v) {
        const Column& column = table.column(static_cast<Var>(v));
        columns.push_back(std::visit(
            [&](const auto& codes) {
                std::remove_cvref_t<decltype(codes)> kept;
                kept.reserve(first.size());
                for (const std::size_t row : first) kept.push_back(codes[row]);
                return Column{std::move(kept), column.arity};
            },
            column.codes));
    }
    return Table(std::move(columns), std::move(weights));
}

}  // namespace dagscape
