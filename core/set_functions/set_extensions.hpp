#pragma once

#include <memory>
#include <vector>

#include "set_functions/set_extender.hpp"
#include "sharded_memo.hpp"

namespace dagscape {

/// Extensions of sets, kept for when they are asked for again. All threads share them. Values are functions
/// of the set alone, and differ from `Scorer::joint` by rounding only, so what is kept changes no result.
///
/// The gain of a parent X for Y with parents P is with(P ∪ {Y})[X] − with(P)[X] − (value(P ∪ {Y}) −
/// value(P)): two extensions tell it for all X, and each set is the family of all its members.
class SetExtensions {
  public:
    /// The function that the extender belongs to must be equivalent.
    SetExtensions(std::unique_ptr<SetExtender> extender, std::size_t variables, std::size_t max_bytes)
        : extender_(std::move(extender)),
          memo_(max_bytes / (sizeof(SetExtension) + 150 + variables * sizeof(double))) {}

  private:
    friend class SetExtensionMaker;

    std::unique_ptr<SetExtender> extender_;
    ShardedMemo<SetExtension> memo_;
};

/// Finds extensions, and computes those that are not there. For one thread.
class SetExtensionMaker {
  public:
    explicit SetExtensionMaker(SetExtensions& shared)
        : shared_(shared), extender_(shared.extender_->clone()) {}

    /// Of a set in ascending order.
    std::shared_ptr<const SetExtension> operator()(Members set);

  private:
    SetExtensions& shared_;
    std::unique_ptr<SetExtender> extender_;
};

}  // namespace dagscape
