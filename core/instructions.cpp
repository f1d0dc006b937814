#include "instructions.hpp"

namespace dagscape {

bool available(Instructions instructions) {
#if defined(__x86_64__) && defined(__GNUC__)
    switch (instructions) {
        case Instructions::plain:
            return true;
        case Instructions::avx2:
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("popcnt");
        case Instructions::avx512:
            return available(Instructions::avx2) && __builtin_cpu_supports("avx512f") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vpopcntdq");
    }
    return false;
#else
    return instructions == Instructions::plain;
#endif
}

Instructions best_instructions() {
    if (available(Instructions::avx512)) return Instructions::avx512;
    return available(Instructions::avx2) ? Instructions::avx2 : Instructions::plain;
}

}  // namespace dagscape
