#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"
#include "parents/constraints.hpp"
#include "set_functions/scorer.hpp"
#include "varset/var.hpp"
#include "varset/wide_set.hpp"

/// What the engine takes on trust, checked where it comes in. The package checks what users write, and says
/// what is wrong in their words; these keep a mistake in the package from reading memory that is not there.

/// A variable, out of so many.
dagscape::Var checked(dagscape::Var v, std::size_t variables);
/// A set of variables, each listed once; in ascending order.
std::vector<dagscape::Var> checked_set(std::vector<dagscape::Var> set, std::size_t variables);
/// The same as a row of bits; here a variable may be listed more than once.
dagscape::WideSet wide_set(const std::vector<dagscape::Var>& members, std::size_t variables);
/// An order has every variable once.
void check_order(const std::vector<dagscape::Var>& order, std::size_t variables);
/// The constraints must be for so many variables.
void check_fit(const dagscape::Constraints& constraints, std::size_t variables);
void check_fit(const dagscape::Constraints& constraints, const dagscape::Scorer& scorer);
/// A kind for each variable, or none at all.
void check_kinds(const std::vector<std::uint32_t>& kinds, std::size_t variables);
/// `who` needs a score that is the same for equivalent networks.
void check_equivalent(const dagscape::Scorer& scorer, const std::string& who);

/// The choice with a name. `what` is being chosen; the error lists all names.
template <typename Choice>
Choice named(const std::string& what, const std::string& name,
             const std::vector<std::pair<std::string_view, Choice>>& choices) {
    std::string names;
    std::size_t left = choices.size();
    for (const auto& [known, choice] : choices) {
        if (name == known) return choice;
        names += known;
        --left;
        names += left > 1 ? ", " : left == 1 ? " or " : "";
    }
    throw dagscape::Error(dagscape::ErrorKind::parameter,
                          "unknown " + what + " \"" + name + "\"; choose " + names);
}

/// Work is done by one thread at least.
inline std::size_t at_least_one(std::size_t threads) { return threads > 0 ? threads : 1; }
