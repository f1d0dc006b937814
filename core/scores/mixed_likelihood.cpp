#include "scores/mixed_likelihood.hpp"

#include <cmath>
#include <utility>

#include "scores/mixed_extender.hpp"
#include "scores/mixed_walk.hpp"

namespace dagscape {

MixedLikelihood::MixedLikelihood(std::shared_ptr<const SetFunction> states, std::vector<bool> is_number,
                                 ColumnBlocks blocks)
    : states_(std::move(states)), is_number_(std::move(is_number)), columns_([&] {
          DeterminantTerms terms = normal_score_terms(blocks, is_number_);
          return DeterminantFunction(std::move(blocks), std::move(terms));
      }()) {
    Var next = 0;
    for (const bool number : is_number_) place_.push_back(number ? 0 : next++);
}

void MixedLikelihood::add(Var v, Parts& parts) const {
    const std::size_t width = columns_.blocks().width(v);
    if (is_number_[v]) {
        parts.numbers += width;
    } else {
        parts.log_prior += static_cast<double>(width) * log_prior_scatter(columns_.blocks(), v, false);
    }
}

double MixedLikelihood::states_of(Members states) const {
    thread_local std::vector<Var> numbered;
    numbered.clear();
    for (const Var v : states) numbered.push_back(place_[v]);
    return states_->joint(numbered);
}

double MixedLikelihood::value(const Parts& parts) const {
    if (parts.numbers == 0) return parts.states;
    const DeterminantTerms& terms = columns_.terms();
    const auto d = static_cast<double>(parts.numbers);
    return parts.states + terms.constant[parts.numbers] + d / 2 * (parts.log_prior - parts.of_states) -
           terms.weight[parts.numbers] / 2 * (parts.of_all - parts.of_states);
}

double MixedLikelihood::joint(Members set) const {
    std::vector<Var> own;
    Parts parts;
    for (const Var v : set) {
        add(v, parts);
        if (!is_number_[v]) own.push_back(v);
    }
    parts.states = states_of(own);
    if (parts.numbers > 0) {
        parts.of_states = columns_.log_determinant(own);
        parts.of_all = columns_.log_determinant(set);
    }
    return value(parts);
}

double MixedLikelihood::parameters(Members set) const {
    std::vector<Var> numbered;
    double numbers = 0, indicators = 0;
    for (const Var v : set) {
        const auto width = static_cast<double>(columns_.blocks().width(v));
        (is_number_[v] ? numbers : indicators) += width;
        if (!is_number_[v]) numbered.push_back(place_[v]);
    }
    return states_->parameters(numbered) + numbers * (numbers + 3) / 2 + numbers * indicators;
}

/// As for determinants.
double MixedLikelihood::rounding() const { return std::ldexp(SetFunction::rounding(), 4); }

std::unique_ptr<SetExtender> MixedLikelihood::extender(ExtensionWay way) const {
    return std::make_unique<MixedExtender>(*this, way);
}

std::unique_ptr<ValueWalk> MixedLikelihood::walk(const WalkOptions& /*options*/) const {
    return std::make_unique<MixedWalk>(*this);
}

}  // namespace dagscape
