#include "counts/ad_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <span>
#include <string>

#include "data/unique_rows.hpp"
#include "error.hpp"

namespace dagscape {

namespace {

using RowNumbers = std::span<const std::uint32_t>;

constexpr std::uint32_t listed = std::uint32_t{1} << 31;  // marks a link to a leaf list

int checked_depth(int depth, const Table& table) {
    // Walks recurse once for each level. Deeper trees would be far too large, save for trivial data.
    if (depth < 1 || depth > AdTree::max_depth)
        throw Error(ErrorKind::parameter, "the depth of an AD-tree must be between 1 and " +
                                              std::to_string(AdTree::max_depth) + ", got " +
                                              std::to_string(depth));
    return std::min(depth, static_cast<int>(table.variables()));
}

std::vector<std::uint32_t> all_rows(const DistinctRows& rows) {
    std::vector<std::uint32_t> all(rows.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

/// The rows of a node that have one code of a variable.
struct RowsOfCode {
    std::uint16_t code;
    RowNumbers rows;
};

/// Splits the rows of nodes by a variable. Each level of a walk has its own buffers, so that parts
/// stay valid while the walk goes on below them.
class Splitter {
  public:
    Splitter(const DistinctRows& rows, int depth)
        : rows_(rows), sizes_(std::size_t{1} << 16), levels_(static_cast<std::size_t>(depth)) {}

    /// The parts that have rows, by first appearance; rows keep their order.
    const std::vector<RowsOfCode>& split(RowNumbers rows, Var v, int level) {
        auto& [parts, sorted] = levels_[static_cast<std::size_t>(level)];
        parts.clear();
        for (const std::uint32_t row : rows) {
            const std::uint16_t code = rows_.code(row, v);
            if (sizes_[code]++ == 0) parts.push_back({code, {}});
        }
        if (sorted.size() < rows.size()) sorted.resize(rows.size());
        std::uint32_t next = 0;
        for (RowsOfCode& part : parts) {
            part.rows = {sorted.data() + next, sizes_[part.code]};
            sizes_[part.code] = next;
            next += static_cast<std::uint32_t>(part.rows.size());
        }
        for (const std::uint32_t row : rows) sorted[sizes_[rows_.code(row, v)]++] = row;
        for (const RowsOfCode& part : parts) sizes_[part.code] = 0;
        return parts;
    }

    /// The number of those parts.
    std::size_t occurring(RowNumbers rows, Var v) {
        const std::size_t arity = rows_.arity(v);
        std::vector<RowsOfCode>& seen = levels_.back().parts;
        seen.clear();
        for (const std::uint32_t row : rows) {
            const std::uint16_t code = rows_.code(row, v);
            if (sizes_[code]++ == 0) seen.push_back({code, {}});
            if (seen.size() == arity) break;
        }
        for (const RowsOfCode& part : seen) sizes_[part.code] = 0;
        return seen.size();
    }

  private:
    struct Level {
        std::vector<RowsOfCode> parts;
        std::vector<std::uint32_t> sorted;
    };
    const DistinctRows& rows_;
    std::vector<std::uint32_t> sizes_;  // by code: rows of the part, then where its next row goes
    std::vector<Level> levels_;
};

/// Counts nodes by walking them; the two deepest levels and the nodes of one row follow by arithmetic.
class NodeCount {
  public:
    NodeCount(const DistinctRows& rows, int depth) : rows_(rows), splitter_(rows, depth), depth_(depth) {
        alone_.assign(static_cast<std::size_t>(depth) + 1, std::vector<double>(rows.variables() + 1u, 1.0));
        for (std::size_t left = 1; left < alone_.size(); ++left)
            for (std::size_t v = rows.variables(); v-- > 0;)
                alone_[left][v] = alone_[left][v + 1] + alone_[left - 1][v + 1] +
                                  static_cast<double>(rows.arity(static_cast<Var>(v)) - 1);
        // A lower bound for any data; up to here doubles are exact, and a walk so long never ends.
        if (alone_.back().front() > 0x1p53)
            throw Error(ErrorKind::parameter, "an AD-tree of depth " + std::to_string(depth) + " for " +
                                                  std::to_string(rows.variables()) +
                                                  " variables has more than 2^53 nodes; lower the depth");
    }

    std::uint64_t total() { return walk(all_rows(rows_), 0, 0); }

  private:
    /// A node above the deepest level and all below it, given its rows and the variables it may set.
    std::uint64_t walk(RowNumbers rows, Var first, int level) {
        const int left = depth_ - level;
        if (left == 1) return 1 + rows_.states_from(first);
        if (rows.size() == 1)
            return static_cast<std::uint64_t>(alone_[static_cast<std::size_t>(left)][first]);
        std::uint64_t nodes = 1 + rows_.states_from(first);
        for (Var v = first; v + 1 < rows_.variables(); ++v) {
            const Var next = v + 1;
            if (left == 2) {
                nodes += splitter_.occurring(rows, v) * rows_.states_from(next);
            } else {
                for (const RowsOfCode& part : splitter_.split(rows, v, level))
                    nodes += walk(part.rows, next, level + 1) - 1;
            }
        }
        return nodes;
    }

    const DistinctRows& rows_;
    Splitter splitter_;
    int depth_;
    std::vector<std::vector<double>> alone_;  // nodes of a single row, by levels left and first variable
};

}  // namespace

DistinctRows::DistinctRows(const Table& table) : start(table.variables() + 1, 0) {
    const Table unique = unique_rows(table);
    weights = unique.weights();
    codes.resize(unique.rows() * unique.variables());
    for (std::size_t v = 0; v < unique.variables(); ++v) {
        start[v + 1] = start[v] + unique.arity(static_cast<Var>(v));
        std::visit(
            [&](const auto& column) {
                for (std::size_t row = 0; row < column.size(); ++row)
                    codes[row * unique.variables() + v] = column[row];
            },
            unique.column(static_cast<Var>(v)).codes);
    }
}

/// Measures the tree first, then fills arrays of exactly that size.
class AdTree::Builder {
  public:
    Builder(AdTree& tree, std::size_t most_bytes, std::uint32_t leaf_rows)
        : tree_(tree),
          rows_(tree.rows_),
          splitter_(rows_, tree.depth_),
          most_bytes_(most_bytes),
          leaf_rows_(leaf_rows) {}

    void build() {
        const std::vector<std::uint32_t> all = all_rows(rows_);
        // The lists of one row come first, one for each row: many nodes share them.
        if (leaf_rows_ > 0) lists_ = 2 * rows_.size();
        measure(all, 0, 0);
        tree_.nodes_.resize(inner_);
        tree_.deepest_.resize(deepest_);
        tree_.lists_.reserve(lists_);
        if (leaf_rows_ > 0)
            for (const std::uint32_t row : all) tree_.lists_.insert(tree_.lists_.end(), {1, row});
        inner_ = deepest_ = 0;
        tree_.root_ = {cases(all), place(all, 0, 0)};
        assert(inner_ == tree_.nodes_.size() && deepest_ == tree_.deepest_.size() &&
               lists_ == tree_.lists_.size());
    }

  private:
    void require_room() const {
        const std::size_t bytes =
            inner_ * sizeof(Node) + (deepest_ + lists_) * sizeof(std::uint32_t) + tree_.bytes();
        if (bytes > most_bytes_)
            throw Error(ErrorKind::parameter, "the AD-tree would need more than " +
                                                  std::to_string(most_bytes_) + " bytes; lower its depth, " +
                                                  std::to_string(tree_.depth_) + ", or allow more memory");
        if (std::max({inner_, deepest_, lists_}) > listed)
            throw Error(ErrorKind::parameter, "the AD-tree would need more than " + std::to_string(listed) +
                                                  " nodes; lower its depth, " + std::to_string(tree_.depth_));
    }

    bool above_deepest(int level) const { return level + 1 == tree_.depth_; }

    /// A list must be no longer than the children in its place; one row costs nothing.
    bool as_list(RowNumbers rows, Var first, int level) const {
        const std::size_t words = rows_.states_from(first) * (above_deepest(level) ? 1 : 2);
        return rows.size() <= leaf_rows_ && (rows.size() == 1 || rows.size() < words);
    }

    void measure(RowNumbers rows, Var first, int level) {
        const bool list = as_list(rows, first, level);
        if (list) {
            if (rows.size() > 1) lists_ += 1 + rows.size();
        } else {
            (above_deepest(level) ? deepest_ : inner_) += rows_.states_from(first);
        }
        require_room();
        if (list || above_deepest(level)) return;
        for (Var v = first; v + 1 < rows_.variables(); ++v)
            for (const RowsOfCode& part : splitter_.split(rows, v, level))
                measure(part.rows, v + 1, level + 1);
    }

    /// Stores what is below a node; returns its link.
    std::uint32_t place(RowNumbers rows, Var first, int level) {
        if (as_list(rows, first, level)) return place_list(rows);
        return above_deepest(level) ? place_counts(rows, first) : place_nodes(rows, first, level);
    }

    std::uint32_t place_list(RowNumbers rows) {
        if (rows.size() == 1) return listed | 2 * rows.front();
        const auto at = static_cast<std::uint32_t>(tree_.lists_.size());
        tree_.lists_.push_back(static_cast<std::uint32_t>(rows.size()));
        tree_.lists_.insert(tree_.lists_.end(), rows.begin(), rows.end());
        return listed | at;
    }

    std::uint32_t place_counts(RowNumbers rows, Var first) {
        std::uint32_t* const counts = tree_.deepest_.data() + deepest_;
        for (const std::uint32_t row : rows)
            for (Var v = first; v < rows_.variables(); ++v)
                counts[rows_.start[v] - rows_.start[first] + rows_.code(row, v)] += rows_.weights[row];
        const auto at = static_cast<std::uint32_t>(deepest_);
        deepest_ += rows_.states_from(first);
        return at;
    }

    std::uint32_t place_nodes(RowNumbers rows, Var first, int level) {
        Node* const block = tree_.nodes_.data() + inner_;
        const auto at = static_cast<std::uint32_t>(inner_);
        inner_ += rows_.states_from(first);
        for (Var v = first; v < rows_.variables(); ++v) {
            Node* const children = block + (rows_.start[v] - rows_.start[first]);
            for (const RowsOfCode& part : splitter_.split(rows, v, level)) {
                Node& child = children[part.code];
                child.count = cases(part.rows);
                if (v + 1 < rows_.variables()) child.link = place(part.rows, v + 1, level + 1);
            }
        }
        return at;
    }

    std::uint32_t cases(RowNumbers rows) const {
        std::uint32_t sum = 0;
        for (const std::uint32_t row : rows) sum += rows_.weights[row];
        return sum;
    }

    AdTree& tree_;
    const DistinctRows& rows_;
    Splitter splitter_;
    std::size_t most_bytes_;
    std::uint32_t leaf_rows_;
    std::size_t inner_ = 0, deepest_ = 0, lists_ = 0;  // entries needed; while placing, those in use
};

AdTree::AdTree(const Table& table, int depth, std::size_t most_bytes, std::uint32_t leaf_rows)
    : rows_(table), depth_(checked_depth(depth, table)) {
    Builder(*this, most_bytes, leaf_rows).build();
}

std::size_t AdTree::bytes() const {
    return nodes_.size() * sizeof(Node) + (deepest_.size() + lists_.size()) * sizeof(std::uint32_t) +
           rows_.codes.size() * sizeof(std::uint16_t) + rows_.weights.size() * sizeof(std::uint32_t) +
           rows_.start.size() * sizeof(std::size_t);
}

void AdTree::count(Members set, std::vector<std::uint32_t>& counts) const {
    if (set.size() > static_cast<std::size_t>(depth_))
        throw Error(ErrorKind::parameter, "the AD-tree has depth " + std::to_string(depth_) +
                                              " and cannot count a set of " + std::to_string(set.size()) +
                                              " variables; build it deeper");
    counts.clear();
    if (set.empty()) {
        counts.push_back(root_.count);
    } else {
        collect(root_.link, 0, 0, set, counts);
    }
}

/// Appends the counts of `rest` among the cases of a node, whose children begin at variable `first`.
void AdTree::collect(std::uint32_t link, Var first, int level, Members rest,
                     std::vector<std::uint32_t>& counts) const {
    if (link & listed) return collect_listed(lists_.data() + (link ^ listed), rest, counts);
    const Var v = rest.front();
    const std::size_t begin = link + (rows_.start[v] - rows_.start[first]);
    const std::size_t end = begin + rows_.arity(v);
    if (level + 1 == depth_) {
        for (std::size_t at = begin; at < end; ++at)
            if (deepest_[at] > 0) counts.push_back(deepest_[at]);
        return;
    }
    for (std::size_t at = begin; at < end; ++at) {
        const Node& child = nodes_[at];
        if (child.count == 0) continue;
        if (rest.size() == 1) {
            counts.push_back(child.count);
        } else {
            collect(child.link, v + 1, level + 1, rest.subspan(1), counts);
        }
    }
}

/// The same for a node that keeps its rows.
void AdTree::collect_listed(const std::uint32_t* list, Members rest,
                            std::vector<std::uint32_t>& counts) const {
    const RowNumbers rows(list + 1, *list);
    if (rows.size() == 1) {
        counts.push_back(rows_.weights[rows.front()]);
        return;
    }
    const auto order = [&](std::uint32_t a, std::uint32_t b) {
        for (const Var v : rest)
            if (const int by = rows_.code(a, v) - rows_.code(b, v)) return by;
        return 0;
    };
    thread_local std::vector<std::uint32_t> sorted;
    sorted.assign(rows.begin(), rows.end());
    std::sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return order(a, b) < 0; });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i == 0 || order(sorted[i - 1], sorted[i]) != 0) counts.push_back(0);
        counts.back() += rows_.weights[sorted[i]];
    }
}

int AdTree::paper_depth(std::uint32_t cases) {
    const double n = std::max(cases, 2u);
    return static_cast<int>(std::floor(std::log2(2 * n / std::log(n)))) + 1;
}

std::uint64_t ad_tree_nodes(const Table& table, int depth) {
    const int levels = checked_depth(depth, table);
    const DistinctRows rows(table);
    return NodeCount(rows, levels).total();
}

double full_ad_tree_nodes(const Table& table) {
    double nodes = 1;
    for (std::size_t v = 0; v < table.variables(); ++v) nodes *= table.arity(static_cast<Var>(v)) + 1.0;
    return nodes;
}

}  // namespace dagscape
