// The places of tokens in a text of at most 64 tokens, as the bits of one word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "guards.hpp"
#include "tokens.hpp"

namespace textgauge {

class Masks {
public:
    // For every token of `text` the places where `bits`, of at most 64 tokens, has it. `n_ids` is above all
    // ids of both. The words may be changed, and hold until the next call.
    std::span<std::uint64_t> places(Ids bits, Ids text, std::size_t n_ids) {
        Cells mask_of(masks_, bits, n_ids);
        if (found_.size() < text.size()) found_.resize(text.size());
        for (std::size_t i = 0; i < bits.size(); ++i) mask_of[bits[i]] |= bit_of(i);
        for (std::size_t j = 0; j < text.size(); ++j) found_[j] = mask_of[text[j]];
        return std::span(found_).first(text.size());
    }

private:
    std::vector<std::uint64_t> masks_;  // by id
    std::vector<std::uint64_t> found_;
};

}  // namespace textgauge
