#pragma once

#include <map>
#include <vector>

#include "gaps/completions.hpp"

namespace dagscape {

struct Completions::Part {
    std::vector<Gap> gaps;
    std::vector<Group> groups;
    std::vector<GapTable::Code> states;
    std::vector<double> weights, marginals, pair_weights;
    std::vector<std::size_t> pairs;
    double log_likelihood = 0;
    std::size_t rows_drawn = 0;
};

/// Finds the completions of one row after another. For one thread.
class Completions::Completer {
  public:
    Completer(const GapTable& table, const TableNetwork& network, const CompletionOptions& options);

    void complete(std::size_t row, Part& part);

  private:
    /// A family with what is missing in it: the rest of its place in the table is known.
    struct Factor {
        const double* first;
        std::vector<std::size_t> steps;  // by member of the group; 0 where it is not in the family
    };

    void find_groups(std::size_t row);
    double known_families(std::size_t row) const;
    bool list(std::size_t row, const std::vector<Var>& members, Part& part, double& log_total);
    template <typename Number>
    double weigh(const std::vector<Factor>& factors, const std::vector<Var>& members, std::size_t completions,
                 Part& part) const;
    double draw(std::size_t row, Part& part);
    void add_group(const std::vector<Var>& members, Part& part);
    void order_by_slots(const Group& group, Part& part);
    void add_marginals(std::size_t row, Part& part) const;
    void add_pairs(const std::vector<Var>& members, Group& group, Part& part) const;
    Factor factor(std::size_t row, Var child, const std::vector<Var>& members) const;

    const GapTable& table_;
    const TableNetwork& network_;
    const CompletionOptions& options_;
    std::vector<std::vector<Var>> children_;
    std::vector<std::vector<std::size_t>> steps_;  // by family: of its parents, then of the child
    // Of the row at hand.
    std::vector<std::vector<Var>> groups_;
    std::vector<std::uint32_t> group_of_, slot_of_;  // by place among the row's gaps
    std::vector<GapTable::Code> by_entry_;
};

}  // namespace dagscape
