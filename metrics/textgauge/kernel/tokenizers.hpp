// Texts to tokens: the rules of each tokenizer.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "characters.hpp"

namespace textgauge {

enum class Tokenizer {
    mteval_13a, nist, nist_spaces, rouge, rouge_155, whitespace, ascii_whitespace, character, every_character,
    character_jiwer_3, spaces, intl, zh, unicode, answers, ptb, coco
};

// The tokenizer of a name, if there is one.
std::optional<Tokenizer> tokenizer_named(std::string_view name);

// Whether the tokens of a text are those of its lines, one line after the other.
bool is_local(Tokenizer tokenizer);

// Whether it has a lexer, see lexer.hpp.
bool needs_lexer(Tokenizer tokenizer);

// Whether it asks the table of characters.
bool needs_characters(Tokenizer tokenizer);

// Every cutter below appends the tokens of one text, as views into it. The text is a copy that a
// cutter may change, with `padding` zero bytes behind it.
using Text = std::span<char>;
using Words = std::vector<std::string_view>;

// What 13a replaces before it splits; returns what is left of the text.
Text without_markup(Text text);
// The same of nltk's `NISTTokenizer`: other entities, and newlines stay.
Text without_nist_markup(Text text);

// mteval-v13a, in the form of sacreBLEU and the reference `bleu` module, behind `without_markup`; also nltk's,
// behind `without_nist_markup`.
void cut_13a(Text text, Words& tokens);

// Runs of a-z and 0-9 in lower case, as rouge_score takes them.
void cut_rouge(Text text, Words& tokens);

// The same without the two characters outside ASCII whose lower case has an ASCII letter, as the
// ROUGE-1.5.5 script takes them.
void cut_rouge_155(Text text, Words& tokens);

// Runs of anything but white space (`str.split`).
void cut_whitespace(Text text, Words& tokens);

// Runs between the six ASCII white-space characters, as Perl splits bytes (multi-bleu.perl).
void cut_ascii_whitespace(Text text, Words& tokens);

// Every character that is not white space.
void cut_characters(Text text, Words& tokens);

// Every character, white space too, but at the ends of the text. As jiwer 3 has them, of runs of two or more white-space
// characters there is one space.
void cut_every_character(Text text, Words& tokens);
void cut_characters_jiwer_3(Text text, Words& tokens);

// What spaces and runs of two or more white-space characters separate: jiwer's words.
void cut_spaces(Text text, Words& tokens);

// mteval-v14's international tokenization, in the form of sacreBLEU.
void cut_intl(Text text, CharacterTable characters, Words& tokens);

// sacreBLEU's `zh`: Chinese characters one by one, the rest by 13a's rules.
void cut_zh(Text text, Words& tokens);

// Words of any script: runs of letters, marks and numbers. Letters of scripts written without
// spaces stand alone, and so do emoji, each with the marks behind it. ASCII is lower-cased here.
void cut_unicode(Text text, CharacterTable characters, Words& tokens);

}  // namespace textgauge
