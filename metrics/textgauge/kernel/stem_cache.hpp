// The stems of the words seen last.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "word_ids.hpp"

namespace textgauge {

// A direct-mapped cache for words of at most 16 bytes: a word's hash names its only place.
class StemCache {
public:
    static constexpr std::size_t longest = FirstBytes::size;

    struct Entry {
        FirstBytes word;
        char stem[longest];
        std::uint8_t n_word = 0, n_stem = 0;
    };

    // Makes it as large as texts of so many bytes are worth.
    void open(std::size_t n_bytes) {
        if (entries_.empty()) entries_.resize(std::bit_ceil(std::clamp<std::size_t>(n_bytes / 16, smallest, largest)));
    }

    // The place of a word, which `is` says to be taken by it or not. The word has 1 to 16 bytes.
    Entry& place_of(std::string_view word) {
        return entries_[hash_word(word, FirstBytes(word), key_) & (entries_.size() - 1)];
    }
    static bool is(const Entry& entry, std::string_view word) {
        return entry.n_word == word.size() && entry.word == FirstBytes(word);
    }
    // Names the word of a place; its stem is to follow.
    static void name(Entry& entry, std::string_view word) {
        entry.word = FirstBytes(word);
        entry.n_word = static_cast<std::uint8_t>(word.size());
    }
    static void keep(Entry& entry, std::string_view stem) {
        entry.n_stem = static_cast<std::uint8_t>(stem.size());
        std::memcpy(entry.stem, stem.data(), stem.size());
    }

private:
    static constexpr std::size_t smallest = 16, largest = 4096;

    std::vector<Entry> entries_;
    HashKey key_ = hash_key();
};

}  // namespace textgauge
