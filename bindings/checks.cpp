#include "checks.hpp"

#include <algorithm>

using namespace dagscape;

Var checked(Var v, std::size_t variables) {
    if (v >= variables) throw Error(ErrorKind::parameter, "there is no variable " + std::to_string(v));
    return v;
}

std::vector<Var> checked_set(std::vector<Var> set, std::size_t variables) {
    std::sort(set.begin(), set.end());
    if (!set.empty()) checked(set.back(), variables);
    if (std::adjacent_find(set.begin(), set.end()) != set.end())
        throw Error(ErrorKind::parameter, "a variable is listed twice");
    return set;
}

WideSet wide_set(const std::vector<Var>& members, std::size_t variables) {
    WideSet set(variables);
    for (const Var v : members) set.insert(checked(v, variables));
    return set;
}

void check_order(const std::vector<Var>& order, std::size_t variables) {
    if (order.size() != variables) throw Error(ErrorKind::parameter, "not an order of the variables");
    checked_set(order, variables);
}

void check_fit(const Constraints& constraints, std::size_t variables) {
    if (constraints.allowed.size() != variables)
        throw Error(ErrorKind::parameter, "the constraints are for another number of variables");
}

void check_fit(const Constraints& constraints, const Scorer& scorer) {
    check_fit(constraints, scorer.variables());
}

void check_kinds(const std::vector<std::uint32_t>& kinds, std::size_t variables) {
    if (!kinds.empty() && kinds.size() != variables)
        throw Error(ErrorKind::parameter, "every variable needs a kind, or none");
}

void check_equivalent(const Scorer& scorer, const std::string& who) {
    if (!scorer.function().equivalent())
        throw Error(ErrorKind::parameter, who + " needs a score that equivalent networks share");
}
