// Words to numbers: a table with open addressing that no choice of words makes slow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "platform.hpp"
#include "tokens.hpp"

namespace textgauge {

// Drawn once per process: it changes no result, but nobody can choose words that collide.
struct HashKey {
    std::uint64_t first, second;
};
const HashKey& hash_key();

inline std::uint64_t hash_of(ShortWord word, const HashKey& key) {
    return folded_product(word.low ^ key.first, word.high ^ key.second);
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
    // Takes the same word at another place in the place of the view of an id.
    void move(std::uint32_t id, std::string_view word) { words_[id] = word; }
    // Asks for the memory that says whether a word is there.
    void prefetch_place(std::string_view word) const {
        if (n_words_ > 0)
            prefetch(reinterpret_cast<const char*>(&slots_[hash_of(key_of(word), key_) & (n_slots_ - 1)]));
    }
    // The id of a word, or `none`.
    std::uint32_t find(std::string_view word) const {
        if (n_words_ == 0) return none;
        const auto& slot = slots_[place_of(word, key_of(word))];
        return slot.epoch == epoch_ ? slot.id : none;
    }

private:
    struct Slot {
        ShortWord key;
        std::uint32_t id;
        std::uint32_t epoch;  // the slot is free unless this is the table's
    };
    static constexpr std::size_t smallest = 256;
    // What keys of long words have in the place of `high`: a short word has at most fifteen in its last byte.
    static constexpr std::uint64_t is_long = ~std::uint64_t{0};

    // The key of a short word is all of it; of a long one, which `words_` has to confirm, a hash.
    ShortWord key_of(std::string_view word) const {
        return word.size() <= ShortWord::longest ? short_word(word.data(), word.size()) : key_of_long(word);
    }
    ShortWord key_of_long(std::string_view word) const;
    // The slot that holds a word, or the free one where it belongs. At most a quarter of them is taken.
    std::size_t place_of(std::string_view word, ShortWord key) const;
    bool is(const Slot& slot, std::string_view word, ShortWord key) const {
        return slot.key == key && (key.high != is_long || words_[slot.id] == word);
    }
    // The id of a word whose slot is at a place.
    std::uint32_t add_at(std::size_t place, std::string_view word, ShortWord key);
    void grow();
    void next_epoch();

    UnsetVector<Slot> slots_;
    std::vector<std::string_view> words_;  // by id; of short words a slot has all bytes, and this has anything
    std::vector<Slot> moved_;
    std::size_t n_slots_ = 0;  // in use: a power of two, at most slots_.size()
    std::uint32_t n_words_ = 0;
    std::uint32_t epoch_ = 1;
    HashKey key_;
};

// The same in an eighth of the memory, for many words that stay where they are; nothing is read behind them.
class CompactWordIds {
public:
    void clear() {
        slots_.clear();
        words_.clear();
    }
    std::size_t size() const { return words_.size(); }
    std::string_view operator[](std::uint32_t id) const { return words_[id]; }
    // The id of a word; a new one gets the next id.
    std::uint32_t add(std::string_view word);
    // The id of a word, or `WordIds::none`.
    std::uint32_t find(std::string_view word) const;

private:
    // The slot that holds a word, or the free one where it belongs. At most half of them are taken.
    std::size_t place_of(std::string_view word) const;

    std::vector<std::uint32_t> slots_;  // ids, or `WordIds::none`
    std::vector<std::string_view> words_;
    HashKey key_ = hash_key();
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
    static std::uint64_t first_bit(std::string_view word) {
        return std::uint64_t{1} << (static_cast<unsigned char>(word.front()) % 64);
    }

    WordIds words_;
    std::array<std::uint64_t, 16> firsts_{};  // by length
};

}  // namespace textgauge
