// The words of normalized answers: SQuAD and MLQA.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "word_ids.hpp"

namespace textgauge {

// What is done to an answer before it is cut into words; see `cut_answer`.
struct AnswerRules {
    WordSet articles;  // made of word characters, in lower case
    std::string prefix;
    bool splits_han = false;
    bool drops_every_punctuation = false;
};

// Appends the words of a normalized answer.
//
// Lower-cases ASCII; drops ASCII punctuation, and with `drops_every_punctuation` all characters of
// the categories P; puts spaces for every article between word borders, and for the
// prefix wherever it stands; splits at white space, with `splits_han` also around U+4E00 to U+9FA5.
// The text is changed in place, with `padding` bytes behind it.
//
// Rajpurkar et al. (2016), SQuAD, section 6.1; Lewis et al. (2020), MLQA, section 4.
void cut_answer(std::span<char> text, const AnswerRules& rules, CharacterTable characters,
                std::vector<std::string_view>& words);

}  // namespace textgauge
