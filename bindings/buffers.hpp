#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Bytes and arrays, from Python without a copy and to it.

inline std::string_view view(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline nanobind::bytes bytes_of(const std::string& bytes) {
    return nanobind::bytes(bytes.data(), bytes.size());
}

template <typename T>
using InputArray = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::span<const T> span_of(const InputArray<T>& array) {
    return {array.data(), array.size()};
}

/// The values in the shape of an array of numpy's, which owns them.
template <typename T, typename... Sizes>
auto array_of(std::vector<T> values, Sizes... shape) {
    using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<sizeof...(Sizes)>>;
    auto* kept = new std::vector<T>(std::move(values));
    const nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array(kept->data(), {shape...}, owner);
}
template <typename T>
auto array_of(std::vector<T> values) {
    const std::size_t size = values.size();
    return array_of(std::move(values), size);
}
