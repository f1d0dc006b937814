#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "parents/parent_lists.hpp"

namespace dagscape {

/// Parent lists as bytes, for another process: scores bit for bit, numbers little-endian, in about ten bytes
/// for a set and two for each of its members.
///
/// `DPL`, a version; the number of variables, of lists (32 bits each) and `exhaustive_to` (64), `exhaustive`
/// (8). Then each list: the child (32), its number of sets and of their members, all counted (64 each); the
/// scores (64 each), the numbers of parents (16 each), the parents (16 each).
class PackedLists {
  public:
    /// Of all children, or of these alone; the others' lists will come back empty. The lists must outlive it.
    explicit PackedLists(const ParentLists& lists, std::optional<Members> children = {});

    std::size_t bytes() const;
    /// `to`: so many bytes.
    void write(std::span<char> to) const;

  private:
    const ParentLists& lists_;
    std::vector<Var> children_;
};

/// The lists that were packed. Throws an error of kind `file` where the bytes are not such lists.
ParentLists unpacked(std::string_view bytes);

}  // namespace dagscape
