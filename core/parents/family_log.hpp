#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Families in the order they were found, in blocks: what lists are made of once all are known. Lists that
/// grew one by one would leave as much memory behind as they take.
class FamilyLog {
  public:
    explicit FamilyLog(std::size_t variables) : sets_(variables, 0), members_(variables, 0) {}

    void append(Var child, double score, Members parents) {
        const std::size_t words = score_words + 2 + parents.size();
        if (blocks_.empty() || used_ + words > block_words) {
            if (!blocks_.empty()) filled_.push_back(used_);
            blocks_.push_back(std::make_unique_for_overwrite<Var[]>(block_words));
            used_ = 0;
        }
        Var* to = blocks_.back().get() + used_;
        std::memcpy(to, &score, sizeof score);
        to[score_words] = child;
        to[score_words + 1] = static_cast<Var>(parents.size());
        std::copy(parents.begin(), parents.end(), to + score_words + 2);
        used_ += words;
        ++sets_[child];
        members_[child] += parents.size();
    }

    /// Hands all families to the lists, and forgets them block by block.
    static void move_into(std::vector<ParentList>& lists, std::vector<FamilyLog>& logs) {
        for (std::size_t child = 0; child < lists.size(); ++child) {
            std::size_t sets = 0, members = 0;
            for (const FamilyLog& log : logs) {
                sets += log.sets_[child];
                members += log.members_[child];
            }
            lists[child].reserve(sets, members);
        }
        for (FamilyLog& log : logs) log.empty_into(lists);
    }

  private:
    static constexpr std::size_t score_words = sizeof(double) / sizeof(Var);
    static constexpr std::size_t block_words = 1 << 18;

    void empty_into(std::vector<ParentList>& lists) {
        if (!blocks_.empty()) filled_.push_back(used_);
        for (std::size_t block = 0; block < blocks_.size(); ++block) {
            const Var* from = blocks_[block].get();
            for (const Var* end = from + filled_[block]; from < end;) {
                double score;
                std::memcpy(&score, from, sizeof score);
                const std::size_t size = from[score_words + 1];
                lists[from[score_words]].append(score, {from + score_words + 2, size});
                from += score_words + 2 + size;
            }
            blocks_[block].reset();
        }
        blocks_.clear();
        filled_.clear();
    }

    std::vector<std::unique_ptr<Var[]>> blocks_;
    std::vector<std::size_t> filled_;  // words in use, of all blocks but the last
    std::size_t used_ = 0;
    std::vector<std::size_t> sets_, members_;  // by child
};

}  // namespace dagscape
