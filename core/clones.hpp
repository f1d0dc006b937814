#pragma once

#include <cstddef>  // says whether the C library is glibc, whose loader picks among clones

/// Marks a function to be compiled for newer machines too; which one runs is decided when the library is
/// loaded. Not under sanitizers, whose run time is not ready by then.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DAGSCAPE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DAGSCAPE_CLONES
#endif
