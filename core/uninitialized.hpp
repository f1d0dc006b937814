#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace dagscape {

/// Leaves numbers as they are in memory instead of clearing them first. For arrays of gigabytes, of which
/// every element is written before it is read: clearing them would take seconds in which nothing looks at
/// Ctrl-C.
template <typename T>
struct Uninitialized : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = Uninitialized<U>;
    };
    template <typename U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        std::construct_at(at, std::forward<Arguments>(arguments)...);
    }
};

template <typename T>
using UninitializedVector = std::vector<T, Uninitialized<T>>;

}  // namespace dagscape
