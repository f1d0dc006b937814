#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posterior/chains/allowed_sets.hpp"
#include "posterior/chains/known_jumps.hpp"
#include "posterior/chains/network_state.hpp"
#include "random.hpp"

namespace dagscape {

/// Draws the parents of a block of variables anew, all at once, in an order of theirs that another known
/// network has: what leads from one optimum to another where more variables must change together than
/// `GroupMove` can take.
///
/// Cut the arcs into a block B, and let everything else be as it is. Given an order of B, a variable v may
/// have the sets without v, the members after v, and the descendants of all these. Then no cycle can
/// close, whatever each of B chooses: follow a cycle from one member of B to the next, and each comes later
/// in the order than the last. (Conversely, an acyclic network is one of these choices if no member of B is
/// an ancestor of one that comes before it.) So choices are independent, and their weight is a product of
/// sums: Z = Π_v Σ w(set).
///
/// A move goes from an order f to an order t of B. Where the present parents of B are not among what f
/// allows, it stays; else it goes, with probability min(1, Z_t / Z_f), to parents drawn from what t allows by
/// their weight. It leaves the posterior as it is: descendants are those with the arcs into B cut, and
/// the rest of the network stays, so f and t allow the same before the move and after it, and Z_f and Z_t
/// are the same. With w and w' the weights of B's parents before and after, which the posterior is
/// proportional to, w · min(1, Z_t / Z_f) · w' / Z_t = w w' min(1 / Z_f, 1 / Z_t), and this is what the move
/// from t to f has for the way back. So both ways must be tried equally often, and block and orders must not
/// be chosen by the network at hand.
///
/// "Allowed" may as well mean fewer sets, as long as it is the same before and after. So the light ends of
/// lists are left out (`AllowedSets`): nothing is approximated, but a network that has a set from there does
/// not jump.
class JumpMove {
  public:
    /// The lists must outlive it. For one thread.
    explicit JumpMove(const WeightedLists& lists, double open_share = AllowedSets::usual_share);

    /// Both orders have the same variables, each once. Returns whether parents were drawn.
    bool operator()(std::span<const Var> from, std::span<const Var> to, NetworkState& state, Random& random);

    /// Moves since it was made: all, and those in which parents were drawn.
    std::uint64_t tried() const { return tried_; }
    std::uint64_t taken() const { return taken_; }

  private:
    /// Whether no member of the block is an ancestor of one that comes before it.
    bool obeys(std::span<const Var> order, const NetworkState& state);
    /// Reads what an order allows, and returns the log of its weight; −∞ as soon as it cannot exceed `least`.
    double read(std::span<const Var> order, double least);
    void find_below(std::span<const Var> block, const NetworkState& state);

    const WeightedLists& lists_;
    double open_share_;
    BitRows cut_;        // the block
    BitRows below_;      // by variable of the block: itself and its descendants
    BitRows forbidden_;  // those of some
    std::vector<Var> listed_;
    std::vector<AllowedSets> allowed_;  // by place in the order
    std::uint64_t tried_ = 0, taken_ = 0;
};

}  // namespace dagscape
