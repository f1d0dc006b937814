#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "data/table.hpp"

namespace dagscape {

/// The order in which walks over all sets take variables, and their items: every state of a variable
/// but its most common one.
///
/// Cells of the states left out follow by subtraction (the idea of Moore and Lee's AD-tree), and
/// those of the others are as empty as can be. Variables come in ascending order of arity, so that
/// those with equally many states lie together; a position is a place in that order.
struct ItemOrder {
    explicit ItemOrder(const Table& table);
    /// Some positions of another one, ascending, which are numbered anew; `position_of` stays empty.
    ItemOrder(const ItemOrder& all, std::span<const std::size_t> positions);

    std::size_t positions() const { return variable.size(); }
    std::size_t items() const { return first.back(); }
    /// Items of the variables before a position.
    std::size_t before(std::size_t position) const { return first[position]; }
    std::size_t states(std::size_t position) const { return first[position + 1] - first[position] + 1; }
    /// The item of a code; the number of items for the most common state, which has none.
    std::size_t item(std::size_t position, std::size_t code) const {
        if (code == common[position]) return items();
        return first[position] + code - (code > common[position] ? 1 : 0);
    }

    /// see(from, to) for the positions between two that have equally many states, one run after another.
    template <typename See>
    void each_arity(std::size_t begin, std::size_t end, const See& see) const {
        for (std::size_t i = 0; i + 1 < classes.size() && classes[i] < end; ++i)
            if (const std::size_t from = std::max(classes[i], begin), to = std::min(classes[i + 1], end);
                from < to)
                see(from, to);
    }

    std::uint32_t cases;
    std::vector<Var> variable;             // by position
    std::vector<std::size_t> position_of;  // by variable
    std::vector<std::size_t> common;       // the state without an item, by position
    std::vector<std::size_t> first;        // item of a position, and the number of items at the end
    std::vector<std::uint32_t> count;      // cases of an item
    std::vector<std::size_t> classes;      // where positions of each arity begin, and their end

  private:
    void find_classes();
};

/// The items as bitmaps over the rows. The rows must count once each.
struct ItemBitmaps {
    ItemBitmaps(const Table& table, const ItemOrder& item_order);

    const ItemOrder& order;
    std::size_t rows;
    std::size_t words;                   // of a bitmap
    std::vector<std::uint64_t> bitmaps;  // one after another
};

}  // namespace dagscape
