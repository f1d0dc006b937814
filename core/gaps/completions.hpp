#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control.hpp"
#include "gaps/gap_table.hpp"
#include "inference/tables.hpp"

namespace dagscape {

/// How completions of rows are found.
struct CompletionOptions {
    /// Completions of one group of missing cells that are listed; where there are more, some are drawn.
    std::size_t most_listed = 1000;
    std::size_t draws = 100;
    std::uint64_t seed = 0;
    /// Cells of a table of exact inference.
    std::size_t most_cells = std::size_t{1} << 26;
};

/// How probable the completions of each row are in a network, given what the row has.
///
/// The missing cells of a row fall into groups: two are in one group if a family has both, or a chain of
/// families does. Given the rest of the row, groups are independent, so that the completions of a row are all
/// combinations of those of its groups, which alone are listed.
class Completions {
  public:
    /// Throws where a row is impossible in the network. What `control` left out has no completions; then
    /// there is nothing to ask.
    Completions(std::shared_ptr<const GapTable> table, const TableNetwork& network,
                const CompletionOptions& options, std::size_t threads, Control& control);

    const GapTable& table() const { return *table_; }
    /// ln P(what the rows have).
    double log_likelihood() const { return log_likelihood_; }
    /// Rows with a group whose completions were drawn.
    std::size_t rows_drawn() const { return rows_drawn_; }

    /// How often each value combination of a set occurs, by expectation: of those that do.
    std::span<const double> counts(Members set) const;
    /// The same of all combinations of variables in any order, the last fastest. Throws where they are many.
    std::vector<double> counts_of_all(Members variables) const;
    /// The table with a completion drawn for each row, by columns.
    std::vector<std::vector<GapTable::Code>> drawn(std::uint64_t seed) const;

  private:
    friend class ExtendedCounts;
    struct Group {
        std::size_t first_state, first_weight;  // places in states_ and weights_; states lie slot by slot
        std::uint32_t members, entries;
        std::size_t first_pair;  // in pairs_: of slots (0, 1), (0, 2), (1, 2), (0, 3), ...; or no_pairs
    };
    static constexpr auto no_pairs = static_cast<std::size_t>(-1);
    /// States of a slot, by completion of its group.
    const GapTable::Code* states_of(const Group& group, std::size_t slot) const {
        return states_.data() + group.first_state + slot * group.entries;
    }
    /// Where two slots of a group, the lower one first, are among its pairs.
    static std::size_t pair_place(std::size_t a, std::size_t b) { return b * (b - 1) / 2 + a; }
    /// The distribution of two slots of a group that has pairs, the lower one first.
    const double* pair(const Group& group, std::size_t a, std::size_t b) const {
        return &pair_weights_[pairs_[group.first_pair + pair_place(a, b)]];
    }
    struct Gap {
        std::uint32_t group, slot;
        std::size_t marginal;  // where the distribution of this cell alone begins in marginals_
    };
    /// What was found of some rows; places count from their own beginnings.
    struct Part;
    class Completer;

    void take(std::vector<Part>& parts);
    void add_numbered(Members set, const std::vector<std::uint8_t>& known, const WeightedCells& cells) const;
    template <typename Emit>
    void expand(std::size_t row, Members set, const Emit& emit) const;

    std::shared_ptr<const GapTable> table_;
    std::vector<std::size_t> first_gap_;  // by row, in gaps_; gaps as the table lists them
    std::vector<Gap> gaps_;
    std::vector<Group> groups_;
    std::vector<GapTable::Code> states_;
    std::vector<double> weights_, marginals_;
    // Where the distribution of two cells of a group begins in pair_weights_, the state of the later one
    // last.
    std::vector<std::size_t> pairs_;
    std::vector<double> pair_weights_;
    double log_likelihood_ = 0;
    std::size_t rows_drawn_ = 0;
};

}  // namespace dagscape
