#include "counts/bitmap_walk.hpp"

#include <algorithm>
#include <cassert>
#include <memory>

#include "clones.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

/// Rows of lanes, one after another at a stride. For a variable whose states are `step` rows apart: takes the
/// other states from the first, which held all of them together.
DAGSCAPE_CLONES void subtract_states_from_first(std::uint32_t* rows, std::size_t count, std::size_t step,
                                                std::size_t states, std::size_t stride, std::size_t lanes) {
    for (std::size_t high = 0; high < count; high += step * states)
        for (std::size_t row = high; row < high + step; ++row) {
            std::uint32_t* __restrict first = rows + row * stride;
            for (std::size_t state = 1; state < states; ++state) {
                const std::uint32_t* __restrict other = rows + (row + state * step) * stride;
                for (std::size_t i = 0; i < lanes; ++i) first[i] -= other[i];
            }
        }
}

}  // namespace

/// One thread's path through the tree, with its bitmaps and tables at each depth.
class BitmapWalk::Worker {
  public:
    Worker(BitmapWalk& walk, std::size_t size, bool keep, const WantedSets& wanted, BlockVisitor& visitor,
           std::size_t number)
        : walk_(walk),
          items_(walk.items_),
          deepest_(size - 1),
          keep_(keep),
          wanted_(wanted),
          visitor_(visitor),
          number_(number),
          frames_(size),
          ones_(walk.bitmaps_.words, ~std::uint64_t{0}),
          stride_((items_.items() + 15) / 16 * 16) {
        Frame& root = frames_[0];
        const auto rows = static_cast<std::uint32_t>(walk.bitmaps_.rows);
        root.contexts = {{walk.bitmaps_.bitmaps.data(), walk.bitmaps_.words, nullptr, rows}};
        root.cells = 1;
        root.totals = {rows};
        root.table.assign(stride_, 0);
        std::copy(items_.count.begin(), items_.count.end(), root.table.begin());
        root.subsets = {{0, 0, 0, 1}};
        root.full_cells = {0};
    }

    void show_singles() { visit(0); }

    void show(const Task& task, Control& control) {
        if (task.top < wanted_.first() || (deepest_ == 1 && !wanted_.mine(task.top))) return;
        add(0, task.top);
        if (deepest_ > 1) descend(1, task.from, task.to, control);
    }

  private:
    /// Rows with one choice of items of the prefix.
    struct Context {
        const std::uint64_t* matrix;  // lower items' bitmaps
        std::size_t words;            // of each
        const std::uint64_t* mask;    // the rows meant; null for all
        std::uint32_t rows;
    };
    /// A subset of the prefix with a choice of items, as a cell whose other variables are "any".
    struct Subset {
        std::uint64_t rank;  // of the subset once a lower position is added, less that position
        std::size_t size;
        std::size_t choice;   // number of the choice of items
        std::size_t choices;  // of the subset
    };
    struct Frame {
        std::size_t position = 0;  // the lowest of the prefix
        bool held = false;         // whether the prefix has a wanted position
        std::vector<Context> contexts;
        std::vector<std::vector<std::uint64_t>> masks, matrices;  // storage of contexts
        std::size_t cells = 0;
        std::vector<std::uint32_t> totals, table;
        std::vector<Subset> subsets;          // by cell, 0 meaning "any"
        std::vector<std::size_t> full_cells;  // cells of all choices of items, by choice
    };

    std::size_t lanes(std::size_t depth) const {
        return depth == 0 ? items_.items() : items_.before(frames_[depth].position);
    }

    void descend(std::size_t depth, std::size_t from, std::size_t to, Control& control) {
        list_subsets(depth);
        // Lower positions must be left for the rest of the prefix and the last variable.
        from = std::max(from, deepest_ - depth);
        if (!frames_[depth].held) from = std::max(from, wanted_.first());
        for (std::size_t position = from; position < to; ++position) {
            if (depth == 1 && !wanted_.mine(frames_[1].position, position)) continue;
            // Deep prefixes of many states take milliseconds each.
            if ((depth > 2 || ++steps_ % 32 == 0) && control.stopped()) return;
            add(depth, position);
            if (depth + 1 < deepest_) descend(depth + 1, 0, position, control);
        }
    }

    /// Goes one position lower; at the deepest prefixes, counts and shows the sets one larger.
    void add(std::size_t depth, std::size_t position) {
        enter(depth, position);
        complete_table(depth + 1);
        if (depth + 1 < deepest_) return;
        if (keep_) keep_counts(depth + 1);
        visit(depth + 1);
    }

    /// Makes the next frame: the prefix with one more, lower, position.
    void enter(std::size_t depth, std::size_t position) {
        const Frame& upper = frames_[depth];
        Frame& frame = frames_[depth + 1];
        frame.position = position;
        frame.held = upper.held || wanted_.has(position);
        const std::size_t states = items_.states(position);
        frame.cells = upper.cells * states;
        const std::size_t choices = upper.contexts.size() * (states - 1);
        frame.contexts.resize(choices);
        if (frame.masks.size() < choices) {
            frame.masks.resize(choices);
            frame.matrices.resize(choices);
        }
        for (std::size_t state = 1; state < states; ++state) {
            const std::size_t item = items_.before(position) + state - 1;
            for (std::size_t e = 0; e < upper.contexts.size(); ++e) {
                const std::size_t choice = e + upper.contexts.size() * (state - 1);
                frame.contexts[choice] = narrowed(upper.contexts[e], item, depth, e, choice);
            }
        }
    }

    /// The context of a choice with one more item.
    Context narrowed(const Context& context, std::size_t item, std::size_t depth, std::size_t e,
                     std::size_t choice) {
        const std::uint32_t rows = context.rows == 0 ? 0 : count_of(depth, e, item);
        if (rows == 0) return {nullptr, 0, nullptr, 0};
        Frame& frame = frames_[depth + 1];
        const std::uint64_t* row = context.matrix + item * context.words;
        const std::uint64_t* mask = row;
        if (context.mask) {
            std::vector<std::uint64_t>& both = frame.masks[choice];
            both.resize(context.words);
            for (std::size_t w = 0; w < context.words; ++w) both[w] = context.mask[w] & row[w];
            mask = both.data();
        }
        const std::size_t packed_words = (rows + 63) / 64;
        if (!worth_packing(depth + 1, frame.position, context.words, packed_words))
            return {context.matrix, context.words, mask, rows};
        std::vector<std::uint64_t>& matrix = frame.matrices[choice];
        const std::size_t lower = items_.before(frame.position);
        if (matrix.size() < lower * packed_words) matrix.resize(lower * packed_words);
        plan_.make(mask, context.words);
        for (std::size_t i = 0; i < lower; ++i)
            walk_.kernels_.pack(plan_, context.matrix + i * context.words, matrix.data() + i * packed_words);
        return {matrix.data(), packed_words, nullptr, rows};
    }

    /// Whether the counts below gain more than packing costs. A word packed takes about as long as
    /// eight words counted (measured with AVX-512).
    bool worth_packing(std::size_t depth, std::size_t position, std::size_t words,
                       std::size_t packed_words) const {
        const double lower = static_cast<double>(items_.before(position));
        double rows_counted = lower;  // for this prefix itself, then those below it
        double choose = lower;
        for (std::size_t more = 1; depth + more <= deepest_; ++more) {
            choose *= (lower - static_cast<double>(more)) / static_cast<double>(more + 1);
            if (choose <= 0) break;
            rows_counted += choose;
        }
        return rows_counted * static_cast<double>(words - packed_words) >
               8 * lower * static_cast<double>(words);
    }

    std::uint32_t count_of(std::size_t depth, std::size_t e, std::size_t item) const {
        if (depth == 0) return items_.count[item];
        return stored(depth)[e * lanes(depth) + item];
    }
    const std::uint32_t* stored(std::size_t depth) const { return walk_.slice(depth, rank(depth)); }

    std::uint64_t rank(std::size_t depth) const {
        std::uint64_t rank = 0;
        for (std::size_t d = 1; d <= depth; ++d)
            rank += walk_.ranks_.choose(frames_[d].position, depth + 1 - d);
        return rank;
    }

    /// Last variables that are asked for, and their items.
    struct Window {
        std::size_t from, to;
        std::size_t first, items;
    };
    /// At the deepest prefixes without a wanted position, only wanted ones can be the last; above, any is
    /// needed further down.
    Window window(std::size_t depth) const {
        std::size_t from = 0;
        std::size_t to = depth == 0 ? items_.positions() : frames_[depth].position;
        if (depth == deepest_ && !frames_[depth].held) {
            to = std::min(to, wanted_.end());
            from = std::min(to, wanted_.first());
        }
        return {from, to, items_.before(from), items_.before(to) - items_.before(from)};
    }

    void count_lower(const Context& context, const Window& window, std::uint32_t* counts) const {
        if (context.rows == 0) {
            std::fill_n(counts, window.items, 0u);
        } else {
            const std::uint64_t* mask = context.mask ? context.mask : ones_.data();
            walk_.kernels_.and_counts(mask, context.matrix + window.first * context.words, window.items,
                                      context.words, counts);
        }
    }

    /// Counts of all choices of items lie in the table as they were counted: only "any" is subtracted from.
    void keep_counts(std::size_t depth) {
        const Frame& upper = frames_[depth - 1];
        const std::size_t lower = lanes(depth);
        std::uint32_t* to = walk_.slice(depth, rank(depth));
        for (std::size_t state = 1; state < items_.states(frames_[depth].position); ++state)
            for (const std::size_t cell : upper.full_cells) {
                std::copy_n(frames_[depth].table.data() + (state * upper.cells + cell) * stride_, lower, to);
                to += lower;
            }
    }

    /// For every cell of the prefix, read as a subset with a choice of items: where its counts lie.
    void list_subsets(std::size_t depth) {
        if (depth == 0) return;
        const Frame& upper = frames_[depth - 1];
        Frame& frame = frames_[depth];
        const std::size_t states = items_.states(frame.position);
        frame.subsets.resize(frame.cells);
        for (std::size_t state = 0; state < states; ++state) {
            for (std::size_t cell = 0; cell < upper.cells; ++cell) {
                Subset subset = upper.subsets[cell];
                if (state > 0) {
                    subset.choice += subset.choices * (state - 1);
                    subset.choices *= states - 1;
                    ++subset.size;
                }
                frame.subsets[state * upper.cells + cell] = subset;
            }
        }
        // Ranks: every member moves up one place when a lower position joins, so they are summed anew.
        for (std::size_t cell = 0; cell < frame.cells; ++cell) {
            std::uint64_t sum = 0;
            std::size_t place = frame.subsets[cell].size + 1;
            std::size_t rest = cell;
            for (std::size_t d = 1; d <= depth; ++d) {
                const std::size_t radix = items_.states(frames_[d].position);
                if (rest % radix > 0) sum += walk_.ranks_.choose(frames_[d].position, place--);
                rest /= radix;
            }
            frame.subsets[cell].rank = sum;
        }
        frame.full_cells.clear();
        for (std::size_t state = 1; state < states; ++state)
            for (const std::size_t cell : upper.full_cells)
                frame.full_cells.push_back(state * upper.cells + cell);
    }

    /// From counts of item choices to full tables, for all lower items at once.
    void complete_table(std::size_t depth) {
        const Frame& upper = frames_[depth - 1];
        Frame& frame = frames_[depth];
        const std::size_t lower = lanes(depth);
        const Window lasts = window(depth);
        const std::size_t states = items_.states(frame.position);
        frame.table.resize(frame.cells * stride_);
        frame.totals.resize(frame.cells);
        const bool last = depth == deepest_;
        for (std::size_t state = 1; state < states; ++state) {
            std::uint32_t* part = frame.table.data() + state * upper.cells * stride_ + lasts.first;
            for (std::size_t cell = 0; cell < upper.cells; ++cell) {
                const Subset& subset = upper.subsets[cell];
                if (last && subset.size + 1 == depth) continue;  // counted right below
                const std::size_t choice = subset.choice + subset.choices * (state - 1);
                const std::uint32_t* counts =
                    walk_.slice(subset.size + 1, subset.rank + frame.position) + choice * lower;
                std::copy_n(counts + lasts.first, lasts.items, part + cell * stride_);
            }
            if (last)
                for (std::size_t e = 0; e < upper.contexts.size(); ++e)
                    count_lower(frame.contexts[e + upper.contexts.size() * (state - 1)], lasts,
                                part + upper.full_cells[e] * stride_);
            subtract_along(depth - 1, part, lasts.items);
        }
        subtract_states(upper, frame, states, lasts);
    }

    /// Turns "any" into the state without an item, for each variable of the prefix.
    void subtract_along(std::size_t depth, std::uint32_t* part, std::size_t lower) const {
        std::size_t step = 1;
        for (std::size_t d = 1; d <= depth; ++d) {
            const std::size_t states = items_.states(frames_[d].position);
            subtract_states_from_first(part, frames_[depth].cells, step, states, stride_, lower);
            step *= states;
        }
    }

    /// The cells of the lowest variable's state without an item: the upper table less the others.
    void subtract_states(const Frame& upper, Frame& frame, std::size_t states, const Window& lasts) const {
        const std::size_t first = items_.before(frame.position);
        for (std::size_t cell = 0; cell < upper.cells; ++cell) {
            const std::uint32_t* whole = upper.table.data() + cell * stride_;
            std::copy_n(whole + lasts.first, lasts.items, frame.table.data() + cell * stride_ + lasts.first);
            frame.totals[cell] = upper.totals[cell];
            for (std::size_t state = 1; state < states; ++state) {
                frame.totals[state * upper.cells + cell] = whole[first + state - 1];
                frame.totals[cell] -= whole[first + state - 1];
            }
        }
        subtract_states_from_first(frame.table.data() + lasts.first, frame.cells, upper.cells, states,
                                   stride_, lasts.items);
    }

    void visit(std::size_t depth) {
        const Frame& frame = frames_[depth];
        std::vector<std::size_t>& prefix = prefix_;
        prefix.clear();
        for (std::size_t d = 1; d <= depth; ++d) prefix.push_back(frames_[d].position);
        const Window lasts = window(depth);
        if (lasts.from == lasts.to) return;
        visitor_.visit(
            {prefix, lasts.to, frame.cells, frame.totals.data(), frame.table.data(), stride_, {}, lasts.from},
            number_);
    }

    BitmapWalk& walk_;
    const ItemOrder& items_;
    std::size_t deepest_;  // size of the prefixes whose blocks are shown
    bool keep_;
    const WantedSets& wanted_;
    BlockVisitor& visitor_;
    std::size_t number_;
    std::vector<Frame> frames_;
    std::vector<std::uint64_t> ones_;
    std::size_t stride_;
    PackPlan plan_;
    std::size_t steps_ = 0;
    std::vector<std::size_t> prefix_;
};

BitmapWalk::BitmapWalk(const ItemBitmaps& bitmaps, Instructions instructions)
    : bitmaps_(bitmaps),
      items_(bitmaps.order),
      kernels_(bit_kernels(instructions)),
      ranks_(items_.positions(), std::min<std::size_t>(items_.positions(), 64)),
      kept_(items_.positions() + 1) {}

void BitmapWalk::lay_out_slices(std::size_t size) {
    const std::size_t n = items_.positions();
    Kept& kept = kept_[size];
    kept.offsets.reserve(ranks_.choose(n, size));
    std::uint64_t total = 0;
    std::vector<std::size_t> set(size);
    for (std::size_t i = 0; i < size; ++i) set[i] = i;
    do {
        kept.offsets.push_back(total);
        std::uint64_t choices = 1;
        for (const std::size_t position : set) choices *= items_.states(position) - 1;
        total += choices * items_.before(set[0]);
    } while (next_set(set, n));
    kept.counts.resize(total);
}

std::size_t BitmapWalk::bytes() const {
    std::size_t total = bitmaps_.bitmaps.size() * sizeof(std::uint64_t);
    for (const Kept& kept : kept_)
        total += kept.counts.size() * sizeof(std::uint32_t) + kept.offsets.size() * sizeof(std::uint64_t);
    return total;
}

/// Splits the work into tasks a good deal smaller than a thread's share, largest first: a task is
/// the sets with a given highest position, in parts by the second highest where there are many.
std::vector<BitmapWalk::Task> BitmapWalk::tasks(std::size_t size, std::size_t threads) const {
    const std::size_t n = items_.positions();
    const auto sets_below = [&](std::size_t position) {  // with two positions chosen
        return size < 2 ? 0 : static_cast<double>(ranks_.choose(position, size - 2));
    };
    double all = 0;
    for (std::size_t top = 0; top < n; ++top)
        for (std::size_t second = 0; second < top; ++second) all += sets_below(second);
    const double share = threads > 1 && size > 2 ? all / static_cast<double>(threads * 8) : all;
    std::vector<Task> result;
    for (std::size_t top = n; top-- > size - 1;) {
        std::size_t from = 0;
        double sum = 0;
        for (std::size_t second = 0; second < top; ++second) {
            sum += sets_below(second);
            if (sum <= share) continue;
            result.push_back({top, from, second + 1, sum / all});
            from = second + 1;
            sum = 0;
        }
        if (from < top) result.push_back({top, from, top, sum / all});
    }
    return result;
}

void BitmapWalk::run(std::size_t size, bool keep, const WantedSets& wanted, std::size_t threads,
                     Control& control, BlockVisitor& visitor) {
    assert(size >= 1 && size <= items_.positions());
    assert(!keep || wanted.count() == items_.positions());
    if (size == 1) {
        Worker(*this, 1, false, wanted, visitor, 0).show_singles();
        return;
    }
    if (keep) lay_out_slices(size - 1);
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t number = 0; number < threads; ++number)
        workers.push_back(std::make_unique<Worker>(*this, size, keep, wanted, visitor, number));
    const std::vector<Task> parts = tasks(size, threads);
    parallel_for(parts.size(), threads, control, [&](std::size_t task, std::size_t worker) {
        workers[worker]->show(parts[task], control);
        control.advance(parts[task].share);
    });
}

}  // namespace dagscape
