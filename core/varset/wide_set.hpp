#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "varset/var.hpp"

namespace dagscape {

/// A set of variables out of any number of them: a row of bits, many words wide.
///
/// Two sets can be combined when they were made for the same number of variables.
class WideSet {
  public:
    WideSet() = default;
    explicit WideSet(std::size_t variables) : words_((variables + 63) / 64) {}

    void insert(Var v) { words_[v / 64] |= bit(v); }
    void erase(Var v) { words_[v / 64] &= ~bit(v); }
    void clear() { words_.assign(words_.size(), 0); }
    bool contains(Var v) const { return (words_[v / 64] & bit(v)) != 0; }

    bool empty() const {
        for (const std::uint64_t word : words_)
            if (word != 0) return false;
        return true;
    }
    std::size_t size() const {
        std::size_t members = 0;
        for (const std::uint64_t word : words_) members += static_cast<std::size_t>(std::popcount(word));
        return members;
    }

    WideSet& operator|=(const WideSet& other) {
        assert(words_.size() == other.words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
        return *this;
    }
    WideSet& operator&=(const WideSet& other) {
        assert(words_.size() == other.words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
        return *this;
    }
    WideSet& operator-=(const WideSet& other) {
        assert(words_.size() == other.words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
        return *this;
    }
    friend WideSet operator|(WideSet a, const WideSet& b) { return a |= b; }
    friend WideSet operator&(WideSet a, const WideSet& b) { return a &= b; }
    friend WideSet operator-(WideSet a, const WideSet& b) { return a -= b; }
    friend bool operator==(const WideSet&, const WideSet&) = default;

    bool subset_of(const WideSet& other) const {
        assert(words_.size() == other.words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & ~other.words_[i]) != 0) return false;
        return true;
    }
    bool intersects(const WideSet& other) const {
        assert(words_.size() == other.words_.size());
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & other.words_[i]) != 0) return true;
        return false;
    }

    /// Likewise with a set that is a row of bits of as many words.
    bool intersects(const std::uint64_t* other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & other[i]) != 0) return true;
        return false;
    }

    /// Members in ascending order. The set must not change while it is walked.
    class Iterator {
      public:
        using value_type = Var;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;
        using reference = Var;
        using pointer = void;

        Iterator(const std::vector<std::uint64_t>& words, std::size_t index) : words_(&words), index_(index) {
            if (index_ < words.size()) rest_ = words[index_];
            skip_empty_words();
        }
        Var operator*() const { return static_cast<Var>(index_ * 64 + std::countr_zero(rest_)); }
        Iterator& operator++() {
            rest_ &= rest_ - 1;
            skip_empty_words();
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const {
            return index_ == other.index_ && rest_ == other.rest_;
        }

      private:
        void skip_empty_words() {
            while (rest_ == 0 && index_ < words_->size())
                if (++index_ < words_->size()) rest_ = (*words_)[index_];
        }
        const std::vector<std::uint64_t>* words_;
        std::size_t index_;
        std::uint64_t rest_ = 0;
    };
    Iterator begin() const { return {words_, 0}; }
    Iterator end() const { return {words_, words_.size()}; }

    std::vector<Var> members() const {
        std::vector<Var> result;
        result.reserve(size());
        for (const Var v : *this) result.push_back(v);
        return result;
    }

  private:
    static std::uint64_t bit(Var v) { return std::uint64_t{1} << (v % 64); }
    std::vector<std::uint64_t> words_;
};

}  // namespace dagscape
