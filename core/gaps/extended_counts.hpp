#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gaps/completions.hpp"

namespace dagscape {

/// Expected counts of a set with each one more variable, at once: what the rows may have of the set is found
/// one time, and each variable only splits it. For one thread.
class ExtendedCounts {
  public:
    explicit ExtendedCounts(const Completions& completions) : completions_(completions) {}

    /// Counts a set, and with it each of some variables that are not in it; both ascend. False where value
    /// combinations are too many to be numbered.
    bool count(Members set, Members more);
    /// Of all value combinations of the set; 0 where one does not occur.
    std::span<const double> own() const { return {sums_.data(), cells_}; }
    /// Of all those of the set and `more[i]`. They do not depend on what else was asked for.
    std::span<const double> with(std::size_t i) const {
        return std::span(sums_).subspan(first_[i], first_[i + 1] - first_[i]);
    }

  private:
    using Gap = Completions::Gap;
    using Group = Completions::Group;
    /// What a row may have of the set, with its probability: so many cells on from the first of the row.
    struct Chance {
        std::size_t cell;
        double weight;
    };
    /// A missing cell of the set.
    struct Hole {
        std::size_t step;
        std::size_t arity;
        const Gap* gap;
    };
    /// The holes of one group, and what they may be.
    struct Part {
        std::size_t group;
        std::vector<Hole> holes;
        std::vector<Chance> chances;
        std::vector<std::uint32_t> cell_of;  // by completion of the group; found when it is asked for
    };

    void find_parts(std::size_t row, Members set);
    void find_chances(Part& part);
    void find_cells(Part& part) const;
    void multiply(std::size_t without, std::vector<Chance>& product) const;
    void add_known(std::size_t first, std::size_t arity, std::size_t state);
    void add_missing(std::size_t first, std::size_t arity, const Gap& gap);
    void add_together(std::size_t first, std::size_t arity, const Gap& gap, Part& part,
                      const std::vector<Chance>& others);

    const Completions& completions_;
    std::size_t cells_ = 1;
    std::vector<std::size_t> steps_, first_;
    std::vector<double> sums_;  // of the set, then with each variable, the state of which is last
    // Of the row at hand.
    std::size_t cell_ = 0;  // with the first state in every gap
    std::vector<Part> parts_;
    std::size_t used_ = 0;  // parts that the row has
    std::vector<Chance> all_, others_;
    std::vector<double> weight_of_;  // by cell, 0 between uses
};

}  // namespace dagscape
