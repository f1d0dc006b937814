#include "posterior/chains/jump_move.hpp"

#include <algorithm>
#include <cmath>

#include "infinity.hpp"

namespace dagscape {

JumpMove::JumpMove(const WeightedLists& lists, double open_share)
    : lists_(lists),
      open_share_(open_share),
      cut_(1, lists.variables()),
      below_(lists.variables(), lists.variables()),
      forbidden_(1, lists.variables()) {}

bool JumpMove::operator()(std::span<const Var> from, std::span<const Var> to, NetworkState& state,
                          Random& random) {
    ++tried_;
    allowed_.resize(std::max(allowed_.size(), from.size()), AllowedSets(open_share_));
    find_below(from, state);
    if (!obeys(from, state)) return false;
    const double log_from = read(from, -infinity);
    if (log_from == -infinity) return false;  // the network itself weighs nothing
    for (std::size_t i = 0; i < from.size(); ++i)
        if (!allowed_[i].has(state.place(from[i]))) return false;
    const double log_to = read(to, log_from + std::log(random.unit()));
    if (log_to == -infinity) return false;
    for (std::size_t i = 0; i < to.size(); ++i) state.put(to[i], allowed_[i].draw(random));
    ++taken_;
    return true;
}

void JumpMove::find_below(std::span<const Var> block, const NetworkState& state) {
    cut_.clear();
    for (const Var v : block) cut_.insert(0, v);
    for (const Var v : block) state.below(v, cut_[0], below_[v]);
}

bool JumpMove::obeys(std::span<const Var> order, const NetworkState& state) {
    forbidden_.clear();
    for (std::size_t i = order.size(); i-- > 0;) {
        forbidden_.unite(0, below_[order[i]]);
        for (const Var parent : lists_[order[i]].parents(state.place(order[i])))
            if (forbidden_.has(0, parent)) return false;
    }
    return true;
}

double JumpMove::read(std::span<const Var> order, double least) {
    double most = 0;  // what those not read yet may weigh at most, and the others do weigh
    for (const Var v : order) most += lists_[v].log_tail(0);
    forbidden_.clear();
    for (std::size_t i = order.size(); i-- > 0;) {
        const WeightedList& list = lists_[order[i]];
        forbidden_.unite(0, below_[order[i]]);
        listed_.clear();
        forbidden_.for_each(0, [&](Var v) { listed_.push_back(v); });
        allowed_[i].read(list, listed_);
        most += allowed_[i].log_sum() - list.log_tail(0);
        if (!(most > least)) return -infinity;
    }
    return most;
}

}  // namespace dagscape
