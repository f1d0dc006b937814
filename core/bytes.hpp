#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace dagscape {

/// How numbers become bytes that another machine can read: the lowest byte first, whatever this one does.

template <typename T>
void swap_bytes_where_big_endian(char* bytes, std::size_t count) {
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t i = 0; i < count; ++i)
            std::reverse(bytes + i * sizeof(T), bytes + (i + 1) * sizeof(T));
}

/// Writes to memory that is large enough.
class ByteWriter {
  public:
    explicit ByteWriter(char* to) : to_(to) {}
    const char* end() const { return to_; }

    template <typename T>
    void number(T value) {
        numbers(&value, 1);
    }
    template <typename T>
    void numbers(const T* values, std::size_t count) {
        if (count == 0) return;
        std::memcpy(to_, values, count * sizeof(T));
        swap_bytes_where_big_endian<T>(to_, count);
        to_ += count * sizeof(T);
    }

  private:
    char* to_;
};

/// Reads what was written, and never past the end: it throws there, with the name of what it reads.
class ByteReader {
  public:
    /// The name is of several: "packed sets".
    ByteReader(std::string_view bytes, std::string name) : left_(bytes), name_(std::move(name)) {}
    bool done() const { return left_.empty(); }
    /// Goes past a mark if that is what comes next.
    bool passed(std::string_view mark) {
        if (!left_.starts_with(mark)) return false;
        left_.remove_prefix(mark.size());
        return true;
    }

    template <typename T>
    T number() {
        return numbers<T>(1)[0];
    }
    template <typename T>
    std::vector<T> numbers(std::uint64_t count) {
        if (count > left_.size() / sizeof(T)) refuse("end too early");
        std::vector<T> values(count);
        if (count == 0) return values;
        std::memcpy(values.data(), left_.data(), count * sizeof(T));
        swap_bytes_where_big_endian<T>(reinterpret_cast<char*>(values.data()), count);
        left_.remove_prefix(count * sizeof(T));
        return values;
    }
    [[noreturn]] void refuse(const std::string& rule) const {
        throw Error(ErrorKind::file, name_ + " " + rule);
    }

  private:
    std::string_view left_;
    std::string name_;
};

}  // namespace dagscape
