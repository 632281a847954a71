// Texts to tokens, tokens to ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "arena.hpp"
#include "contents.hpp"
#include "lexer.hpp"
#include "porter.hpp"
#include "segments.hpp"
#include "stem_cache.hpp"
#include "texts.hpp"
#include "tokenizers.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// Words that stay where they are, followed by the bytes that `WordIds` reads beyond them.
class KeptWords {
public:
    std::string_view keep(std::string_view word);

private:
    Arena arena_;
};

// How text becomes tokens: A to Z to lower case, then the tokenizer, A to Z in the tokens to
// lower case, stop words out, the rest to stems.
struct Cutter {
    Tokenizer tokenizer = Tokenizer::whitespace;
    bool lower_text = false;
    bool lower_tokens = false;
    Stemmer stemmer = Stemmer::none;
    CharacterTable characters;  // empty where the tokenizer does not ask it
    std::shared_ptr<const void> characters_holder;
    std::shared_ptr<Lexer> lexer;  // for Tokenizer::ptb and coco
    AnswerRules answers;  // for Tokenizer::answers
    WordSet stop_words;
    WordIds irregular;  // the id of a form is the place of its base; only with a stemmer
    std::vector<std::string_view> bases;
    KeptWords words;  // the bytes of articles, stop words, irregular forms and bases

    void add_article(std::string_view word);
    void add_stop_word(std::string_view word);
    // A form's last base counts.
    void add_irregular(std::string_view form, std::string_view base);
};

// What one thread needs to cut texts.
struct CutScratch {
    Arena arena;
    Words tokens;
    WordIds ids;
    StemCache stems;
    StemScratch stem;
};

// Cuts one text into scratch.tokens, which are valid until the arena is cleared. `n_bytes` is the
// size of all texts that are to come.
void cut_text(const Cutter& cutter, std::string_view text, std::size_t n_bytes, CutScratch& scratch);

// Hypotheses and references; those of segment s are reference_offsets[s] to reference_offsets[s + 1].
struct Corpus {
    const Texts& hypotheses;
    const Texts& references;
    std::span<const std::int64_t> reference_offsets;  // shape (n_segments + 1,)
};

// Whether, and of which texts, lines are sentences; without columns of their own, of the texts themselves.
struct Lines {
    bool are_wanted = false;
    const Texts* hypotheses = nullptr;
    const Texts* references = nullptr;
};

// The tokens of all segments. In each, ids are given in order of first appearance: hypothesis,
// references, then sentences, if those hold other tokens than the texts.
Tokens cut(const Cutter& cutter, const Corpus& corpus, const Lines& lines, int n_threads);
// And what the texts contain of which those of the corpus are made: as many of each side.
std::pair<Tokens, std::pair<Contents, Contents>> cut_with_contents(const Cutter& cutter, const Corpus& corpus,
                                                                   const Texts& given_hypotheses,
                                                                   const Texts& given_references, const Lines& lines,
                                                                   int n_threads);

// Reads the words of texts while they are cut, before they leave the cache. Each thread has its own, and gives it the
// texts of a segment in their order.
class WordReader {
public:
    virtual ~WordReader() = default;
    // `words` are valid until the next segment, and may be exchanged for others.
    virtual void read_hypothesis(Words& words) = 0;
    // A reference, by its number; `ids` has those of both texts.
    virtual void read_reference(std::size_t reference, Words& words, Ids hypothesis_ids, Ids reference_ids,
                                const WordIds& ids, Stop& stop) = 0;
};
using WordReaders = std::function<std::unique_ptr<WordReader>()>;
Tokens cut(const Cutter& cutter, const Corpus& corpus, const WordReaders& readers, int n_threads);

// The tokens of texts as bytes, one behind the other.
struct TokenTexts {
    std::vector<std::int64_t> text_offsets{0};   // shape (n_texts + 1,), into tokens
    std::vector<std::int64_t> token_offsets{0};  // shape (n_tokens + 1,), into data
    std::vector<std::uint8_t> data;
};
TokenTexts token_texts(const Cutter& cutter, const Texts& texts);

}  // namespace textgauge
