// Porter's stemmer in two forms: that of nltk, which rouge_score uses, and that of ROUGE-1.5.5.
//
// Porter (1980), An algorithm for suffix stripping.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace textgauge {

enum class Stemmer { none, porter, porter155 };

// Scratch of one thread.
struct StemScratch {
    std::vector<std::uint8_t> states;
    std::vector<char> letters;
};

// Replaces a word of at least four characters by its stem, in place, and returns the stem. No
// stem is longer than its word, and every step looks at a suffix and at what a table says
// of the letters before it, so the time is linear in the word.
//
// `porter` deviates from the paper as nltk's PorterStemmer.NLTK_EXTENSIONS: -ies keeps -ie and
// -ied becomes -ie in words of four letters; step 1c asks for a consonant before the y; step 2 adds
// -alli, -fulli, -logi and -bli. Its irregular forms are `irregular_forms`.
//
// `porter155` has the two changes of the author's later versions (-bli becomes -ble, -logi becomes
// -log), and one of the script's: step 4 strips up to three suffixes, one of its list, then
// -ment, then -ent or -ion.
std::string_view stem(std::span<char> word, Stemmer stemmer, StemScratch& scratch);

// Words that nltk's form does not stem by rule, with their stems.
std::span<const std::pair<std::string_view, std::string_view>> irregular_forms();

// The stem of a lower-case word of any length as nltk's stemmer has it: irregular forms, then rules for words of more
// than two characters. A view into `letters`, or of an irregular form.
std::string_view nltk_stem(std::string_view word, std::vector<char>& letters, StemScratch& scratch);

}  // namespace textgauge
