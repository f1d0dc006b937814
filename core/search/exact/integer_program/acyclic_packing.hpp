#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// Acyclic graphs on so few variables that a set of them is an index.
namespace dagscape::few {

using Set = std::uint32_t;

struct Weighted {
    Set parents;
    double weight;
};

/// The cheapest acyclic graph by dynamic programming over the sets of variables placed first.
class CheapestGraph {
  public:
    explicit CheapestGraph(std::size_t size)
        : least_(std::size_t{1} << size), last_(std::size_t{1} << size) {}

    /// `cost(v, before)`: the least cost of v's families with parents among `before`.
    template <typename Cost>
    double solve(Cost cost) {
        least_[0] = 0;
        for (Set placed = 1; placed < least_.size(); ++placed) {
            least_[placed] = std::numeric_limits<double>::infinity();
            for (Set rest = placed; rest != 0; rest &= rest - 1) {
                const auto v = static_cast<std::size_t>(std::countr_zero(rest));
                const Set before = placed & ~(Set{1} << v);
                const double total = least_[before] + cost(v, before);
                if (total < least_[placed]) {
                    least_[placed] = total;
                    last_[placed] = static_cast<std::uint8_t>(v);
                }
            }
        }
        return least_.back();
    }
    /// Calls with each variable and those before it.
    template <typename Function>
    void walk(Function function) const {
        Set placed = static_cast<Set>(least_.size() - 1);
        while (placed != 0) {
            const std::size_t v = last_[placed];
            placed &= ~(Set{1} << v);
            function(v, placed);
        }
    }

  private:
    std::vector<double> least_;
    std::vector<std::uint8_t> last_;
};

/// Packs acyclic graphs into weighted families, as much as fits: the simplex method on graphs that are made
/// when they are needed.
class Packing {
  public:
    Packing(std::size_t size, const std::vector<std::vector<Weighted>>& families)
        : families_(families), graph_(size) {
        for (std::size_t v = 0; v < size; ++v) {
            begins_.push_back(rows_);
            rows_ += families[v].size();
        }
        inverse_.assign(rows_ * rows_, 0);
        packs_.assign(rows_, false);
        for (std::size_t v = 0; v < size; ++v)
            for (std::size_t f = 0; f < families[v].size(); ++f) {
                const std::size_t row = begins_[v] + f;
                inverse_[row * rows_ + row] = 1;
                // Unequal by a little, so that ties do not make it turn in circles.
                values_.push_back(families[v][f].weight + 1e-7 * (1 + static_cast<double>(row * 37 % 101)));
            }
    }

    /// Whether less than `enough` fits; then `coefficient` has the proof.
    bool falls_short(double enough) {
        for (int step = 0; step < 400; ++step) {
            find_duals();
            const auto lowest = std::min_element(duals_.begin(), duals_.end());
            std::vector<double> column(rows_);
            bool pack = false;
            if (*lowest < -1e-9) {
                const auto slack = static_cast<std::size_t>(lowest - duals_.begin());
                for (std::size_t r = 0; r < rows_; ++r) column[r] = inverse_[r * rows_ + slack];
            } else {
                double packed = 0;
                for (std::size_t r = 0; r < rows_; ++r)
                    if (packs_[r]) packed += values_[r];
                if (packed >= enough) return false;
                const double least =
                    graph_.solve([&](std::size_t v, Set before) { return cheapest(v, before).first; });
                if (least >= 1 - 1e-9) return true;
                pack = true;
                graph_.walk([&](std::size_t v, Set before) {
                    const std::size_t chosen = begins_[v] + cheapest(v, before).second;
                    for (std::size_t r = 0; r < rows_; ++r) column[r] += inverse_[r * rows_ + chosen];
                });
            }
            std::size_t leaving = rows_;
            for (std::size_t r = 0; r < rows_; ++r) {
                if (column[r] < 1e-9) continue;
                if (leaving == rows_ || values_[r] * column[leaving] < values_[leaving] * column[r])
                    leaving = r;
            }
            if (leaving == rows_) return false;
            pivot(leaving, column);
            packs_[leaving] = pack;
        }
        return false;
    }
    double coefficient(std::size_t v, std::size_t family) const {
        return std::max(0.0, duals_[begins_[v] + family]);
    }

  private:
    void find_duals() {
        duals_.assign(rows_, 0);
        for (std::size_t r = 0; r < rows_; ++r)
            if (packs_[r])
                for (std::size_t c = 0; c < rows_; ++c) duals_[c] += inverse_[r * rows_ + c];
    }
    std::pair<double, std::size_t> cheapest(std::size_t v, Set before) const {
        std::pair<double, std::size_t> best{std::numeric_limits<double>::infinity(), 0};
        for (std::size_t f = 0; f < families_[v].size(); ++f)
            if ((families_[v][f].parents & ~before) == 0 && duals_[begins_[v] + f] < best.first)
                best = {duals_[begins_[v] + f], f};
        return best;
    }
    void pivot(std::size_t leaving, const std::vector<double>& column) {
        double* row = &inverse_[leaving * rows_];
        const double scale = 1 / column[leaving];
        for (std::size_t c = 0; c < rows_; ++c) row[c] *= scale;
        values_[leaving] *= scale;
        for (std::size_t r = 0; r < rows_; ++r) {
            if (r == leaving || column[r] == 0) continue;
            double* other = &inverse_[r * rows_];
            for (std::size_t c = 0; c < rows_; ++c) other[c] -= column[r] * row[c];
            values_[r] = std::max(0.0, values_[r] - column[r] * values_[leaving]);
        }
    }

    const std::vector<std::vector<Weighted>>& families_;
    CheapestGraph graph_;
    std::vector<std::size_t> begins_;
    std::size_t rows_ = 0;
    std::vector<double> inverse_, values_, duals_;  // the basis's inverse by row, its values
    std::vector<bool> packs_;                       // by row: whether a graph is basic there, or a slack
};

}  // namespace dagscape::few
