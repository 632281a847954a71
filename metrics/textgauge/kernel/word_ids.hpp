// Words to numbers: a table with open addressing that no choice of words makes slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "platform.hpp"

namespace textgauge {

// Drawn once per process: it changes no result, but nobody can choose words that collide.
struct HashKey {
    std::uint64_t first, second;
};
const HashKey& hash_key();

// The first eight bytes of a word are half of what tells it from others: its length and, if it
// is longer, the bytes behind them are the other half.
inline std::uint64_t hash_word(std::string_view word, std::uint64_t first_bytes, const HashKey& key) {
    auto hash = folded_product(first_bytes ^ key.first, word.size() ^ key.second);
    for (std::size_t i = 8; i < word.size(); i += 8)
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

    // The id of a word, which gets the next one if it is new.
    std::uint32_t id_of(std::string_view word) {
        if (2 * (n_words_ + 1) > n_slots_) grow();
        const auto first_bytes = load_first(word.data(), word.size());
        auto& slot = slots_[place_of(word, first_bytes)];
        if (slot.epoch != epoch_) slot = {first_bytes, word, n_words_++, epoch_};
        return slot.id;
    }
    // The id of a word, or `none`.
    std::uint32_t find(std::string_view word) const {
        if (n_words_ == 0) return none;
        const auto& slot = slots_[place_of(word, load_first(word.data(), word.size()))];
        return slot.epoch == epoch_ ? slot.id : none;
    }

private:
    struct Slot {
        std::uint64_t first_bytes;
        std::string_view word;
        std::uint32_t id;
        std::uint32_t epoch;  // the slot is free unless this is the table's
    };
    static constexpr std::size_t smallest = 128;

    // The slot that holds a word, or the free one where it belongs. At most half of them are taken.
    std::size_t place_of(std::string_view word, std::uint64_t first_bytes) const {
        auto place = hash_word(word, first_bytes, key_) & (n_slots_ - 1);
        while (slots_[place].epoch == epoch_ && !is(slots_[place], word, first_bytes)) place = (place + 1) & (n_slots_ - 1);
        return place;
    }
    static bool is(const Slot& slot, std::string_view word, std::uint64_t first_bytes) {
        return slot.first_bytes == first_bytes && slot.word.size() == word.size() &&
               (word.size() <= 8 || slot.word.substr(8) == word.substr(8));
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

}  // namespace textgauge
