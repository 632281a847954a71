#include "word_ids.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
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
    // Fewer slots are nearer to the processor, more of them are rarely another word's.
    if (!slots_.empty()) n_slots_ = std::clamp(std::bit_ceil(std::size_t{16} * n_words_), smallest, slots_.size());
    n_words_ = 0;
    next_epoch();
}

std::uint32_t CompactWordIds::add(std::string_view word) {
    if (2 * (words_.size() + 1) > slots_.size()) {
        slots_.assign(std::max<std::size_t>(256, 2 * slots_.size()), WordIds::none);
        for (std::uint32_t id = 0; id < words_.size(); ++id) slots_[place_of(words_[id])] = id;
    }
    auto& slot = slots_[place_of(word)];
    if (slot == WordIds::none) {
        slot = static_cast<std::uint32_t>(words_.size());
        words_.push_back(word);
    }
    return slot;
}

std::uint32_t CompactWordIds::find(std::string_view word) const {
    return slots_.empty() ? WordIds::none : slots_[place_of(word)];
}

std::size_t CompactWordIds::place_of(std::string_view word) const {
    constexpr std::size_t n_word = sizeof(std::uint64_t);
    const auto n = word.size();
    std::uint64_t hash = n ^ key_.first;
    const auto mix = [&](std::uint64_t part) { hash = folded_product(hash ^ part, key_.second); };
    for (std::size_t i = 0; i + n_word < n; i += n_word) mix(load_word(word.data() + i));
    // The last part overlaps the one before.
    std::uint64_t rest = 0;
    if (n >= n_word)
        rest = load_word(word.data() + n - n_word);
    else
        for (const char byte : word) rest = rest << 8 | static_cast<unsigned char>(byte);
    mix(rest);
    const auto last = slots_.size() - 1;
    auto place = hash & last;
    while (slots_[place] != WordIds::none && words_[slots_[place]] != word) place = (place + 1) & last;
    return place;
}

ShortWord WordIds::key_of_long(std::string_view word) const {
    std::uint64_t hash = word.size();
    while (!word.empty()) {
        const auto part = word.substr(0, ShortWord::longest);
        const auto bytes = short_word(part.data(), part.size());
        hash = folded_product(hash ^ bytes.low ^ key_.first, bytes.high ^ key_.second);
        word.remove_prefix(part.size());
    }
    return {hash, is_long};
}

std::size_t WordIds::place_of(std::string_view word, ShortWord key) const {
    auto place = hash_of(key, key_) & (n_slots_ - 1);
    while (slots_[place].epoch == epoch_ && !is(slots_[place], word, key)) place = (place + 1) & (n_slots_ - 1);
    return place;
}

std::uint32_t WordIds::add_at(std::size_t place, std::string_view word, ShortWord key) {
    auto& slot = slots_[place];
    if (slot.epoch != epoch_) {
        slot = {key, n_words_, epoch_};
        words_[n_words_++] = word;
    }
    return slot.id;
}

void WordIds::add(std::span<const std::string_view> words, std::uint32_t* ids) {
    auto n_words = n_words_;
    auto most = n_slots_ / 4;
    auto last = n_slots_ - 1;
    auto* slots = slots_.data();
    const auto key = key_;
    auto epoch = epoch_;
    for (const auto word : words) {
        if (n_words >= most) {
            n_words_ = n_words;
            grow();
            epoch = epoch_;
            most = n_slots_ / 4;
            last = n_slots_ - 1;
            slots = slots_.data();
        }
        if (word.size() > ShortWord::longest) {
            n_words_ = n_words;
            const auto bytes = key_of_long(word);
            *ids++ = add_at(place_of(word, bytes), word, bytes);
            n_words = n_words_;
            continue;
        }
        const auto bytes = short_word(word.data(), word.size());
        auto* slot = &slots[hash_of(bytes, key) & last];
        const auto differs = (slot->key.low ^ bytes.low) | (slot->key.high ^ bytes.high);
        // No branch asks whether the word is new, which is hard to guess: compilers make none of a product.
        bool is_free = slot->epoch != epoch;
        if (differs * !is_free != 0) {
            slot = &slots[place_of(word, bytes)];
            is_free = slot->epoch != epoch;
        }
        const auto is_new = 0 - std::uint32_t{is_free};
        const auto id = (n_words & is_new) | (slot->id & ~is_new);
        n_words += is_free;
        *slot = {bytes, id, epoch};
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
    if (slots_.size() < n_slots_) {
        // Without a value, then zeros: no loop over the members of each slot.
        const auto n_before = slots_.size();
        slots_.resize(n_slots_);
        std::memset(slots_.data() + n_before, 0, (n_slots_ - n_before) * sizeof(Slot));
        words_.resize(n_slots_ / 4 + 1);
    }
    next_epoch();
    for (auto slot : moved_) {
        slot.epoch = epoch_;
        slots_[place_of(words_[slot.id], slot.key)] = slot;
    }
}

}  // namespace textgauge
