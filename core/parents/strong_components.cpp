#include "parents/strong_components.hpp"

#include <algorithm>
#include <utility>

namespace dagscape {

namespace {

constexpr std::size_t none = ~std::size_t{0};

/// Tarjan's algorithm on the graph from each variable to those in its sets, without recursion. A component
/// comes out after all that it has parents in, so earlier ones come first.
class StrongComponents {
  public:
    explicit StrongComponents(std::vector<std::vector<Var>> candidates) : candidates_(std::move(candidates)) {
        const std::size_t n = candidates_.size();
        found_.assign(n, none);
        lowest_.assign(n, none);
        open_.assign(n, false);
        for (std::size_t v = 0; v < n; ++v)
            if (found_[v] == none) visit(static_cast<Var>(v));
    }
    std::vector<std::vector<Var>> take() { return std::move(components_); }

  private:
    void visit(Var start) {
        std::vector<std::pair<Var, std::size_t>> path;  // with the next candidate to look at
        enter(start, path);
        while (!path.empty()) {
            auto& [v, next] = path.back();
            if (next < candidates_[v].size()) {
                const Var parent = candidates_[v][next++];
                if (found_[parent] == none) {
                    enter(parent, path);
                } else if (open_[parent]) {
                    lowest_[v] = std::min(lowest_[v], found_[parent]);
                }
            } else {
                const Var done = v;
                path.pop_back();
                if (!path.empty()) {
                    const Var below = path.back().first;
                    lowest_[below] = std::min(lowest_[below], lowest_[done]);
                }
                if (lowest_[done] == found_[done]) leave(done);
            }
        }
    }
    void enter(Var v, std::vector<std::pair<Var, std::size_t>>& path) {
        found_[v] = lowest_[v] = count_++;
        open_[v] = true;
        stack_.push_back(v);
        path.emplace_back(v, 0);
    }
    void leave(Var root) {
        std::vector<Var> component;
        Var v;
        do {
            v = stack_.back();
            stack_.pop_back();
            open_[v] = false;
            component.push_back(v);
        } while (v != root);
        std::sort(component.begin(), component.end());
        components_.push_back(std::move(component));
    }

    std::vector<std::vector<Var>> candidates_;
    std::vector<std::size_t> found_, lowest_;
    std::vector<bool> open_;
    std::vector<Var> stack_;
    std::size_t count_ = 0;
    std::vector<std::vector<Var>> components_;
};

}  // namespace

std::vector<std::vector<Var>> candidates_of(const ParentLists& parents) {
    std::vector<std::vector<Var>> found;
    for (const ParentList& list : parents.lists) {
        WideSet candidates(parents.variables());
        for (const Var parent : list.all_members()) candidates.insert(parent);
        found.push_back(candidates.members());
    }
    return found;
}

std::vector<std::vector<Var>> strong_components(std::vector<std::vector<Var>> candidates) {
    return StrongComponents(std::move(candidates)).take();
}

std::vector<std::vector<Var>> strong_components(const ParentLists& parents) {
    return strong_components(candidates_of(parents));
}

}  // namespace dagscape
