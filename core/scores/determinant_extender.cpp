#include "scores/determinant_extender.hpp"

#include <algorithm>

#include "varset/inserted.hpp"

namespace dagscape {

void DeterminantExtender::factor(Members set) {
    rows_.shorten(0);
    for (const Var v : set) rows_.push(v, function_.blocks().columns());
}

double DeterminantExtender::with(Var v) {
    const double log_determinant = rows_.log_determinant() + rows_.log_determinant_of(v);
    return function_.value(rows_.columns() + function_.blocks().width(v), log_determinant,
                           rows_.offset() + function_.terms().offset[v]);
}

void DeterminantExtender::extend(SetExtension& extension) {
    const ColumnBlocks& blocks = function_.blocks();
    factor(extension.set);
    extension.value = function_.value(rows_.columns(), rows_.log_determinant(), rows_.offset());
    extension.with.assign(blocks.variables(), 0.0);
    std::size_t widest = 0;
    auto member = extension.set.begin();
    for (std::size_t i = 0; i < blocks.variables(); ++i) {
        const auto v = static_cast<Var>(i);
        if (member != extension.set.end() && *member == v) {
            ++member;
            continue;
        }
        extension.with[v] = with(v);
        widest = std::max(widest, blocks.width(v));
    }
    // A member that was hardly told of by those before it may be by those after.
    const double smallest = rows_.smallest_pivot() * rows_.smallest_asked();
    extension.error = function_.error(rows_.columns() + widest, smallest);
}

bool DeterminantExtender::extend_family(Var child, Members parents, std::span<const Var> candidates,
                                        std::span<double> scores) {
    factor(Inserted(parents, {child}));
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = with(candidates[i]);
    factor(parents);
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] -= with(candidates[i]);
    return true;
}

}  // namespace dagscape
