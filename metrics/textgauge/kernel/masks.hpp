// The places of tokens in a text of at most 64 tokens, as the bits of one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace textgauge
