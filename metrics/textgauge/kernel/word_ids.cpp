#include "word_ids.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace textgauge {

const HashKey& hash_key() {
    static const HashKey key = [] {
        std::random_device random;
        const auto draw = [&random] { return std::uint64_t{random()} << 32 | random(); };
        return HashKey{draw(), draw()};
    }();
    return key;
}

void WordIds::clear() {
    if (n_slots_ > smallest) n_slots_ = std::clamp(std::bit_ceil(std::size_t{4} * n_words_), smallest, n_slots_);
    n_words_ = 0;
    next_epoch();
}

void WordIds::add(std::span<const std::string_view> words, std::uint32_t* ids) {
    auto n_words = n_words_;
    auto epoch = epoch_;
    const auto key = key_;
    auto last = n_slots_ - 1;
    auto* slots = slots_.data();
    for (const auto word : words) {
        if (2 * (std::size_t{n_words} + 1) > n_slots_) {
            n_words_ = n_words;
            grow();
            epoch = epoch_;
            last = n_slots_ - 1;
            slots = slots_.data();
        }
        const FirstBytes first(word);
        auto* slot = &slots[hash_word(word, first, key) & last];
        // What is not 0 where the slot holds another word. Whether a word is new is hard to guess:
        // most words get their ids without a branch for it.
        const auto differs = (slot->low ^ first.low) | (slot->high ^ first.high) | (slot->n_bytes ^ word.size()) |
                             (word.size() > FirstBytes::size);
        bool is_free = slot->epoch != epoch;
        if (differs * !is_free != 0) {
            slot = &slots_[place_of(word, first)];
            is_free = slot->epoch != epoch;
        }
        const auto is_new = 0 - std::uint32_t{is_free};
        const auto id = (n_words & is_new) | (slot->id & ~is_new);
        n_words += is_free;
        // Over an equal word this changes nothing but which of both views is kept.
        slot->low = first.low;
        slot->high = first.high;
        slot->bytes = word.data();
        slot->n_bytes = word.size();
        slot->id = id;
        slot->epoch = epoch;
        *ids++ = id;
    }
    n_words_ = n_words;
}

void WordIds::next_epoch() {
    if (++epoch_ != 0) return;
    for (auto& slot : slots_) slot.epoch = 0;
    epoch_ = 1;
}

void WordIds::grow() {
    moved_.clear();
    std::copy_if(slots_.begin(), slots_.begin() + static_cast<std::ptrdiff_t>(n_slots_), std::back_inserter(moved_),
                 [this](const Slot& slot) { return slot.epoch == epoch_; });
    n_slots_ = std::max(smallest, 2 * n_slots_);
    if (slots_.size() < n_slots_) slots_.resize(n_slots_);
    next_epoch();
    for (auto slot : moved_) {
        slot.epoch = epoch_;
        slots_[place_of({slot.bytes, slot.n_bytes}, FirstBytes({slot.bytes, slot.n_bytes}))] = slot;
    }
}

}  // namespace textgauge
