#pragma once

#include <cmath>

namespace dagscape {

/// Scores that differ by no more than this are the same score, and a gain must be more: the one meaning of
/// "same" in all searches and claims. Natural logs; sums of a few hundred local scores are good to far less,
/// and no difference that anybody cares for is as small.
inline constexpr double same_score = 1e-7;

/// The same for scores of this size, of which doubles lose digits: hundreds of terms of 16 digits each.
inline double same_score_at(double size) { return same_score + 1e-13 * std::abs(size); }

}  // namespace dagscape
