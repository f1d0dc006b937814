#include "inference/propagation.hpp"

namespace dagscape {

Propagation::Propagation(const TableNetwork& network, const CliqueTree& tree)
    : network_(network), tree_(tree), plain_(std::in_place, network, tree) {}

void Propagation::widen() {
    plain_.reset();
    wide_.emplace(network_, tree_);
}

template <typename Collect>
double Propagation::collect_by(const Collect& collect) {
    if (plain_) {
        const RangeWatch range;
        const double log_probability = collect(*plain_);
        if (!range.left()) return log_probability;
        widen();
    }
    return collect(*wide_);
}

double Propagation::collect(const Evidence& evidence) {
    return collect_by(
        [&]<typename Kind>(Kind& messages) { return messages.collect(evidence, Kind::By::sum); });
}

double Propagation::collect_greatest(const Evidence& evidence) {
    return collect_by(
        [&]<typename Kind>(Kind& messages) { return messages.collect(evidence, Kind::By::greatest); });
}

void Propagation::distribute(const Evidence& evidence) {
    if (plain_) {
        const RangeWatch range;
        plain_->distribute();
        if (!range.left()) return;
        widen();
        collect(evidence);
    }
    wide_->distribute();
}

std::vector<double> Propagation::marginal(Var v) const {
    return plain_ ? plain_->marginal(v) : wide_->marginal(v);
}

std::vector<double> Propagation::joint(const std::vector<Var>& wanted) const {
    return plain_ ? plain_->joint(wanted) : wide_->joint(wanted);
}

void Propagation::decode(std::vector<int>& states) const {
    plain_ ? plain_->decode(states) : wide_->decode(states);
}

void Propagation::draw(const std::function<double()>& unit, std::vector<int>& states) const {
    plain_ ? plain_->draw(unit, states) : wide_->draw(unit, states);
}

}  // namespace dagscape
