#pragma once

#include <memory>
#include <span>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// How values of a set with one more variable come about; for tests. They are the same up to rounding.
enum class ExtensionWay { cheaper, bitmaps, rows };

/// The function of a set, and of the set with each one more variable.
struct SetExtension {
    std::vector<Var> set;      // ascending
    double value = 0;          // joint(set)
    std::vector<double> with;  // joint(set ∪ {v}) by variable, for those that are not in it
    /// None of these values is farther than this from what the function says of the same set.
    double error = 0;

    /// Whether they could be had side by side.
    bool known() const { return !with.empty(); }
};

/// Values of a set with every one more variable, at once. They are functions of the set alone, and differ
/// from those of the sets asked for singly by rounding only. For one thread.
class SetExtender {
  public:
    virtual ~SetExtender() = default;
    /// Another one, for another thread; what never changes is shared.
    virtual std::unique_ptr<SetExtender> clone() const = 0;

    /// Fills in the values of `extension.set`; leaves them unknown where they cannot be had side by side.
    virtual void extend(SetExtension& extension) = 0;
    /// scores[i] = local(child | parents ∪ candidates[i]); false where they cannot be had side by side.
    virtual bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                               std::span<double> scores) = 0;
};

}  // namespace dagscape
