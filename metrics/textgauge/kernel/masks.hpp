// The places of tokens in a text of at most 64 tokens, as the bits of one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

constexpr std::size_t word_bits = 64;

// For every id the places where a text has it. All words are zero while no text is open.
class Masks {
public:
    // `n_ids` is above all ids that will be asked for.
    void open(Ids text, std::size_t n_ids) {
        if (mask_of_.size() < n_ids) mask_of_.resize(n_ids);
        for (std::size_t i = 0; i < text.size(); ++i) mask_of_[text[i]] |= std::uint64_t{1} << i;
    }
    void close(Ids text) {
        for (const auto id : text) mask_of_[id] = 0;
    }
    // For every token of another text the places where the open text has it; valid as long as `room`.
    std::span<std::uint64_t> matched(Ids text, std::vector<std::uint64_t>& room) const {
        if (room.size() < text.size()) room.resize(text.size());
        for (std::size_t j = 0; j < text.size(); ++j) room[j] = mask_of_[text[j]];
        return {room.data(), text.size()};
    }

private:
    std::vector<std::uint64_t> mask_of_;
};

// Calls a function for every pair of a segment. Of two texts it does not matter which one has the
// bits: masked(pair, places) gets what `Masks::matched` gives if one has at most 64 tokens, else
// unmasked(pair, hypothesis, reference) gets both. `drops_last` leaves out the last token of every text.
template <class Masked, class Unmasked>
void each_pair(const Tokens& tokens, std::size_t segment, bool drops_last, Masks& masks,
               std::vector<std::uint64_t>& room, Stop& stop, Masked masked, Unmasked unmasked) {
    const auto text = [&](std::size_t t) {
        const auto whole = tokens.text(t);
        return whole.first(whole.size() - (drops_last && !whole.empty()));
    };
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_pairs = static_cast<std::size_t>(tokens.segments[segment + 1]) - first - 1;
    const auto hypothesis = text(first);
    const auto n_ids = tokens.n_tokens(segment);
    const bool is_short = hypothesis.size() <= word_bits;
    if (is_short) masks.open(hypothesis, n_ids);
    for (std::size_t pair = 0; pair < n_pairs && !stop.asked(n_ids); ++pair) {
        const auto reference = text(first + 1 + pair);
        if (is_short) {
            masked(pair, masks.matched(reference, room));
        } else if (reference.size() <= word_bits) {
            masks.open(reference, n_ids);
            masked(pair, masks.matched(hypothesis, room));
            masks.close(reference);
        } else {
            unmasked(pair, hypothesis, reference);
        }
    }
    if (is_short) masks.close(hypothesis);
}

}  // namespace textgauge
