#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

#include "control.hpp"

namespace dagscape {

/// Memory that `control` knows of as long as this lives.
class Charge {
  public:
    Charge(std::size_t bytes, Control& control) : control_(control), bytes_(bytes) {
        control_.charge(bytes_);
    }
    ~Charge() { control_.release(bytes_); }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

  private:
    Control& control_;
    std::size_t bytes_;
};

/// Zeros in memory that `control` knows of before it is taken. Where the limit or the machine does not
/// allow it, the computation is stopped and the array is empty: nothing is thrown.
template <typename T>
class ChargedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    ChargedArray() = default;
    ChargedArray(std::size_t size, Control& control) : control_(&control) {
        const std::size_t bytes = size * sizeof(T);
        control.charge(bytes);
        if (control.why() != Stop::memory) items_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
        if (items_) {
            size_ = size;
        } else {
            control.release(bytes);
            control.stop(Stop::memory);
        }
    }
    ChargedArray(ChargedArray&& other) noexcept { swap(other); }
    ChargedArray& operator=(ChargedArray&& other) noexcept {
        ChargedArray(std::move(other)).swap(*this);
        return *this;
    }
    ~ChargedArray() {
        if (control_ != nullptr && items_) control_->release(bytes());
    }

    explicit operator bool() const { return items_ != nullptr; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    T& operator[](std::size_t at) { return items_.get()[at]; }
    const T& operator[](std::size_t at) const { return items_.get()[at]; }
    T* data() { return items_.get(); }
    const T* data() const { return items_.get(); }
    T* begin() { return items_.get(); }
    T* end() { return items_.get() + size_; }
    const T* begin() const { return items_.get(); }
    const T* end() const { return items_.get() + size_; }

  private:
    struct Free {
        void operator()(T* items) const { std::free(items); }
    };
    void swap(ChargedArray& other) noexcept {
        std::swap(control_, other.control_);
        std::swap(size_, other.size_);
        items_.swap(other.items_);
    }

    Control* control_ = nullptr;
    std::size_t size_ = 0;
    std::unique_ptr<T, Free> items_;
};

}  // namespace dagscape
