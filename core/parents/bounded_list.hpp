#pragma once

#include <limits>
#include <vector>

#include "control.hpp"
#include "parents/parent_lists.hpp"

namespace dagscape {

/// A list while it grows, of which only the best sets of each size are kept where there is a limit.
///
/// It is cut down whenever it has become twice as long as it was left, so that memory holds about twice what
/// is kept, and a set is moved a few times at most. Whoever is done cuts it once more.
class BoundedList {
  public:
    BoundedList(ParentList& list, std::size_t most_of_size) : list_(list), most_(most_of_size) {}

    void append(double score, Members parents, Control& control) {
        if (parents.size() < least_.size() && score < least_[parents.size()]) return;
        list_.append(score, parents);
        // Twice, since a list is put in order in a copy.
        control.charge(2 * ParentList::bytes_of(parents.size()));
        if (list_.size() >= next_) cut(control);
    }

  private:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    void cut(Control& control) {
        const std::size_t before = charged();
        list_ = list_.best_of_each_size(most_);
        control.release(before - charged());
        next_ = std::max<std::size_t>(2 * list_.size(), 1024);
        std::vector<std::size_t> counts;
        least_.clear();
        for (std::size_t at = 0; at < list_.size(); ++at) {
            const std::size_t size = list_.parents(at).size();
            if (size >= counts.size()) {
                counts.resize(size + 1);
                least_.resize(size + 1, -std::numeric_limits<double>::infinity());
            }
            if (++counts[size] == most_) least_[size] = list_.score(at);
        }
    }
    std::size_t charged() const {
        return 2 * (list_.size() * ParentList::bytes_of(0) + list_.members(list_.size()) * sizeof(Var));
    }

    ParentList& list_;
    std::size_t most_;
    std::size_t next_ = most_ == unlimited ? unlimited : 1024;  // sets at which it is cut
    std::vector<double> least_;                                 // a set of this size must score
};

}  // namespace dagscape
