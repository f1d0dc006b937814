#include "search/exact/order_graph/heuristics/heuristics.hpp"

namespace dagscape {

namespace {

/// In the paper it is the sum of the best scores that the variables left have anywhere. A regret is the loss
/// against this very score, so here it is 0.
template <typename Set>
class Simple final : public Heuristic<Set> {
  public:
    typename Heuristic<Set>::Cost bound(const Set&) const override { return 0; }
};

class SimpleKind final : public AnyWidth<SimpleKind> {
  public:
    std::string_view name() const override { return "simple"; }
    template <typename Set>
    Made<Set> make(const Given<Set>&) const {
        return std::make_unique<Simple<Set>>();
    }
};

}  // namespace

const HeuristicKind& simple_heuristic() {
    static const SimpleKind kind;
    return kind;
}

}  // namespace dagscape
