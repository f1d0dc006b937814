#pragma once

#include <memory>
#include <vector>

#include "scores/cholesky_rows.hpp"
#include "scores/mixed_likelihood.hpp"

namespace dagscape {

/// Sets with one more variable: what the factors of a set, and of its states, leave of the columns of each;
/// and what the function of the states says of one more column of states.
class MixedExtender final : public SetExtender {
  public:
    MixedExtender(const MixedLikelihood& function, ExtensionWay way)
        : MixedExtender(function, function.states().extender(way)) {}
    std::unique_ptr<SetExtender> clone() const override {
        std::unique_ptr<SetExtender> states = states_ ? states_->clone() : nullptr;
        return std::unique_ptr<SetExtender>(new MixedExtender(function_, std::move(states)));
    }

    void extend(SetExtension& extension) override;
    bool extend_family(Var child, Members parents, std::span<const Var> candidates,
                       std::span<double> scores) override;

  private:
    MixedExtender(const MixedLikelihood& function, std::unique_ptr<SetExtender> states)
        : function_(function), states_(std::move(states)), all_(function.columns()), own_(all_) {}

    void begin(Members set);
    double with(Var v);
    double states_with(Var v);
    double log_determinant_with(CholeskyRows& rows, Members set, Var v);

    const MixedLikelihood& function_;
    std::unique_ptr<SetExtender> states_;
    std::vector<Var> set_, own_set_;  // a set, and its states
    CholeskyRows all_, own_;          // of these
    MixedLikelihood::Parts parts_;
    SetExtension of_states_;
    bool states_asked_ = false;
    double smallest_ = 1;
    std::size_t widest_ = 0;
};

}  // namespace dagscape
