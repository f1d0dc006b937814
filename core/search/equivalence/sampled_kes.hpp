#pragma once

#include "search/equivalence/kes.hpp"

namespace dagscape {

/// The paper's own way where neighboring classes are too many to list (section 4.1; Castelo and Kočka, JMLR
/// 2003): reverses covered arcs of a network at random, which stays in its class, then adds or removes one
/// arc. Goes on from where `found` is.
///
/// Drawing may meet a class more than once: a share k of them takes k* = -ln(1 - k) times as many draws as
/// there are, about n(n - 1); for k = 1 it is `draws` times, 20 as published. It ends when `patience` times
/// as many draws in a row found nothing better.
void sampled_kes(const Scorer& scorer, const KesOptions& options, Random& random, Control& control,
                 ClassSearch& found);

}  // namespace dagscape
