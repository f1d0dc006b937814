#include "search/equivalence/kes_runs.hpp"

#include <optional>

#include "parallel.hpp"

namespace dagscape {

std::vector<std::pair<std::uint64_t, ClassSearch>> kes_runs(const Scorer& scorer, const KesOptions& options,
                                                            std::uint64_t seed, std::uint64_t first,
                                                            std::size_t runs, std::size_t threads,
                                                            Control& control) {
    std::vector<std::optional<ClassSearch>> found(runs);
    parallel_for(runs, threads, control, [&](std::size_t task, std::size_t) {
        Random random(seed, first + task);
        ClassSearch run = kes(scorer, options, random, control);
        if (control.why() == Stop::none) found[task] = std::move(run);
        control.advance(1 / static_cast<double>(runs));
    });
    std::vector<std::pair<std::uint64_t, ClassSearch>> done;
    for (std::size_t i = 0; i < runs; ++i)
        if (found[i]) done.emplace_back(first + i, std::move(*found[i]));
    return done;
}

}  // namespace dagscape
