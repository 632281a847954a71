// Texts as bags of tokens: token F1 and exact match (Rajpurkar et al. 2016, SQuAD, section 6.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

struct BagScratch {
    std::vector<std::uint32_t> left;  // by id
    std::vector<std::uint32_t> hypothesis_kinds, reference_kinds;
};

// For every reference of a segment, into shape (n_references, 4): the tokens that the hypothesis
// shares with it, the hypothesis's tokens, the reference's, and 1 if both texts are equal. With
// `as_sets` each kind of token counts once in a text.
void bag_matches(const Tokens& tokens, std::size_t segment, bool as_sets, std::span<std::int64_t> counts,
                 BagScratch& scratch, Stop& stop);

}  // namespace textgauge
