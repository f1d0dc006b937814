#pragma once

namespace dagscape {

/// Which instructions bit counting may use. Every choice gives the same numbers.
enum class Instructions { plain, avx2, avx512 };

/// Whether this machine has them.
bool available(Instructions instructions);
Instructions best_instructions();

}  // namespace dagscape
