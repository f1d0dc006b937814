#include "scores/mixed_extender.hpp"

#include <algorithm>

#include "varset/inserted.hpp"

namespace dagscape {

void MixedExtender::begin(Members set) {
    const ColumnBlocks& blocks = function_.columns().blocks();
    set_.assign(set.begin(), set.end());
    own_set_.clear();
    parts_ = {};
    for (const Var v : set) {
        function_.add(v, parts_);
        if (!function_.is_number(v)) own_set_.push_back(v);
    }
    // The widest first: within itself it needs no factor.
    std::vector<Var> wide = own_set_;
    std::stable_sort(wide.begin(), wide.end(),
                     [&](Var a, Var b) { return blocks.width(a) > blocks.width(b); });
    own_.shorten(0);
    all_.shorten(0);
    for (const Var v : wide) {
        own_.push(v, blocks.columns());
        all_.push(v, blocks.columns());
    }
    for (const Var v : set)
        if (function_.is_number(v)) all_.push(v, blocks.columns());
    parts_.of_states = own_.log_determinant();
    parts_.of_all = all_.log_determinant();
    parts_.states = function_.states_of(own_set_);
    states_asked_ = false;
    smallest_ = std::min(own_.smallest_pivot(), all_.smallest_pivot());
    widest_ = 0;
}

double MixedExtender::states_with(Var v) {
    if (!states_asked_) {
        states_asked_ = true;
        of_states_ = {};
        for (const Var own : own_set_) of_states_.set.push_back(function_.among_states(own));
        if (states_) states_->extend(of_states_);
    }
    if (of_states_.known()) return of_states_.with[function_.among_states(v)];
    return function_.states_of(Inserted(own_set_, {v}));
}

/// A wide block after a narrow set takes longer than the set after the block.
double MixedExtender::log_determinant_with(CholeskyRows& rows, Members set, Var v) {
    if (function_.columns().blocks().width(v) > rows.columns() + 1)
        return function_.columns().log_determinant(Inserted(set, {v}));
    return rows.log_determinant() + rows.log_determinant_of(v);
}

double MixedExtender::with(Var v) {
    MixedLikelihood::Parts parts = parts_;
    function_.add(v, parts);
    widest_ = std::max(widest_, function_.columns().blocks().width(v));
    if (!function_.is_number(v)) parts.states = states_with(v);
    if (parts.numbers > 0) {
        parts.of_all = log_determinant_with(all_, set_, v);
        if (!function_.is_number(v)) parts.of_states = log_determinant_with(own_, own_set_, v);
    }
    return function_.value(parts);
}

void MixedExtender::extend(SetExtension& extension) {
    begin(extension.set);
    extension.value = function_.value(parts_);
    extension.with.assign(function_.variables(), 0.0);
    auto member = extension.set.begin();
    for (std::size_t i = 0; i < function_.variables(); ++i) {
        const auto v = static_cast<Var>(i);
        if (member != extension.set.end() && *member == v) {
            ++member;
            continue;
        }
        extension.with[v] = with(v);
    }
    const double asked = std::min(all_.smallest_asked(), own_.smallest_asked());
    extension.error = function_.error(all_.columns() + widest_, smallest_ * asked);
    if (states_asked_ && of_states_.known()) extension.error += of_states_.error;
}

bool MixedExtender::extend_family(Var child, Members parents, std::span<const Var> candidates,
                                  std::span<double> scores) {
    begin(Inserted(parents, {child}));
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = with(candidates[i]);
    begin(parents);
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] -= with(candidates[i]);
    return true;
}

}  // namespace dagscape
