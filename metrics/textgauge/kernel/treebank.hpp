// The words of nltk's `NLTKWordTokenizer`, and those of a call by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "porter.hpp"
#include "tokenizers.hpp"
#include "word_ids.hpp"

namespace textgauge {

struct TreebankScratch {
    std::string text, other, piece;
};

// Whether `cut_treebank` knows all characters of a text: ASCII, Latin letters, signs of western texts. The rules for
// others ask what Python knows of characters, so the twin cuts those texts.
bool has_known_characters(std::string_view text);

// Cuts such a text by the rules of `plain/treebank.py`, in their order; words are views into the scratch.
void cut_treebank(std::string_view text, TreebankScratch& scratch, Words& words);

// Words by number, in order of first appearance, then stems that are no words; nltk's stemmer.
struct StemmedWords {
    std::vector<std::string_view> words;  // by number
    std::vector<std::uint32_t> ids;       // of all texts
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint32_t> stems;     // shape (n_words,), numbers of words; a stem is its own

    // Adds a text of lower-case words, each followed by `padding` bytes that can be read.
    void add(const Words& words);
    // Adds the stems of all words.
    void stem_all();

private:
    std::uint32_t id_of(std::string_view word);

    WordIds numbers_;
    KeptWords kept_;
};

}  // namespace textgauge
