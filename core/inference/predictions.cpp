#include "inference/predictions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>

#include "inference/clique_tree.hpp"
#include "inference/propagation.hpp"
#include "parallel.hpp"

namespace dagscape {

namespace {

constexpr std::size_t rows_at_once = 1024;
/// Trees that a thread keeps; where rows differ so much that more are needed, it begins anew.
constexpr std::size_t most_trees = 4096;

/// What a thread needs to answer for one row after the other.
class Predicting {
  public:
    Predicting(const TableNetwork& network, Var target, std::size_t most_cells)
        : network_(network), target_(target), most_cells_(most_cells) {
        evidence_.states.resize(network.variables());
        for (Var child = 0; child < network.variables(); ++child)
            if (std::ranges::count(network.families[child].values, 0.0) > 0) with_zeros_.push_back(child);
    }

    void predict(const std::int32_t* row, std::span<double> probabilities) {
        pattern_.assign(network_.variables(), '0');
        for (Var v = 0; v < network_.variables(); ++v) {
            const bool observed = v != target_ && row[v] >= 0;
            evidence_.states[v] = observed ? row[v] : Evidence::unknown;
            if (observed) pattern_[v] = '1';
        }
        const Trees& trees = prepared();
        Propagation& messages = trees.near->messages;
        if (ruled_out(trees) || std::isinf(messages.collect(evidence_))) {
            std::ranges::fill(probabilities, std::numeric_limits<double>::quiet_NaN());
            return;
        }
        std::ranges::copy(messages.joint({target_}), probabilities.begin());
    }

  private:
    struct Prepared {
        Prepared(const TableNetwork& network, const Question& question, const Relevant& part,
                 std::size_t most_cells)
            : tree(network, question, part, most_cells), messages(network, tree) {}
        CliqueTree tree;
        Propagation messages;
    };

    struct Trees {
        std::shared_ptr<Prepared> near;  // what bears on the target
        // What else could make a row impossible: only families with zeros rule something out.
        std::vector<Var> known;          // those of which nothing is missing
        std::shared_ptr<Prepared> rest;  // the others, if any
    };

    bool ruled_out(const Trees& trees) const {
        for (const Var child : trees.known) {
            std::size_t place = 0;
            const auto& [parents, values] = network_.families[child];
            const auto add = [&](Var v) {
                place = place * network_.arities[v] + static_cast<std::size_t>(evidence_.states[v]);
            };
            for (const Var v : parents) add(v);
            add(child);
            if (values[place] == 0) return true;
        }
        return trees.rest && std::isinf(trees.rest->messages.collect(evidence_));
    }

    /// The trees for what is observed in this row. Rows with other gaps have the same where these change
    /// nothing in them.
    const Trees& prepared() {
        if (const auto known = by_pattern_.find(pattern_); known != by_pattern_.end()) return known->second;
        if (by_pattern_.size() >= most_trees) {
            by_pattern_.clear();
            by_part_.clear();
        }
        Question question{std::vector<bool>(network_.variables()), {target_}, false, {}};
        for (Var v = 0; v < network_.variables(); ++v) question.observed[v] = evidence_.observed(v);
        const Relevant near = relevant(network_, question);
        Trees found{tree_of(question, near), {}, nullptr};
        std::vector<Var> open;
        for (const Var child : with_zeros_) {
            if (std::ranges::binary_search(near.families, child)) continue;
            const auto observed = [&](Var v) { return evidence_.observed(v); };
            const bool all =
                observed(child) && std::ranges::all_of(network_.families[child].parents, observed);
            (all ? found.known : open).push_back(child);
        }
        if (!open.empty()) {
            question.wanted.clear();
            const Relevant rest = bearing(network_, question, open);
            if (!rest.families.empty()) found.rest = tree_of(question, rest);
        }
        return by_pattern_[pattern_] = std::move(found);
    }

    const std::shared_ptr<Prepared>& tree_of(const Question& question, const Relevant& part) {
        std::string key;
        for (const std::vector<Var>& some : {question.wanted, part.graph.members, part.families}) {
            for (const Var v : some) key.append(reinterpret_cast<const char*>(&v), sizeof v);
            key.push_back('|');
        }
        std::shared_ptr<Prepared>& found = by_part_[key];
        if (!found) found = std::make_shared<Prepared>(network_, question, part, most_cells_);
        return found;
    }

    const TableNetwork& network_;
    Var target_;
    std::size_t most_cells_;
    std::vector<Var> with_zeros_;  // families that hold something impossible
    Evidence evidence_;
    std::string pattern_;
    std::unordered_map<std::string, Trees> by_pattern_;
    std::unordered_map<std::string, std::shared_ptr<Prepared>> by_part_;
};

}  // namespace

std::vector<double> predictions(const TableNetwork& network, std::span<const std::int32_t> rows, Var target,
                                std::size_t most_cells, std::size_t threads, Control& control) {
    const std::size_t n = network.variables(), states = network.arities[target], count = rows.size() / n;
    std::vector<double> found(count * states, 0.0);
    std::vector<std::unique_ptr<Predicting>> workers(threads);
    const std::size_t tasks = (count + rows_at_once - 1) / rows_at_once;
    parallel_for(tasks, threads, control, [&](std::size_t task, std::size_t worker) {
        if (!workers[worker]) workers[worker] = std::make_unique<Predicting>(network, target, most_cells);
        const std::size_t end = std::min(count, (task + 1) * rows_at_once);
        for (std::size_t i = task * rows_at_once; i < end && !control.stopped(); ++i)
            workers[worker]->predict(&rows[i * n], std::span(found).subspan(i * states, states));
        control.advance(1.0 / static_cast<double>(tasks));
    });
    return found;
}

}  // namespace dagscape
