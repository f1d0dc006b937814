#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bindings.hpp"
#include "data/mixed_table.hpp"
#include "data/table.hpp"
#include "error.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dagscape;

namespace {

using AnyColumn = nb::ndarray<nb::numpy, nb::ro, nb::ndim<1>, nb::device::cpu>;
using Weights = nb::ndarray<const std::uint32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Code>
std::vector<Code> copied(const AnyColumn& array) {
    const auto* from = static_cast<const Code*>(array.data());
    std::vector<Code> codes(array.shape(0));
    for (std::size_t row = 0; row < codes.size(); ++row)
        codes[row] = from[static_cast<std::int64_t>(row) * array.stride(0)];
    return codes;
}

Column column_from(const AnyColumn& array, std::uint32_t arity) {
    if (array.dtype() == nb::dtype<std::uint8_t>()) return {copied<std::uint8_t>(array), arity};
    if (array.dtype() == nb::dtype<std::uint16_t>()) return {copied<std::uint16_t>(array), arity};
    throw Error(ErrorKind::data, "columns of codes must be of type uint8 or uint16");
}

std::shared_ptr<Table> make_table(const std::vector<AnyColumn>& arrays,
                                  const std::vector<std::uint32_t>& arities,
                                  const std::optional<Weights>& weights) {
    if (arrays.size() != arities.size())
        throw Error(ErrorKind::data, "there must be one arity for each column");
    std::vector<Column> columns;
    columns.reserve(arrays.size());
    for (std::size_t v = 0; v < arrays.size(); ++v) columns.push_back(column_from(arrays[v], arities[v]));
    std::vector<std::uint32_t> given;
    if (weights) given.assign(weights->data(), weights->data() + weights->shape(0));
    return std::make_shared<Table>(std::move(columns), std::move(given));
}

std::shared_ptr<MixedTable> make_mixed_table(const std::vector<AnyColumn>& arrays,
                                             const std::vector<std::uint32_t>& arities, double unit) {
    if (arrays.size() != arities.size())
        throw Error(ErrorKind::data, "there must be one arity for each column");
    std::vector<MixedTable::AnyColumn> columns;
    columns.reserve(arrays.size());
    for (std::size_t v = 0; v < arrays.size(); ++v) {
        if (arrays[v].dtype() == nb::dtype<double>()) {
            columns.emplace_back(copied<double>(arrays[v]));
        } else {
            columns.emplace_back(column_from(arrays[v], arities[v]));
        }
    }
    return std::make_shared<MixedTable>(std::move(columns), unit);
}

}  // namespace

void bind_data(nb::module_& m) {
    nb::class_<Table>(m, "Table", "Complete discrete data, column by column, as the engine holds it.")
        .def(nb::new_(&make_table), "columns"_a, "arities"_a, "weights"_a = nb::none())
        .def_prop_ro("rows", &Table::rows)
        .def_prop_ro("variables", &Table::variables)
        .def_prop_ro("cases", &Table::cases);
    nb::class_<MixedTable>(m, "MixedTable", "Complete data of states and numbers, as the engine holds it.")
        .def(nb::new_(&make_mixed_table), "columns"_a, "arities"_a, "unit"_a = 1.0,
             "Columns of codes or of doubles, whose arity does not matter. unit: what a row counts for.")
        .def_prop_ro("rows", &MixedTable::rows)
        .def_prop_ro("variables", &MixedTable::variables);
}
