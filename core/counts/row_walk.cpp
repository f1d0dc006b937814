#include "counts/row_walk.hpp"

#include <algorithm>
#include <cassert>
#include <memory>

#include "parallel.hpp"
#include "varset/ranks.hpp"

namespace dagscape {

RowWalk::RowWalk(const Table& table, const ItemOrder& order)
    : order_(order), rows_(table.rows()), weights_(table.weights()), states_(order.positions()) {
    if (weights_.empty()) weights_.assign(rows_, 1);
    for (std::size_t position = 0; position < order.positions(); ++position) {
        const std::size_t last = order.states(position) - 1;
        std::visit(
            [&](const auto& codes) {
                for (const auto code : codes) {
                    const std::size_t state = code == order.common[position]
                                                  ? last
                                                  : order.item(position, code) - order.before(position);
                    states_[position].push_back(static_cast<std::uint16_t>(state));
                }
            },
            table.column(order.variable[position]).codes);
    }
}

std::size_t RowWalk::bytes() const {
    return weights_.size() * sizeof(std::uint32_t) + rows_ * order_.positions() * sizeof(std::uint16_t);
}

/// One thread's path through the tree, with the rows grouped by cell at each depth.
class RowWalk::Worker {
  public:
    Worker(const RowWalk& walk, std::size_t size, const WantedSets& wanted, BlockVisitor& visitor,
           std::size_t number)
        : walk_(walk),
          order_(walk.order_),
          deepest_(size - 1),
          wanted_(wanted),
          visitor_(visitor),
          number_(number),
          frames_(size) {
        Frame& root = frames_[0];
        root.rows.resize(walk.rows_);
        for (std::size_t row = 0; row < walk.rows_; ++row) root.rows[row] = static_cast<std::uint32_t>(row);
        root.weights = walk.weights_;
        root.ends = {walk.rows_};
    }

    void show_singles() { show(0); }
    void show_below(std::size_t top, Control& control) {
        if (top >= wanted_.first() && (deepest_ > 1 || wanted_.mine(top))) add(0, top, control);
    }

  private:
    struct Frame {
        std::vector<std::uint32_t> rows;     // of cells with two rows or more, cell after cell
        std::vector<std::uint32_t> weights;  // of those rows
        std::vector<std::size_t> ends;       // of those cells
        // Weights of cells of one row, and how many there are of each, ascending.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> settled;
    };

    void add(std::size_t depth, std::size_t position, Control& control) {
        split(frames_[depth], frames_[depth + 1], position);
        prefix_.push_back(position);
        held_ += wanted_.has(position) ? 1 : 0;
        if (depth + 1 == deepest_) {
            show(position);
        } else {
            // Lower positions must be left for the rest of the prefix and the last variable.
            const std::size_t least = deepest_ - depth - 1;
            for (std::size_t lower = held_ > 0 ? least : std::max(least, wanted_.first()); lower < position;
                 ++lower) {
                if (depth == 0 && !wanted_.mine(position, lower)) continue;
                if ((depth > 2 || ++steps_ % 32 == 0) && control.stopped()) break;
                add(depth + 1, lower, control);
            }
        }
        held_ -= wanted_.has(position) ? 1 : 0;
        prefix_.pop_back();
    }

    /// Parts every cell by the states of one variable; rows that end up alone are settled.
    void split(const Frame& upper, Frame& frame, std::size_t position) {
        frame.rows.resize(upper.rows.size());
        frame.weights.resize(upper.rows.size());
        frame.ends.clear();
        alone_.clear();
        const std::size_t states = order_.states(position);
        const std::uint16_t* state = walk_.states_[position].data();
        std::size_t begin = 0;
        std::size_t place = 0;
        for (const std::size_t end : upper.ends) {
            counts_.assign(states, 0);
            for (std::size_t at = begin; at < end; ++at) ++counts_[state[upper.rows[at]]];
            // Where each part begins; parts of one row get no place.
            starts_.resize(states);
            for (std::size_t s = 0; s < states; ++s) {
                starts_[s] = place;
                if (counts_[s] < 2) continue;
                place += counts_[s];
                frame.ends.push_back(place);
            }
            for (std::size_t at = begin; at < end; ++at) {
                const std::size_t s = state[upper.rows[at]];
                if (counts_[s] == 1) {
                    alone_.push_back(upper.weights[at]);
                } else {
                    frame.rows[starts_[s]] = upper.rows[at];
                    frame.weights[starts_[s]++] = upper.weights[at];
                }
            }
            begin = end;
        }
        frame.rows.resize(place);
        frame.weights.resize(place);
        settle(upper, frame);
    }

    /// Adds the weights of rows that are alone now to those settled before.
    void settle(const Frame& upper, Frame& frame) {
        std::sort(alone_.begin(), alone_.end());
        frame.settled.clear();
        std::size_t at = 0;
        const auto take = [&](std::uint32_t weight, std::uint32_t times) {
            if (!frame.settled.empty() && frame.settled.back().first == weight) {
                frame.settled.back().second += times;
            } else {
                frame.settled.emplace_back(weight, times);
            }
        };
        for (const auto& [weight, times] : upper.settled) {
            while (at < alone_.size() && alone_[at] < weight) take(alone_[at++], 1);
            take(weight, times);
        }
        while (at < alone_.size()) take(alone_[at++], 1);
    }

    void show(std::size_t lowest) {
        const Frame& frame = frames_[prefix_.size()];
        std::size_t from = 0;
        std::size_t below = prefix_.empty() ? order_.positions() : lowest;
        if (held_ == 0) {
            from = wanted_.first();
            below = std::min(below, wanted_.end());
        }
        if (from >= below) return;
        const std::size_t cells = frame.ends.size();
        // Room for one more lane, where the highest position's state without an item is counted.
        const std::size_t lanes = below < order_.positions() ? order_.before(below) : order_.items();
        const std::size_t stride = (lanes + 1 + 15) / 16 * 16;
        table_.assign(cells * stride, 0);
        totals_.assign(cells, 0);
        for (std::size_t cell = 0, at = 0; cell < cells; ++cell)
            for (; at < frame.ends[cell]; ++at) totals_[cell] += frame.weights[at];
        for (std::size_t position = from; position < below; ++position) {
            const std::uint16_t* state = walk_.states_[position].data();
            // The state without an item is counted in the next position's first lane, and that one cleared
            // before it is counted itself: positions are done in turn.
            std::uint32_t* counts = table_.data() + order_.before(position);
            const std::size_t extra = order_.states(position) - 1;
            for (std::size_t cell = 0, at = 0; cell < cells; ++cell, counts += stride) {
                for (; at < frame.ends[cell]; ++at) counts[state[frame.rows[at]]] += frame.weights[at];
                counts[extra] = 0;
            }
        }
        visitor_.visit({prefix_, below, cells, totals_.data(), table_.data(), stride, frame.settled, from},
                       number_);
    }

    const RowWalk& walk_;
    const ItemOrder& order_;
    std::size_t deepest_;
    const WantedSets& wanted_;
    std::size_t held_ = 0;  // wanted positions in the prefix
    BlockVisitor& visitor_;
    std::size_t number_;
    std::vector<Frame> frames_;
    std::size_t steps_ = 0;
    std::vector<std::size_t> prefix_, counts_, starts_;
    std::vector<std::uint32_t> table_, totals_, alone_;
};

void RowWalk::run(std::size_t size, bool /*keep*/, const WantedSets& wanted, std::size_t threads,
                  Control& control, BlockVisitor& visitor) {
    assert(size >= 1 && size <= order_.positions());
    if (size == 1) {
        Worker(*this, 1, wanted, visitor, 0).show_singles();
        return;
    }
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t number = 0; number < threads; ++number)
        workers.push_back(std::make_unique<Worker>(*this, size, wanted, visitor, number));
    const std::size_t n = order_.positions();
    const std::size_t tops = n - (size - 1);
    const Ranks ranks(n, size);
    parallel_for(tops, threads, control, [&](std::size_t task, std::size_t worker) {
        const std::size_t top = n - 1 - task;  // the highest position has most sets below it
        workers[worker]->show_below(top, control);
        control.advance(static_cast<double>(ranks.choose(top, size - 1)) /
                        static_cast<double>(ranks.choose(n, size)));
    });
}

}  // namespace dagscape
