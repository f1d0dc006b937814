#pragma once

#include <memory>
#include <optional>

#include "counts/items.hpp"
#include "counts/set_block.hpp"
#include "scores/block_scores.hpp"
#include "scores/count_function.hpp"
#include "scores/count_walk_costs.hpp"

namespace dagscape {

/// Values of all sets of a size, from walks that count them: by bitmaps as long as these cost less, then by
/// rows. Bitmaps need the counts of all smaller sizes, so there is no way back; and none to want, since rows
/// gain with every size.
class CountWalk final : public ValueWalk {
  public:
    CountWalk(const CountFunction& function, const WalkOptions& options);

    const std::vector<Var>& order() const override { return order_.variable; }
    void run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads, Control& control,
             ValueVisitor& visitor) override;
    std::size_t bytes() const override { return walk_->bytes(); }
    double cost(std::size_t size) const override;
    double single_cost(std::size_t size) const override { return costs_.single(size); }
    double kept_bytes(std::size_t size) const override {
        return size <= bitmaps_to_ ? 4 * costs_.choices(size) : 0;
    }
    std::string_view way(std::size_t size) const override { return size <= bitmaps_to_ ? "bitmaps" : "rows"; }

  private:
    std::size_t last_by_bitmaps(WalkWay way) const;
    void prepare(std::size_t size);

    const CountFunction& function_;
    Instructions instructions_;
    ItemOrder order_;
    Table distinct_;
    CountWalkCosts costs_;
    BlockScores scores_;
    std::size_t bitmaps_to_;  // the largest size that is counted by them
    std::optional<ItemBitmaps> bitmaps_;
    std::unique_ptr<SetWalk> walk_;
};

}  // namespace dagscape
