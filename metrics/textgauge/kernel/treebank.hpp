// The words of nltk's `NLTKWordTokenizer`, and those of a call by number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "tokenizers.hpp"
#include "word_ids.hpp"

namespace textgauge {

struct TreebankScratch {
    std::string text;
    std::vector<std::size_t> cuts;
};

// Latin, Greek and Cyrillic letters outside ASCII, which have two bytes: of each that the rules know its lower case,
// else 0.
inline constexpr std::uint32_t first_wide_letter = 0xC0, end_of_wide_letters = 0x530;
using LowerLetters = std::array<std::uint16_t, end_of_wide_letters - first_wide_letter>;
// By a function that returns the lower case of a letter, or 0 where that is not one letter, or the character none.
LowerLetters lower_letters(std::uint32_t (*lower)(std::uint32_t));

// Cuts a text by the rules of `plain/treebank.py`; words are in lower case, most of them views into the scratch. False
// where it has characters other than ASCII, the letters above, and signs of western texts: the rules ask what Python
// knows of them, so the twin cuts those texts.
bool cut_treebank(std::string_view text, const LowerLetters& lower_of, TreebankScratch& scratch, Words& words);

// Words by number, in order of first appearance.
struct NumberedWords {
    std::vector<std::string_view> words;  // by number
    std::vector<std::uint32_t> ids;       // of all texts
    std::vector<std::int64_t> offsets{0};

    // Adds a text of words, each followed by `padding` bytes that can be read.
    void add(const Words& text);

private:
    WordIds numbers_;
    KeptWords kept_;
};

}  // namespace textgauge
