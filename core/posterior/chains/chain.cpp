#include "posterior/chains/chain.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "posterior/chains/group_move.hpp"
#include "posterior/chains/jump_move.hpp"
#include "posterior/chains/spread_networks.hpp"
#include "random.hpp"

namespace dagscape {

namespace {

/// Adds up what a chain sees.
///
/// A move that has u or v in its group tells of both arcs between them: of the parents that were drawn anew
/// by their shares, of others by whether they are there. So the two never exceed one together, and a pair
/// that is always joined, one way or the other, is told so without noise.
class Record {
  public:
    Record(const WeightedLists& lists, const ChainOptions& options)
        : lists_(&lists),
          options_(&options),
          shares_(lists.variables()),
          moves_(lists.variables() * lists.variables()),
          held_(moves_.size()),
          spread_(options.kept) {
        found_.ancestors.resize(moves_.size());
    }

    std::uint64_t rounds() const { return found_.rounds; }

    void add(const GroupMove& move, std::span<const Var> group, const NetworkState& state) {
        const std::size_t n = lists_->variables();
        for (const Var v : group) {
            for (const Var u : group) ++moves_[u * n + v];
            state.for_each_child(v, [&](Var child) {
                if (std::ranges::find(group, child) == group.end()) ++held_[v * n + child];
            });
        }
        move.for_each_share([&](Var v, std::uint32_t place, double share) {
            if (place >= shares_[v].size()) shares_[v].resize(std::max<std::size_t>(64, 2 * place + 2));
            shares_[v][place] += share;
        });
    }
    void add(const NetworkState& state) {
        const std::size_t n = lists_->variables();
        BitRows rows(2, n);  // nothing is cut; what is below
        for (std::size_t u = 0; u < n; ++u) {
            state.below(static_cast<Var>(u), rows[0], rows[1]);
            rows.for_each(1, [&](Var v) { found_.ancestors[u * n + v] += 1; });
            found_.ancestors[u * n + u] = 0;
        }
        // After round r of R, r k / R of the k networks are there.
        const std::uint64_t rest = options_->rounds - std::min(options_->forgotten, options_->rounds);
        ++found_.rounds;
        while (found_.log_weights.size() * rest < found_.rounds * std::min(options_->kept, rest)) {
            found_.kept.insert(found_.kept.end(), state.places().begin(), state.places().end());
            found_.log_weights.push_back(state.log_weight());
        }
        spread_.add(state);
    }
    /// Adds what was seen after this.
    void append(const Record& later) {
        for (std::size_t v = 0; v < shares_.size(); ++v) {
            shares_[v].resize(std::max(shares_[v].size(), later.shares_[v].size()));
            add_to(shares_[v], later.shares_[v]);
        }
        add_to(moves_, later.moves_);
        add_to(held_, later.held_);
        add_to(found_.ancestors, later.found_.ancestors);
        found_.rounds += later.found_.rounds;
        spread_.append(later.spread_);
    }
    /// Networks are no longer those of a chain that goes on to its end, but such as are there.
    void end_early() {
        spread_.finish();
        found_.kept = std::move(spread_.places());
        found_.log_weights = std::move(spread_.log_weights());
    }
    /// How probable arcs are, as far as was seen.
    std::vector<double> arcs() const {
        const std::size_t n = lists_->variables();
        std::vector<double> found(n * n);
        for (std::size_t v = 0; v < n; ++v)
            for (std::size_t place = 0; place < shares_[v].size(); ++place)
                if (const double share = shares_[v][place]; share > 0)
                    for (const Var u : (*lists_)[static_cast<Var>(v)].parents(place))
                        found[u * n + v] += share;
        for (std::size_t u = 0; u < n; ++u)
            for (std::size_t v = 0; v < n; ++v) {
                const std::uint64_t either = moves_[u * n + u] + moves_[v * n + v] - moves_[u * n + v];
                double& arc = found[u * n + v];
                arc += static_cast<double>(held_[u * n + v]);
                arc = u == v ? 0 : std::min(1.0, arc / std::max<double>(1, static_cast<double>(either)));
            }
        return found;
    }
    ChainFound take() {
        found_.arcs = arcs();
        for (double& share : found_.ancestors)
            share /= std::max<double>(1, static_cast<double>(found_.rounds));
        return std::move(found_);
    }

  private:
    template <typename Number>
    static void add_to(std::vector<Number>& sums, const std::vector<Number>& more) {
        for (std::size_t at = 0; at < more.size(); ++at) sums[at] += more[at];
    }

    const WeightedLists* lists_;
    const ChainOptions* options_;
    std::vector<std::vector<double>> shares_;  // by variable, then place
    std::vector<std::uint64_t> moves_;         // by pair, with both in the group
    std::vector<std::uint64_t> held_;          // by arc, with its first end alone in the group
    SpreadNetworks spread_;
    ChainFound found_;
};

std::size_t draw_size(const ChainOptions& options, Random& random) {
    double total = 0;
    for (const double share : options.sizes) total += share;
    double left = random.unit() * total;
    std::size_t size = 1;
    while (size < options.sizes.size() && (left -= options.sizes[size - 1]) >= 0) ++size;
    return size;
}

/// Tries any of the jumps, either way.
void draw_jump(std::span<const Jump> jumps, JumpMove& move, NetworkState& state, Random& random) {
    const Jump& jump = jumps[random.below(jumps.size())];
    if (random.below(2) == 0)
        move(jump.one, jump.other, state, random);
    else
        move(jump.other, jump.one, state, random);
}

}  // namespace

ChainFound run_chain(const WeightedLists& lists, const GroupChoice& choice, std::span<const Jump> jumps,
                     const std::vector<std::uint32_t>& start, const ChainOptions& options, std::uint64_t seed,
                     std::uint64_t stream, Control& control) {
    Random random(seed, stream);
    NetworkState state(lists, start);
    GroupMove move(lists);
    JumpMove jump_move(lists);
    Record before(lists, options), record(lists, options);
    GroupChoice groups = choice;
    std::vector<Var> group;
    const std::uint64_t jumps_each =
        jumps.empty() ? 0 : (lists.variables() + options.jump_variables - 1) / options.jump_variables;
    const double start_log_weight = state.log_weight();
    double best = start_log_weight;
    std::uint64_t moves = 0, round = 0;
    const double begun = control.seconds();
    for (; round < options.rounds && !control.stopped(); ++round) {
        if (control.seconds() - begun > options.seconds) break;
        if (round == options.forgotten || (round < options.forgotten && std::has_single_bit(round))) {
            before = std::exchange(record, Record(lists, options));
            // Groups go by what was seen on the way, and never again after that.
            if (before.rounds() > 0) groups = choice.seen(before.arcs());
        }
        for (std::uint64_t i = 0; i < jumps_each; ++i) draw_jump(jumps, jump_move, state, random);
        for (std::size_t done = 0; done < lists.variables(); done += group.size(), ++moves) {
            groups.draw(draw_size(options, random), group, random);
            move(group, state, random);
            record.add(move, group, state);
        }
        best = std::max(best, state.log_weight());
        record.add(state);
        control.advance(1 / static_cast<double>(options.rounds));
    }
    const bool whole = round == options.rounds;
    if (!whole) {
        const bool past = round > options.forgotten && record.rounds() >= before.rounds();
        if (!past) {
            before.append(record);
            record = std::move(before);
        }
        record.end_early();
    }
    ChainFound found = record.take();
    found.whole = whole;
    found.start_log_weight = start_log_weight;
    found.best_log_weight = best;
    found.moves = moves;
    found.redrawn = move.redrawn();
    found.listed = move.listed();
    found.jumps_tried = jump_move.tried();
    found.jumps_taken = jump_move.taken();
    return found;
}

}  // namespace dagscape
