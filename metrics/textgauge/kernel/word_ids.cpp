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
        slots_[place_of(slot.word, slot.first_bytes)] = slot;
    }
}

}  // namespace textgauge
