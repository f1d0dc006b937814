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
    }

    void predict(const std::int32_t* row, std::span<double> probabilities) {
        pattern_.assign(network_.variables(), '0');
        for (Var v = 0; v < network_.variables(); ++v) {
            const bool observed = v != target_ && row[v] >= 0;
            evidence_.states[v] = observed ? row[v] : Evidence::unknown;
            if (observed) pattern_[v] = '1';
        }
        Propagation& messages = prepared().messages;
        if (std::isinf(messages.collect(evidence_))) {
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

    /// The tree for what is observed in this row. Rows with other gaps have the same one where these do not
    /// bear on the target.
    Prepared& prepared() {
        if (const auto known = by_pattern_.find(pattern_); known != by_pattern_.end()) return *known->second;
        Question question{std::vector<bool>(network_.variables()), {target_}, false, {}};
        for (Var v = 0; v < network_.variables(); ++v) question.observed[v] = evidence_.observed(v);
        const Relevant part = relevant(network_, question);
        std::string bearing;
        for (const std::vector<Var>& some : {part.graph.members, part.families}) {
            for (const Var v : some) bearing.append(reinterpret_cast<const char*>(&v), sizeof v);
            bearing.push_back('|');
        }
        if (by_pattern_.size() >= most_trees) {
            by_pattern_.clear();
            by_bearing_.clear();
        }
        std::shared_ptr<Prepared>& found = by_bearing_[bearing];
        if (!found) found = std::make_shared<Prepared>(network_, question, part, most_cells_);
        return *(by_pattern_[pattern_] = found);
    }

    const TableNetwork& network_;
    Var target_;
    std::size_t most_cells_;
    Evidence evidence_;
    std::string pattern_;
    std::unordered_map<std::string, std::shared_ptr<Prepared>> by_pattern_, by_bearing_;
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
