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

// A direct-mapped cache for words of at most 15 bytes: a word's hash names its only place.
class StemCache {
public:
    static constexpr std::size_t longest = ShortWord::longest;

    struct Entry {
        ShortWord word{};  // no word with bytes has a key of zeros
        char stem[longest];
        std::uint8_t n_stem = 0;
    };

    // Makes it as large as texts of so many bytes are worth.
    void open(std::size_t n_bytes) {
        if (entries_.empty()) entries_.resize(std::bit_ceil(std::clamp<std::size_t>(n_bytes / 16, smallest, largest)));
    }

    // The place of a word, which is another one's unless the entry has its key.
    Entry& place_of(ShortWord word) { return entries_[hash_of(word, key_) & (entries_.size() - 1)]; }
    static void keep(Entry& entry, ShortWord word, std::string_view stem) {
        entry.word = word;
        entry.n_stem = static_cast<std::uint8_t>(stem.size());
        std::memcpy(entry.stem, stem.data(), stem.size());
    }

private:
    static constexpr std::size_t smallest = 16, largest = 4096;

    std::vector<Entry> entries_;
    HashKey key_ = hash_key();
};

}  // namespace textgauge
