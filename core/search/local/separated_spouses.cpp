#include "search/local/separated_spouses.hpp"

#include <algorithm>

namespace dagscape {

PotentialSpouses separated_spouses(Var target, const Surroundings& around, const IndependenceTest& test,
                                   Control& control) {
    PotentialSpouses found;
    for (const Var v : second_neighbors(target, around)) {
        if (control.stopped()) {
            found.done = false;
            break;
        }
        const std::vector<Var>* separator = around.separator(target, v);
        if (!separator) continue;  // too few rows to test even the two alone
        std::vector<Var> children;
        for (const Var u : around.neighbors(target)) {
            const std::vector<Var>& others = around.neighbors(u);
            if (!std::binary_search(others.begin(), others.end(), v)) continue;
            if (std::binary_search(separator->begin(), separator->end(), u)) continue;
            std::vector<Var> given = *separator;
            given.insert(std::lower_bound(given.begin(), given.end(), u), u);
            if (test.dependent(test(target, v, given))) children.push_back(u);
        }
        if (!children.empty()) found.spouses.push_back({v, std::move(children)});
    }
    return found;
}

}  // namespace dagscape
