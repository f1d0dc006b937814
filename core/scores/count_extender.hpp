#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "counts/extension_counts.hpp"
#include "scores/block_scores.hpp"
#include "scores/count_function.hpp"

namespace dagscape {

/// Values of a set with every one more variable, from counts: rows are grouped by the set one time, and each
/// variable only splits those groups.
class CountExtender final : public SetExtender {
  public:
    CountExtender(const CountFunction& function, ExtensionWay way);
    std::unique_ptr<SetExtender> clone() const override { return std::make_unique<CountExtender>(*this); }

    void extend(SetExtension& extension) override;
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override;

    static bool suits(const Table& table) { return table.variables() > 0 && ExtensionCounts::suits(table); }
    /// Memory of what copies share.
    static std::size_t bytes_for(const Table& table) {
        return suits(table) ? ExtensionCounts::bytes_for(table) : 0;
    }

  private:
    /// The scores refer to the order of items that the counts hold.
    struct Shared {
        Shared(const CountFunction& of, ExtensionWay way);

        const CountFunction& function;
        const ExtensionCounts counts;
        const BlockScores scores;
        std::uint32_t largest_arity = 1;
    };
    void fill(SetExtension& extension, const SetBlock& block, double combinations);
    double error_of(double combinations) const;
    const std::vector<double>& joint_of_family();
    const std::vector<double>& joint_of_given(Var child, Members parents, bool some);
    void check_combinations(Var child, Members parents, std::span<const Var> candidates) const;

    std::shared_ptr<const Shared> shared_;
    ExtensionCounts counts_;
    std::vector<double> joint_, given_;                        // by position
    std::vector<double> alone_;                                // of each variable by itself; once asked for
    std::vector<std::pair<std::size_t, std::size_t>> places_;  // position and place of a candidate
    std::vector<std::size_t> positions_;
};

}  // namespace dagscape
