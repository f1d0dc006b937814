#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parents/parent_lists.hpp"
#include "search/exact/integer_program/families.hpp"

namespace dagscape {

/// What a search over orders chooses from: of each child some parent sets, least regret first.
class Choices {
  public:
    virtual ~Choices() = default;
    virtual std::size_t variables() const = 0;
    virtual std::size_t sets(Var child) const = 0;
    virtual double regret(Var child, std::size_t at) const = 0;
    /// The set as bits, into words that are 0.
    virtual void copy(Var child, std::size_t at, std::uint64_t* words) const = 0;
    /// The place of the set in the child's list.
    virtual std::uint32_t place(Var child, std::size_t at) const = 0;

    std::size_t all_sets() const;
    /// No network has more regret, but for sets of infinite regret.
    double greatest_regret() const;

    /// The network of an order: the places along it, and the sum of regrets, infinite if there is none.
    struct Network {
        std::vector<std::uint32_t> places;  // by variable
        double regret;
    };
    Network along(std::span<const Var> order) const;
};

/// All candidate sets of a component. Lists must be sorted.
class ListedChoices final : public Choices {
  public:
    explicit ListedChoices(const ParentLists& parents) : parents_(parents) {}
    std::size_t variables() const override { return parents_.variables(); }
    std::size_t sets(Var child) const override { return parents_.lists[child].size(); }
    double regret(Var child, std::size_t at) const override {
        return parents_.lists[child].score(0) - parents_.lists[child].score(at);
    }
    void copy(Var child, std::size_t at, std::uint64_t* words) const override {
        for (const Var parent : parents_.lists[child].parents(at))
            words[parent / 64] |= std::uint64_t{1} << (parent % 64);
    }
    std::uint32_t place(Var, std::size_t at) const override { return static_cast<std::uint32_t>(at); }

  private:
    const ParentLists& parents_;
};

/// Those that have not been dropped from the families of an integer program.
class KeptChoices final : public Choices {
  public:
    explicit KeptChoices(const Families& families) : families_(families) {}
    std::size_t variables() const override { return families_.variables(); }
    std::size_t sets(Var child) const override { return families_.kept_sets(child).size(); }
    double regret(Var child, std::size_t at) const override {
        return families_.regret(families_.kept_column(child, at));
    }
    void copy(Var child, std::size_t at, std::uint64_t* words) const override {
        families_.kept_sets(child).copy(at, words);
    }
    std::uint32_t place(Var child, std::size_t at) const override {
        return families_.place(families_.kept_column(child, at));
    }

  private:
    const Families& families_;
};

}  // namespace dagscape
