#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/equivalence/family_scores.hpp"
#include "set_functions/set_extensions.hpp"

namespace dagscape {

/// What a child with some parents gains by each one more, for all variables at once, from extensions of sets
/// that all runs share. Gains are off by rounding; how far is known, so that what rounding could decide is
/// left to the scores themselves. For one thread.
template <typename Set>
class InsertGains {
  public:
    explicit InsertGains(const FamilyScores<Set>& scores) {
        // Some variables of a large table are sooner scored one by one.
        if (!scores.all()) return;
        if (SetExtensions* shared = scores.scorer().extensions()) {
            maker_.emplace(*shared);
            entries_.resize(std::size_t{1} << bits);
        }
    }

    /// The gains of one child with some parents.
    class Row {
      public:
        Row(std::shared_ptr<const SetExtension> family, std::shared_ptr<const SetExtension> given)
            : family_(std::move(family)), given_(std::move(given)), own_(family_->value - given_->value) {}
        double operator[](Var parent) const { return family_->with[parent] - given_->with[parent] - own_; }
        double error() const { return 2 * (family_->error + given_->error); }

      private:
        std::shared_ptr<const SetExtension> family_, given_;
        double own_;
    };
    /// Nothing where they are to be scored one by one.
    std::optional<Row> operator()(Var child, const Set& parents) {
        if (!maker_) return std::nullopt;
        auto family = extension(parents | child);
        if (!family->known()) return std::nullopt;
        auto given = extension(parents);
        if (!given->known()) return std::nullopt;
        return Row(std::move(family), std::move(given));
    }

  private:
    /// Those asked for last lie in a table of fixed size, in front of what all threads share.
    std::shared_ptr<const SetExtension> extension(const Set& set) {
        Entry& entry = entries_[set.hash() * 0xd6e8feb86659fd93 >> (64 - bits)];
        if (!entry.extension || entry.set != set) {
            members_.assign(set.begin(), set.end());
            entry = {set, (*maker_)(members_)};
        }
        return entry.extension;
    }

    static constexpr int bits = 10;
    struct Entry {
        Set set{};
        std::shared_ptr<const SetExtension> extension;
    };
    std::optional<SetExtensionMaker> maker_;
    std::vector<Entry> entries_;
    std::vector<Var> members_;
};

}  // namespace dagscape
