// Words to numbers: a table with open addressing that no choice of words makes slow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "platform.hpp"

namespace textgauge {

// Drawn once per process: it changes no result, but nobody can choose words that collide.
struct HashKey {
    std::uint64_t first, second;
};
const HashKey& hash_key();

// The first sixteen bytes of a word, with zeros behind a shorter one: with its length they are all
// of most words. Sixteen bytes are read whatever the length.
struct FirstBytes {
    std::uint64_t low, high;

    static constexpr std::size_t size = 16;

    FirstBytes() = default;
    explicit FirstBytes(std::string_view word)
        : low(load_first(word.data(), word.size())),
          high(load_first(word.data() + 8, word.size() < 8 ? 0 : word.size() - 8)) {}
    bool operator==(const FirstBytes&) const = default;
};

// Words that differ in zeros at their ends only may have the same hash; no others but by chance.
inline std::uint64_t hash_word(std::string_view word, FirstBytes first, const HashKey& key) {
    auto hash = folded_product(first.low ^ key.first, first.high ^ key.second);
    for (auto i = FirstBytes::size; i < word.size(); i += 8)
        hash = folded_product(hash ^ key.first, load_first(word.data() + i, word.size() - i) ^ key.second);
    return hash;
}

// Words with dense ids 0, 1, 2, ... in order of first appearance.
//
// Words are views, which must stay valid while they are in the table and be followed by
// `padding` bytes that can be read. Equal hashes are no proof: bytes are always compared.
class WordIds {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    WordIds() : key_(hash_key()) {}

    // Takes all words out; memory is kept, and the table's size follows what it held last.
    void clear();
    std::size_t size() const { return n_words_; }

    // Writes the id of every word; a new one gets the next id. `ids` has as many places as there are words.
    void add(std::span<const std::string_view> words, std::uint32_t* ids);
    std::uint32_t id_of(std::string_view word) {
        std::uint32_t id;
        add({&word, 1}, &id);
        return id;
    }
    // The id of a word, or `none`.
    std::uint32_t find(std::string_view word) const {
        if (n_words_ == 0) return none;
        const auto& slot = slots_[place_of(word, FirstBytes(word))];
        return slot.epoch == epoch_ ? slot.id : none;
    }

private:
    struct Slot {
        std::uint64_t low, high;
        const char* bytes;
        std::size_t n_bytes;
        std::uint32_t id;
        std::uint32_t epoch;  // the slot is free unless this is the table's
    };
    static constexpr std::size_t smallest = 128;

    // The slot that holds a word, or the free one where it belongs. At most half of them are taken.
    std::size_t place_of(std::string_view word, FirstBytes first) const {
        auto place = hash_word(word, first, key_) & (n_slots_ - 1);
        while (slots_[place].epoch == epoch_ && !is(slots_[place], word, first)) place = (place + 1) & (n_slots_ - 1);
        return place;
    }
    static bool is(const Slot& slot, std::string_view word, FirstBytes first) {
        return slot.low == first.low && slot.high == first.high && slot.n_bytes == word.size() &&
               (word.size() <= FirstBytes::size ||
                std::string_view(slot.bytes, slot.n_bytes).substr(FirstBytes::size) == word.substr(FirstBytes::size));
    }
    void grow();
    void next_epoch();

    std::vector<Slot> slots_;
    std::vector<Slot> moved_;
    std::size_t n_slots_ = 0;  // in use: a power of two, at most slots_.size()
    std::uint32_t n_words_ = 0;
    std::uint32_t epoch_ = 1;
    HashKey key_;
};

// A set of words, each followed by `padding` bytes that can be read, for texts of which most words
// are not in it.
class WordSet {
public:
    void add(std::string_view word) {
        words_.id_of(word);
        if (word.empty()) return;
        firsts_[word.size() % firsts_.size()] |= first_bit(word);
    }
    std::size_t size() const { return words_.size(); }
    // To most words the first byte and the length already say no. Empty words are never in it.
    bool has(std::string_view word) const {
        if (word.empty() || !(firsts_[word.size() % firsts_.size()] & first_bit(word))) return false;
        return words_.find(word) != WordIds::none;
    }

private:
    static std::uint64_t first_bit(std::string_view word) { return std::uint64_t{1} << (static_cast<unsigned char>(word.front()) % 64); }

    WordIds words_;
    std::array<std::uint64_t, 16> firsts_{};  // by length
};

}  // namespace textgauge
