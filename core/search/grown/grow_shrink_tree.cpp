#include "search/grown/grow_shrink_tree.hpp"

#include <algorithm>
#include <numeric>

namespace dagscape {

GrowShrinkTree::GrowShrinkTree(const Scorer& scorer, const Constraints& constraints, Var child,
                               std::atomic<std::size_t>& bytes)
    : scorer_(scorer), constraints_(constraints), child_(child), bytes_(bytes) {
    root_.grown_ = constraints.required[child].members();
    root_.grown_score_ = scorer.local(child, root_.grown_);
}

const GrowShrinkTree::Node* GrowShrinkTree::walk(const WideSet& before, ExtensionScores& extend,
                                                 Control& control) {
    Node* node = &root_;
    for (;;) {
        if (!node->done()) {
            if (control.stopped()) return node;
            grow(*node, extend);
        }
        // Where many would gain, mostly none of them is there: words tell that sooner than members.
        if (!before.intersects(node->gaining_set_.data())) break;
        std::size_t branch = 0;
        while (!before.contains(node->gaining_[branch])) ++branch;
        Node* next = node->next_[branch].load(std::memory_order_acquire);
        node = next ? next : follow(*node, branch);
    }
    if (!node->shrunk()) shrink(*node);
    return node;
}

void GrowShrinkTree::grow(Node& node, ExtensionScores& extend) {
    const std::lock_guard lock(making_);
    if (node.done()) return;
    std::vector<Var> tried;
    if (node.grown_.size() < constraints_.max_parents[child_])
        for (const Var v : constraints_.allowed[child_])
            if (!std::binary_search(node.grown_.begin(), node.grown_.end(), v)) tried.push_back(v);
    std::vector<double> scores(tried.size());
    if (!tried.empty()) extend(child_, node.grown_, tried, scores);

    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < tried.size(); ++i)
        if (scores[i] > node.grown_score_ + least_gain) best.push_back(i);
    std::stable_sort(best.begin(), best.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    for (auto from = best.begin(); from != best.end();) {
        const auto to = std::find_if(from, best.end(),
                                     [&](std::size_t i) { return scores[i] < scores[*from] - least_gain; });
        std::sort(from, to);
        from = to;
    }
    node.gaining_set_.resize((constraints_.allowed.size() + 63) / 64);
    node.gaining_.reserve(best.size());
    node.scores_.reserve(best.size());
    for (const std::size_t i : best) {
        node.gaining_.push_back(tried[i]);
        node.scores_.push_back(scores[i]);
        node.gaining_set_[tried[i] / 64] |= std::uint64_t{1} << (tried[i] % 64);
    }
    node.next_ = std::make_unique<std::atomic<Node*>[]>(best.size());
    const std::size_t taken = bytes_of(node);
    own_bytes_ += taken;
    bytes_.fetch_add(taken, std::memory_order_relaxed);
    grown_.fetch_add(1, std::memory_order_relaxed);
    node.grown_done_.store(true, std::memory_order_release);
}

/// The first of those that score most, up to rounding, is dropped; required parents never are.
void GrowShrinkTree::shrink(Node& node) {
    const std::lock_guard lock(making_);
    if (node.shrunk()) return;
    node.kept_ = node.grown_;
    node.kept_score_ = node.grown_score_;
    std::vector<Var> rest;
    for (bool gained = true; gained;) {
        gained = false;
        double most = node.kept_score_ + least_gain;
        std::size_t dropped = 0;
        for (std::size_t i = 0; i < node.kept_.size(); ++i) {
            if (constraints_.required[child_].contains(node.kept_[i])) continue;
            rest = node.kept_;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            const double score = scorer_.local(child_, rest);
            if (score <= most) continue;
            most = score + least_gain;
            dropped = i;
            gained = true;
        }
        if (!gained) break;
        node.kept_.erase(node.kept_.begin() + static_cast<std::ptrdiff_t>(dropped));
        node.kept_score_ = most - least_gain;
    }
    node.shrunk_done_.store(true, std::memory_order_release);
}

GrowShrinkTree::Node* GrowShrinkTree::follow(Node& node, std::size_t branch) {
    const std::lock_guard lock(making_);
    if (Node* made = node.next_[branch].load(std::memory_order_relaxed)) return made;
    Node& next = nodes_.emplace_back();
    const Var added = node.gaining_[branch];
    next.grown_ = node.grown_;
    next.grown_.insert(std::lower_bound(next.grown_.begin(), next.grown_.end(), added), added);
    next.grown_score_ = node.scores_[branch];
    next.above_ = &node;
    node.next_[branch].store(&next, std::memory_order_release);
    return &next;
}

void GrowShrinkTree::clear() {
    for (std::size_t i = 0; i < root_.gaining_.size(); ++i) root_.next_[i] = nullptr;
    nodes_.clear();
    const std::size_t left = root_.done() ? bytes_of(root_) : 0;
    bytes_.fetch_sub(own_bytes_ - left, std::memory_order_relaxed);
    own_bytes_ = left;
}

std::size_t GrowShrinkTree::bytes_of(const Node& node) const {
    constexpr std::size_t heap = 64;  // what it adds, about
    return sizeof(Node) + heap + node.gaining_.size() * (sizeof(Var) + sizeof(double) + sizeof(Node*)) +
           2 * node.grown_.size() * sizeof(Var) + (constraints_.allowed.size() + 63) / 64 * 8;
}

}  // namespace dagscape
