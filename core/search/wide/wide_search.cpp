#include "search/wide/wide_search.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

#include "parallel.hpp"
#include "search/wide/screening.hpp"

namespace dagscape {

namespace {

/// What families that are kept may take at most, if there is as much.
constexpr std::size_t most_memo_bytes = std::size_t{1} << 30;

/// Of the variables that gain as a child's parent without being candidates, how many become some at a look.
constexpr std::size_t most_let_in = 3;

/// Of the time, at most: with candidates of some pairs a climb finds more than screening of all without one.
constexpr double most_time_for_screening = 0.4;

/// Of the work, about.
constexpr double share_of_screening = 0.1, share_of_first_look = 0.5;

/// Parts of about the same size, each of variables that lie together: the network is cut up along its arcs
/// from random places on.
std::vector<std::vector<Var>> parts_of(const ManyGains& families, std::size_t size, Random& random) {
    const std::size_t n = families.size();
    std::vector<std::vector<Var>> neighbors(n);
    for (std::size_t v = 0; v < n; ++v)
        for (const Var parent : families[v]->parents) {
            neighbors[v].push_back(parent);
            neighbors[parent].push_back(static_cast<Var>(v));
        }
    std::vector<Var> order(n);
    for (std::size_t v = 0; v < n; ++v) order[v] = static_cast<Var>(v);
    random.shuffle(order);
    std::vector<bool> taken(n);
    std::vector<std::vector<Var>> parts;
    for (const Var start : order) {
        if (taken[start]) continue;
        if (parts.empty() || parts.back().size() >= size) parts.emplace_back();
        std::vector<Var>& part = parts.back();
        taken[start] = true;
        part.push_back(start);
        for (std::size_t at = part.size() - 1; at < part.size() && part.size() < size; ++at)
            for (const Var next : neighbors[part[at]])
                if (!taken[next]) {
                    taken[next] = true;
                    part.push_back(next);
                }
    }
    return parts;
}

class Wide {
  public:
    Wide(const Scorer& scorer, const Constraints& constraints, const WideSearchOptions& options,
         Control& control)
        : scorer_(scorer),
          constraints_(constraints),
          candidates_(constraints),
          options_(options),
          control_(control) {}

    WideSearch run(const std::vector<Arc>& start) {
        parents_.resize(scorer_.variables());
        for (const auto& [from, to] : start) parents_[to].push_back(from);
        for (std::vector<Var>& set : parents_) std::sort(set.begin(), set.end());
        control_.charge(bytes());
        if (!control_.stopped()) {
            screen();
            begin();
            climb();
            search();
            end();
        }
        for (std::size_t v = 0; v < parents_.size(); ++v) {
            result_.score += scorer_.local(static_cast<Var>(v), parents_[v]);
            for (const Var parent : parents_[v]) result_.arcs.emplace_back(parent, static_cast<Var>(v));
            result_.kept.push_back(problem_ ? problem_->candidates(static_cast<Var>(v)) : parents_[v]);
        }
        return result_;
    }

  private:
    void search() {
        for (std::uint64_t look = 0; look < options_.looks; ++look) {
            const std::vector<Var> children = changed_children();
            control_.stage(look == 0 ? share_of_first_look : 0);
            let_in(children);
            const std::vector<UnseenPair> pairs = find_pairs(children);
            if (control_.stopped()) return;
            again();
            try_pairs(pairs);
            do_rounds(options_.rounds * (look + 1) / options_.looks);
        }
        control_.stage(0);
        let_in(changed_children());
        if (result_.unseen > 0 && !control_.stopped()) again();
        while (climb() && !control_.stopped()) {
        }  // an arc that goes may let others in
    }
    /// What is held beside the constraints, about; what is remembered of families comes to it, as far as
    /// there is room.
    std::size_t bytes() const {
        const std::size_t n = scorer_.variables();
        return scorer_.function().extender_bytes() + 3 * n * n / 8 +
               n * (options_.candidates + 10) * 4 * sizeof(double);
    }

    struct Tools {
        Tools(const GreedyProblem& problem, FamilyGainsMemo& memo, const ManyGains& families,
              const ShakeOptions& shakes)
            : maker(problem, memo), search(problem, maker, families, shakes) {}
        FamilyGainsMaker maker;
        PartSearch search;
    };

    void screen() {
        control_.stage(share_of_screening);
        const double before = control_.seconds();
        const double until = before + most_time_for_screening * control_.seconds_left();
        const Screened kept =
            screened(scorer_, constraints_, options_.candidates, options_.threads, control_, until);
        for (std::size_t v = 0; v < kept.candidates.size(); ++v) {
            candidates_.keep(static_cast<Var>(v), kept.candidates[v]);
            for (const Var parent : parents_[v]) candidates_.allowed[v].insert(parent);
        }
        look_seconds_ = (control_.seconds() - before) / std::max(kept.share, 0.01);
    }

    /// Makes what depends on the candidates.
    void begin() {
        tools_.clear();
        problem_.emplace(scorer_, candidates_);
        result_.candidates = 0;
        for (std::size_t v = 0; v < parents_.size(); ++v)
            result_.candidates += problem_->candidates(static_cast<Var>(v)).size();
        const std::size_t spare = std::min(control_.max_bytes() / 2, most_memo_bytes);
        memo_.emplace(spare / FamilyGains::bytes_for(candidates_));
        families_.resize(parents_.size());
        ShakeOptions shakes = options_.shakes;
        const SetFunction& function = scorer_.function();
        shakes.wander = shakes.wander && (function.equivalent() || function.kinds() > 1);
        for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.threads); ++i)
            tools_.push_back(std::make_unique<Tools>(*problem_, *memo_, families_, shakes));
        for (std::size_t v = 0; v < parents_.size(); ++v)
            families_[v] = tools_.front()->maker(static_cast<Var>(v), parents_[v]);
    }
    void end() {
        for (std::size_t v = 0; v < parents_.size(); ++v) parents_[v] = families_[v]->parents;
        for (const auto& tools : tools_) {
            result_.shakes += tools->search.work().shakes;
            result_.improved += tools->search.work().improved;
            result_.steps += tools->search.work().steps;
        }
    }

    std::vector<Var> everyone() const {
        std::vector<Var> all(parents_.size());
        for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<Var>(v);
        return all;
    }
    /// What became of a part that is the whole network.
    void take_over(const SparseNetwork& network) {
        ManyGains found(families_.size());
        for (std::size_t v = 0; v < found.size(); ++v) found[v] = network.family(static_cast<Var>(v));
        families_ = std::move(found);
    }

    /// Takes the move that gains most, again and again, until none gains. Tells whether one did.
    bool climb() {
        const std::uint64_t before = result_.steps;
        const std::vector<Var> all = everyone();
        SparseNetwork network(*problem_, tools_.front()->maker, families_);
        network.begin(all);
        using Promise = std::pair<double, Var>;
        const auto less = [](const Promise& a, const Promise& b) {
            return a.first < b.first || (a.first == b.first && a.second > b.second);
        };
        std::priority_queue<Promise, std::vector<Promise>, decltype(less)> queue(less);
        const auto look = [&](Var v) {
            if (const auto move = network.best_move(v, 0)) queue.emplace(move->gain, v);
        };
        for (const Var v : all) look(v);
        while (!queue.empty() && !control_.stopped()) {
            const auto [promised, v] = queue.top();
            queue.pop();
            const auto move = network.best_move(v, 0);
            if (!move) continue;
            if (move->gain < promised) {
                queue.emplace(move->gain, v);
                continue;
            }
            network.take(*move);
            network.mark();
            ++result_.steps;
            look(move->to);
            for (const Var child : network.children(move->to)) look(child);
            if (move->kind == ArcMove::Kind::reverse) {
                look(move->from);
                for (const Var child : network.children(move->from)) look(child);
            }
        }
        take_over(network);
        return result_.steps > before;
    }

    /// Goes on with more candidates.
    void again() {
        end();
        begin();
        climb();
    }

    /// Those that have other parents than when they were looked at last.
    std::vector<Var> changed_children() {
        looked_at_.resize(families_.size());
        std::vector<Var> changed;
        for (std::size_t v = 0; v < families_.size(); ++v) {
            parents_[v] = families_[v]->parents;
            if (!looked_at_[v] || *looked_at_[v] != parents_[v]) changed.push_back(static_cast<Var>(v));
        }
        return changed;
    }

    std::vector<UnseenPair> find_pairs(const std::vector<Var>& children) {
        std::vector<std::vector<Var>> firsts(parents_.size());
        for (const Var v : children) {
            const std::vector<Var>& candidates = problem_->candidates(v);
            for (const std::uint32_t place : families_[v]->most_gaining)
                if (firsts[v].size() < options_.firsts) firsts[v].push_back(candidates[place]);
        }
        auto pairs = unseen_pairs(scorer_, constraints_, firsts, parents_, children, problem_->step() / 2,
                                  options_.threads, control_);
        std::stable_sort(pairs.begin(), pairs.end(),
                         [](const UnseenPair& a, const UnseenPair& b) { return a.gain > b.gain; });
        result_.pairs += pairs.size();
        for (const UnseenPair& one : pairs) admit(one.child, one.second);
        return pairs;
    }
    void admit(Var child, Var parent) {
        candidates_.allowed[child].insert(parent);
        if (constraints_.allowed[parent].contains(child)) candidates_.allowed[parent].insert(child);
    }
    void try_pairs(const std::vector<UnseenPair>& pairs) {
        const std::vector<Var> all = everyone();
        PartSearch& search = tools_.front()->search;
        search.begin(all);
        Random random(options_.seed, ~std::uint64_t{0});
        for (const UnseenPair& one : pairs)
            if (!control_.stopped() && search.try_pair(one.child, one.first, one.second, random))
                ++result_.pairs_taken;
        take_over(search.network());
    }

    void do_rounds(std::uint64_t last) {
        control_.stage(1 - share_of_screening - share_of_first_look);
        while (result_.rounds < last && control_.seconds_left() > 1.5 * look_seconds_ &&
               !control_.stopped()) {
            round();
            ++result_.rounds;
            control_.advance(1 / static_cast<double>(options_.rounds));
        }
    }

    void round() {
        Random random(options_.seed, result_.rounds);
        const auto parts = parts_of(families_, options_.part, random);
        std::vector<ManyGains> found(parts.size());
        const std::uint64_t stream = (result_.rounds + 1) << 20;
        parallel_for(parts.size(), tools_.size(), control_, [&](std::size_t task, std::size_t worker) {
            Random own(options_.seed, stream + task);
            PartSearch& search = tools_[worker]->search;
            search.run(parts[task], options_.times, own, control_);
            for (const Var v : parts[task]) found[task].push_back(search.network().family(v));
        });
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (!found[i].empty() && !join(parts[i], found[i])) ++result_.refused;
    }

    /// Takes the families of a part, unless they close a cycle.
    bool join(const std::vector<Var>& part, ManyGains& found) {
        for (std::size_t i = 0; i < part.size(); ++i) std::swap(families_[part[i]], found[i]);
        if (acyclic(part)) return true;
        for (std::size_t i = 0; i < part.size(); ++i) std::swap(families_[part[i]], found[i]);
        return false;
    }

    /// Whether no cycle goes through any of these: depth first, from child to parent.
    bool acyclic(const std::vector<Var>& part) {
        enum : char { fresh, open, done };
        std::vector<char> state(families_.size(), fresh);
        std::vector<std::pair<Var, std::size_t>> way;
        for (const Var start : part) {
            if (state[start] != fresh) continue;
            state[start] = open;
            way.assign(1, {start, 0});
            while (!way.empty()) {
                auto& [v, next] = way.back();
                const std::vector<Var>& parents = families_[v]->parents;
                if (next == parents.size()) {
                    state[v] = done;
                    way.pop_back();
                    continue;
                }
                const Var parent = parents[next++];
                if (state[parent] == open) return false;
                if (state[parent] == done) continue;
                state[parent] = open;
                way.emplace_back(parent, 0);
            }
        }
        return true;
    }

    /// Looks at all pairs, and makes candidates of those that would gain.
    void let_in(const std::vector<Var>& children) {
        result_.checked = false;
        const auto gains = unseen_gains(scorer_, constraints_, candidates_, parents_, children,
                                        problem_->step() / 2, most_let_in, options_.threads, control_);
        if (control_.stopped()) return;
        result_.checked = true;
        for (const Var v : children) looked_at_[v] = parents_[v];
        result_.unseen = gains.size();
        result_.let_in += gains.size();
        result_.most_unseen = 0;
        for (const UnseenGain& one : gains) {
            result_.most_unseen = std::max(result_.most_unseen, one.gain);
            admit(one.child, one.parent);
        }
    }

    const Scorer& scorer_;
    const Constraints& constraints_;
    Constraints candidates_;
    const WideSearchOptions& options_;
    Control& control_;
    double look_seconds_ = 0;
    std::vector<std::vector<Var>> parents_;
    std::vector<std::optional<std::vector<Var>>> looked_at_;  // by child: its parents then
    std::optional<GreedyProblem> problem_;
    std::optional<FamilyGainsMemo> memo_;
    ManyGains families_;
    std::vector<std::unique_ptr<Tools>> tools_;
    WideSearch result_;
};

}  // namespace

WideSearch wide_search(const Scorer& scorer, const Constraints& constraints, const std::vector<Arc>& start,
                       const WideSearchOptions& options, Control& control) {
    return Wide(scorer, constraints, options, control).run(start);
}

}  // namespace dagscape
