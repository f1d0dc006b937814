#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "counts/counter.hpp"
#include "data/table.hpp"

namespace dagscape {

/// The distinct rows of a table, row by row: a walk down the tree reads few rows, many codes of each.
struct DistinctRows {
    explicit DistinctRows(const Table& table);

    std::size_t size() const { return weights.size(); }
    Var variables() const { return static_cast<Var>(start.size() - 1); }
    std::uint16_t code(std::uint32_t row, Var v) const { return codes[row * std::size_t{variables()} + v]; }
    std::size_t arity(Var v) const { return start[v + 1] - start[v]; }
    /// States of `first` and all variables after it: the children of a node that may still set these.
    std::size_t states_from(Var first) const { return start.back() - start[first]; }

    std::vector<std::uint16_t> codes;
    std::vector<std::uint32_t> weights;
    std::vector<std::size_t> start;  // states of all variables before one; the last entry: of all
};

/// Counts read from an AD-tree, built once (Moore and Lee, JAIR 1998; Wu 2010, section 3.4).
///
/// A node stands for values of some variables, in ascending order, and holds the number of cases that
/// have them; its children set one later variable to one of its states. All children of a node lie in
/// one block, sorted by variable and state, so a node is its count and the place of its block: eight
/// bytes, four at the deepest level. Every state has its child, the most common one too; a node
/// without cases is a leaf.
///
/// A node of few distinct rows keeps these instead of children, where that takes less room. Counts
/// come in ascending order of the cells' codes.
class AdTree final : public Counter {
  public:
    static constexpr int max_depth = 64;

    /// Throws before anything is built if the tree would need more than `most_bytes`. While it is
    /// built, at most four bytes per distinct row and level come on top.
    /// `leaf_rows`: the most rows kept instead of children; 0 builds the tree of the papers.
    AdTree(const Table& table, int depth, std::size_t most_bytes, std::uint32_t leaf_rows = 16);

    /// Throws for sets of more variables than the depth.
    void count(Members set, std::vector<std::uint32_t>& counts) const override;

    int depth() const { return depth_; }
    std::size_t variables() const { return rows_.variables(); }
    /// Nodes that are stored, with the root; without leaf lists as many as `ad_tree_nodes` counts.
    std::size_t nodes() const { return 1 + nodes_.size() + deepest_.size(); }
    std::size_t bytes() const;

    /// The depth that families need which BIC can prefer, floor(log2(2N / ln N)) + 1 (Wu 2010, Theorem
    /// 3). One case is taken for two, since ln 1 = 0.
    static int paper_depth(std::uint32_t cases);

  private:
    struct Node {
        std::uint32_t count = 0;
        std::uint32_t link = 0;  // place of the children, or with the highest bit of the leaf list
    };
    class Builder;

    void collect(std::uint32_t link, Var first, int level, Members rest,
                 std::vector<std::uint32_t>& counts) const;
    void collect_listed(const std::uint32_t* list, Members rest, std::vector<std::uint32_t>& counts) const;

    DistinctRows rows_;
    int depth_;
    Node root_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> deepest_;  // counts of the nodes at the depth limit
    std::vector<std::uint32_t> lists_;    // leaf lists, each as its length and its rows
};

/// The nodes of the table's AD-tree without leaf lists, root and empty leaves included; not built.
///
/// A node exists if some case has its values but the last one. So the number depends on the order of
/// the columns, unless the depth covers all of them and every combination of values occurs.
std::uint64_t ad_tree_nodes(const Table& table, int depth);

/// The same without any limit: a node for every assignment to every set, the product of (arity + 1).
double full_ad_tree_nodes(const Table& table);

}  // namespace dagscape
