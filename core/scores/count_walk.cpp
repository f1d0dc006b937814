#include "scores/count_walk.hpp"

#include "counts/bitmap_walk.hpp"
#include "counts/row_walk.hpp"
#include "data/unique_rows.hpp"

namespace dagscape {

namespace {

/// Larger sets are never walked.
constexpr std::size_t most_in_walk = 24;

class CountedBlock final : public ValueBlock {
  public:
    CountedBlock(const SetBlock& block, const BlockScores& scores)
        : ValueBlock(block.prefix, block.from, block.below), block_(block), scores_(scores) {}

    void joint(double* values) const override { scores_.joint(block_, values); }
    void given(std::uint32_t kind, double* values) const override { scores_.given(block_, kind, values); }

  private:
    const SetBlock& block_;
    const BlockScores& scores_;
};

/// Shows blocks of counts as blocks of values.
class Valued final : public BlockVisitor {
  public:
    Valued(const BlockScores& scores, ValueVisitor& visitor) : scores_(scores), visitor_(visitor) {}
    void visit(const SetBlock& block, std::size_t worker) override {
        visitor_.visit(CountedBlock(block, scores_), worker);
    }

  private:
    const BlockScores& scores_;
    ValueVisitor& visitor_;
};

}  // namespace

CountWalk::CountWalk(const CountFunction& function, const WalkOptions& options)
    : function_(function),
      instructions_(options.instructions),
      order_(function.table()),
      distinct_(unique_rows(function.table())),
      costs_(function.table(), distinct_.rows(), std::min(most_in_walk, function.variables())),
      scores_(order_, function.score(), options.instructions),
      bitmaps_to_(last_by_bitmaps(options.way)) {
    prepare(1);
}

std::size_t CountWalk::last_by_bitmaps(WalkWay way) const {
    if (way == WalkWay::rows || !function_.table().weights().empty()) return 0;  // bitmaps have no weights
    if (way == WalkWay::bitmaps) return most_in_walk;
    std::size_t size = 0;
    while (size < most_in_walk && costs_.bitmaps(size + 1) < costs_.rows(size + 1)) ++size;
    return size;
}

double CountWalk::cost(std::size_t size) const {
    const double rows = costs_.rows(size);
    return size <= bitmaps_to_ ? std::min(costs_.bitmaps(size), rows) : rows;
}

void CountWalk::prepare(std::size_t size) {
    const bool bitmaps = size <= bitmaps_to_;
    if (walk_ && bitmaps == bitmaps_.has_value()) return;
    if (bitmaps) {
        bitmaps_.emplace(function_.table(), order_);
        walk_ = std::make_unique<BitmapWalk>(*bitmaps_, instructions_);
    } else {
        walk_ = std::make_unique<RowWalk>(distinct_, order_);
        bitmaps_.reset();
    }
}

void CountWalk::run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads,
                    Control& control, ValueVisitor& visitor) {
    prepare(size);
    Valued valued(scores_, visitor);
    walk_->run(size, keep, wanted, threads, control, valued);
}

}  // namespace dagscape
