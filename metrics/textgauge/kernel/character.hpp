// CharacTER: edits of characters after shifts of words (Wang et al. 2016), as the package `cer` has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lcs.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

struct CharacterScratch {
    std::vector<std::string_view> words;                 // of a pair, then the kinds of them in order
    std::vector<std::size_t> sizes;                      // by kind: characters
    std::vector<std::uint32_t> hypothesis, reference;    // kinds: they are ordered as their words are
    std::vector<std::uint32_t> shifted, trial, best;
    std::vector<std::uint32_t> characters, reference_characters;
    std::vector<std::uint32_t> codes;                    // of a pair, ascending
    Places places;
    std::vector<std::uint64_t> rises, falls;             // of a column of the table of edit distances
};

// For every reference of a segment, into shape (n_references, 2): the edits, and the characters of the hypothesis.
// A pair of n and m words costs up to n^2 m^2 / 64 steps for every shift.
void character_edits(std::string_view hypothesis, std::span<const std::string_view> references, std::span<double> rows,
                     CharacterScratch& scratch, Stop& stop);

}  // namespace textgauge
