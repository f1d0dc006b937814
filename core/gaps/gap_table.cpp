#include "gaps/gap_table.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "data/table.hpp"
#include "error.hpp"

namespace dagscape {

GapTable::GapTable(std::vector<std::vector<Code>> columns, std::vector<std::uint32_t> arities)
    : columns_(std::move(columns)), arities_(std::move(arities)) {
    if (columns_.empty() || columns_.size() != arities_.size() || columns_.size() > max_variables)
        throw Error(ErrorKind::data, "there must be columns, and one arity for each");
    if (rows() == 0) throw Error(ErrorKind::data, "the table has no rows");
    for (std::size_t v = 0; v < columns_.size(); ++v) {
        if (columns_[v].size() != rows()) throw Error(ErrorKind::data, "columns must be equally long");
        if (arities_[v] == 0 || arities_[v] > 65535)
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has " +
                                             std::to_string(arities_[v]) +
                                             " states; with missing cells the most is 65535");
        if (*std::ranges::max_element(columns_[v]) > arities_[v])
            throw Error(ErrorKind::data, "column " + std::to_string(v) + " has a code above its states");
    }
    begin_.reserve(rows() + 1);
    begin_.push_back(0);
    for (std::size_t row = 0; row < rows(); ++row) {
        for (std::size_t v = 0; v < columns_.size(); ++v)
            if (missing(row, static_cast<Var>(v))) gaps_.push_back(static_cast<Var>(v));
        begin_.push_back(gaps_.size());
    }
}

double GapTable::combinations(Members set) const {
    return combinations_of(set, [this](Var v) { return arities_[v]; });
}

void GapTable::find_known(Members set, std::vector<std::uint8_t>& known) const {
    known.assign(rows(), 1);
    for (const Var v : set) {
        const Code gap = static_cast<Code>(arities_[v]);
        const Code* codes = columns_[v].data();
        for (std::size_t row = 0; row < known.size(); ++row)
            known[row] = static_cast<std::uint8_t>(known[row] & (codes[row] != gap));
    }
}

/// What a thread needs to count, kept from set to set.
struct WeightedCells::Room {
    std::vector<std::uint8_t> known;
    std::vector<double> weights;         // of numbered combinations, or of cases
    std::vector<GapTable::Code> states;  // of cases, where combinations are too many
    std::vector<std::uint32_t> number;   // of rows
    std::vector<double> occurring;
};

WeightedCells::Room& WeightedCells::room() {
    thread_local Room room;
    return room;
}

WeightedCells::WeightedCells(const GapTable& table, Members set)
    : table_(table), set_(set.begin(), set.end()), steps_(set.size()) {
    // Few enough that clearing them costs no more than walking the rows.
    const double most = static_cast<double>(std::max<std::size_t>(4 * table.rows(), 4096));
    if (table.combinations(set) > most) {
        numbered_ = false;
        room().states.clear();
        room().weights.clear();
        return;
    }
    for (std::size_t i = set.size(); i-- > 0;) {
        steps_[i] = cells_;
        cells_ *= table.arity(set_[i]);
    }
    room().weights.assign(cells_, 0.0);
}

const std::vector<std::uint8_t>& WeightedCells::add_known(Members known) {
    Room& here = room();
    table_.find_known(known, here.known);
    if (numbered_) {
        here.number.assign(table_.rows(), 0);
        for (std::size_t i = 0; i < set_.size(); ++i) {
            const GapTable::Code* codes = table_.column(set_[i]).data();
            const auto step = static_cast<std::uint32_t>(steps_[i]);
            for (std::size_t row = 0; row < here.number.size(); ++row) here.number[row] += codes[row] * step;
        }
        for (std::size_t row = 0; row < here.number.size(); ++row)
            if (here.known[row]) here.weights[here.number[row]] += 1;
        return here.known;
    }
    for (std::size_t row = 0; row < table_.rows(); ++row) {
        if (!here.known[row]) continue;
        for (const Var v : set_) here.states.push_back(table_.column(v)[row]);
        here.weights.push_back(1);
    }
    return here.known;
}

double* WeightedCells::sums() const { return room().weights.data(); }

const std::uint32_t* WeightedCells::numbers() const { return room().number.data(); }

void WeightedCells::add(const GapTable::Code* states, double weight) {
    Room& here = room();
    if (!numbered_) {
        here.states.insert(here.states.end(), states, states + set_.size());
        here.weights.push_back(weight);
        return;
    }
    std::size_t cell = 0;
    for (std::size_t i = 0; i < set_.size(); ++i) cell += states[i] * steps_[i];
    here.weights[cell] += weight;
}

std::span<const double> WeightedCells::weights() {
    Room& here = room();
    here.occurring.clear();
    if (numbered_) {
        std::ranges::copy_if(here.weights, std::back_inserter(here.occurring),
                             [](double w) { return w > 0; });
        return here.occurring;
    }
    const std::size_t width = set_.size();
    const auto states_of = [&](std::uint32_t i) { return std::span(here.states).subspan(i * width, width); };
    here.number.resize(here.weights.size());
    std::iota(here.number.begin(), here.number.end(), 0u);
    std::ranges::stable_sort(here.number, [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::lexicographical_compare(states_of(a), states_of(b));
    });
    for (std::size_t i = 0; i < here.number.size(); ++i) {
        const double weight = here.weights[here.number[i]];
        if (i > 0 && std::ranges::equal(states_of(here.number[i]), states_of(here.number[i - 1])))
            here.occurring.back() += weight;
        else
            here.occurring.push_back(weight);
    }
    return here.occurring;
}

}  // namespace dagscape
