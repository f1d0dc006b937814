#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "counts/bit_kernels.hpp"
#include "counts/items.hpp"
#include "counts/set_block.hpp"
#include "data/row_groups.hpp"
#include "data/table.hpp"
#include "set_functions/set_extender.hpp"

namespace dagscape {

/// The counts of a child and its parents with every one more variable, side by side.
///
/// Either each cell of the family is a bitmap of its rows, intersected with those of all items; or the
/// rows are put in order of cells, and the items of each cell's rows, as bits of a row, are counted for
/// all items at once. The first pays for a bitmap of all rows in every cell, the second for every
/// row once, so few cells go the first way. Copies share what never changes; each is for one thread.
class ExtensionCounts {
  public:
    /// The table's rows must count once each. It must outlive this.
    ExtensionCounts(const Table& table, Instructions instructions, ExtensionWay way = ExtensionWay::cheaper);

    /// Whether the table is one for this: bitmaps have no weights, and would be too many for very many
    /// states.
    static bool suits(const Table& table);

    /// False where the family has so many cells that they would not fit side by side.
    bool count(Var child, Members parents);
    /// The same with some further variables alone, by ascending position; false also where counting all of
    /// them costs less.
    bool count_some(Var child, Members parents, std::span<const std::size_t> positions);
    /// As counted last: blocks of the child with its parents, and of the parents. Lanes of members mean
    /// nothing.
    SetBlock family() const { return block(family_, family_set_); }
    SetBlock given() const { return block(given_, Positions(family_set_).subspan(1)); }

    const ItemOrder& order() const { return parts_->order; }
    /// Of the further variables counted last.
    const ItemOrder& counted() const { return *counted_.order; }
    /// Memory of what copies share.
    static std::size_t bytes_for(const Table& table);

  private:
    using Positions = std::span<const std::size_t>;
    struct Parts {
        Parts(const Table& data, Instructions instructions);

        const Table& table;
        const ItemOrder order;
        const ItemBitmaps items;
        const BitKernels& kernels;
        const double word_cost;           // of a word of an intersection, in nanoseconds
        const std::size_t words;          // of a row of bits
        std::vector<std::uint64_t> rows;  // by row, a bit for each item
    };
    struct Cells {
        std::vector<std::uint32_t> totals;
        std::vector<std::uint32_t> items;  // by cell
        std::vector<std::pair<std::uint32_t, std::uint32_t>> settled;
    };
    struct Masks {
        std::vector<std::uint64_t> bits;  // bitmaps of cells that have rows, one after another
        std::vector<std::uint32_t> totals;
    };

    /// What is counted in the cells.
    struct Counted {
        const ItemOrder* order;
        const std::uint64_t* bitmaps;
        std::size_t stride;
    };

    SetBlock block(const Cells& cells, Positions set) const {
        return {set,
                counted().positions(),
                cells.totals.size(),
                cells.totals.data(),
                cells.items.data(),
                counted_.stride,
                cells.settled,
                0,
                counted_.order == &order() ? nullptr : counted_.order};
    }
    void begin(Var child, Members parents, const Counted& counted);
    bool by_bitmaps() const;
    void count_bitmaps();
    void split_masks(std::size_t position, const Masks& from, Masks& to, std::vector<std::uint32_t>* source);
    bool count_rows(Var child, Members parents);
    void order_rows();
    bool list_cells();
    void add_to_given(std::size_t cell, std::size_t given_cell);

    std::shared_ptr<const Parts> parts_;
    ExtensionWay way_;
    Counted counted_{};
    std::vector<std::size_t> family_set_;  // positions: the child, then its parents
    Cells family_, given_;
    // Room for the work.
    std::optional<ItemOrder> some_;
    std::vector<std::uint64_t> some_bitmaps_;
    Masks masks_, next_masks_;
    std::vector<std::uint32_t> source_;  // by cell of the family, the cell of the parents
    RowGroups groups_;
    std::vector<std::uint32_t> given_group_, given_rows_, given_place_, starts_, ordered_, first_;
};

}  // namespace dagscape
