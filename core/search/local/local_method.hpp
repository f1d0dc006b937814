#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "control.hpp"
#include "varset/var.hpp"

namespace dagscape {

/// What one search around a target says of its neighbors, before those are asked whether they agree.
struct Potential {
    std::vector<Var> neighbors;  // ascending
    /// Of variables left out, a set that makes each independent of the target, where the method knows one.
    std::vector<std::pair<Var, std::vector<Var>>> separators;
    bool done = true;  // whether every variable was looked at
};

/// A variable that has children in common with the target.
struct Spouse {
    Var spouse;
    std::vector<Var> children;  // ascending
};

struct PotentialSpouses {
    std::vector<Spouse> spouses;  // ascending
    bool done = true;
};

/// What is known around a target when its spouses are looked for.
class Surroundings {
  public:
    virtual ~Surroundings() = default;
    /// Neighbors that agree, ascending.
    virtual const std::vector<Var>& neighbors(Var v) const = 0;
    /// A set that makes the two independent, if either's search found one.
    virtual const std::vector<Var>* separator(Var v, Var other) const = 0;
};

/// Which searches must find a common child to be a neighbor of a spouse: none, either one's own, or both.
enum class ChildCheck { none, either, both };

/// What methods of local learning differ in. Safe to use from several threads.
class LocalMethod {
  public:
    virtual ~LocalMethod() = default;
    virtual Potential neighbors(Var target, Control& control) const = 0;
    /// Around the target its neighbors, and theirs, are known.
    virtual PotentialSpouses spouses(Var target, const Surroundings& around, Control& control) const = 0;
    /// Whether two are spouses if the search around either says so, or only by the target's own.
    virtual bool either_spouse() const = 0;
    /// Whether spouses need a common child that is a neighbor of both.
    virtual ChildCheck child_check() const { return ChildCheck::none; }
};

/// Neighbors of the target's neighbors that are not its own, ascending: only these can be spouses.
std::vector<Var> second_neighbors(Var target, const Surroundings& around);

}  // namespace dagscape
