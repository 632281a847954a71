#include "cutter.hpp"

#include <algorithm>
#include <stdexcept>

namespace textgauge {
namespace {

// A copy of a text that its tokenizer may change.
Text copied(std::string_view text, bool lowers, Arena& arena) {
    const auto copy = arena.take(text.size());
    std::ranges::copy(text, copy.begin());
    if (lowers) lower_ascii(copy);
    return copy;
}

void cut_copy(const Cutter& cutter, Text text, CutScratch& scratch) {
    auto& tokens = scratch.tokens;
    const auto tokenizer = cutter.tokenizer;
    if (tokenizer == Tokenizer::mteval_13a) text = without_markup(text);
    if (tokenizer == Tokenizer::nist || tokenizer == Tokenizer::nist_spaces) text = without_nist_markup(text);
    // But for those of a lexer, which lower-cases by itself, no rule tells A from a, so that tokens can be lower-cased
    // before they are cut.
    if (cutter.lower_tokens && !needs_lexer(tokenizer)) lower_ascii(text);
    switch (tokenizer) {
        case Tokenizer::mteval_13a:
        case Tokenizer::nist: return cut_13a(text, tokens);
        case Tokenizer::nist_spaces: return cut_whitespace(text, tokens);
        case Tokenizer::rouge: return cut_rouge(text, tokens);
        case Tokenizer::rouge_155: return cut_rouge_155(text, tokens);
        case Tokenizer::whitespace: return cut_whitespace(text, tokens);
        case Tokenizer::ascii_whitespace: return cut_ascii_whitespace(text, tokens);
        case Tokenizer::character: return cut_characters(text, tokens);
        case Tokenizer::every_character: return cut_every_character(text, tokens);
        case Tokenizer::character_jiwer_3: return cut_characters_jiwer_3(text, tokens);
        case Tokenizer::spaces: return cut_spaces(text, tokens);
        case Tokenizer::intl: return cut_intl(text, cutter.characters, tokens);
        case Tokenizer::zh: return cut_zh(text, tokens);
        case Tokenizer::unicode: return cut_unicode(text, cutter.characters, tokens);
        case Tokenizer::ptb:
        case Tokenizer::coco: return cutter.lexer->cut(text, scratch.arena, tokens);
        case Tokenizer::answers: return cut_answer(text, cutter.answers, cutter.characters, tokens);
    }
}

// Whether a word has more than three characters; shorter ones have no stem.
bool is_long(std::string_view word) {
    if (word.size() < 4 || is_ascii(word)) return word.size() >= 4;
    return std::ranges::count_if(word, [](char byte) { return !is_continuation(byte); }) >= 4;
}

std::string_view found_stem(const Cutter& cutter, std::string_view word, CutScratch& scratch) {
    if (!is_long(word)) return word;
    const auto form = cutter.irregular.find(word);
    if (form != WordIds::none) return cutter.bases[form];
    // Tokens are views into the arena, which is ours to change.
    return stem({const_cast<char*>(word.data()), word.size()}, cutter.stemmer, scratch.stem);
}

std::string_view stem_of(const Cutter& cutter, std::string_view word, CutScratch& scratch) {
    if (word.size() < 4) return word;
    if (word.size() > StemCache::longest) return found_stem(cutter, word, scratch);
    const auto key = short_word(word.data(), word.size());
    auto& entry = scratch.stems.place_of(key);
    if (entry.word == key) {
        std::memcpy(const_cast<char*>(word.data()), entry.stem, entry.n_stem);
        return word.substr(0, entry.n_stem);
    }
    const auto stem = found_stem(cutter, word, scratch);
    // There is no room for an irregular base that is longer than its form.
    if (stem.size() <= word.size()) StemCache::keep(entry, key, stem);
    return stem;
}

// Calls function(line) for the non-empty lines of a text.
template <class Function>
void each_line(std::string_view text, Function function) {
    while (!text.empty()) {
        const auto n = std::min(text.find('\n'), text.size());
        if (n > 0) function(text.substr(0, n));
        text.remove_prefix(std::min(n + 1, text.size()));
    }
}

// The tokens of a block of segments.
struct Part {
    IdVector ids, sentence_ids;
    UnsetVector<std::int64_t> sentence_lengths;
};

// What the texts of each block contain.
class Looks {
public:
    // Of no corpus there is nothing to look at. `n_bytes` is the size of the texts of all segments.
    Looks(const Corpus* given, std::size_t n_blocks, std::size_t n_segments, std::size_t n_bytes)
        : given_(given), n_together_(std::clamp<std::size_t>(cached * n_segments / std::max(n_bytes, cached), 1, most)),
          hypotheses_(given ? n_blocks : 0), references_(given ? n_blocks : 0) {}

    // Looks at segments of a block that are soon cut, up to `last`, and returns the first one behind them.
    std::size_t look(std::size_t block, std::size_t first, std::size_t last) {
        if (!given_) return last;
        last = std::min(first + n_together_, last);
        const auto row = [this](std::size_t segment) {
            return static_cast<std::size_t>(given_->reference_offsets[segment]);
        };
        hypotheses_[block].look(given_->hypotheses, first, last);
        references_[block].look(given_->references, row(first), row(last));
        return last;
    }

    std::pair<Contents, Contents> contents() {
        return {ContentsFinder::joined(hypotheses_), ContentsFinder::joined(references_)};
    }

private:
    // Bytes of texts that stay in the cache until they are cut, and segments that are enough at once.
    static constexpr std::size_t cached = std::size_t{1} << 17, most = 32;

    const Corpus* given_;
    std::size_t n_together_;
    std::vector<ContentsFinder> hypotheses_, references_;
};

struct ThreadOfCut : CutScratch {
    std::unique_ptr<WordReader> reader;
};

constexpr std::size_t n_segments_ahead = 4;

// One call of `cut`. What has its place from the beginning, the lengths of texts, threads write into `tokens` at once.
struct Cut {
    const Cutter& cutter;
    const Corpus& corpus;
    const Lines& lines;
    const std::size_t n_bytes;
    Tokens& tokens;

    // Calls function(text, its number) for the hypothesis and the references of a segment.
    template <class Function>
    void each_text(std::size_t segment, const Texts& hypotheses, const Texts& references, Function function) const {
        auto text = static_cast<std::size_t>(tokens.segments[segment]);
        function(hypotheses[segment], text);
        for (auto r = corpus.reference_offsets[segment]; r < corpus.reference_offsets[segment + 1]; ++r)
            function(references[static_cast<std::size_t>(r)], ++text);
    }

    void prefetch_segment(std::size_t segment) const {
        const auto first = corpus.reference_offsets[segment];
        prefetch_text(corpus.hypotheses[segment]);
        if (first < corpus.reference_offsets[segment + 1])
            prefetch_text(corpus.references[static_cast<std::size_t>(first)]);
    }

    void add_segment(std::size_t segment, Part& part, ThreadOfCut& scratch, Stop& stop) const {
        scratch.arena.clear();
        scratch.ids.clear();
        const auto n_before = part.ids.size() + part.sentence_ids.size();
        const auto hypothesis = static_cast<std::size_t>(tokens.segments[segment]);
        each_text(segment, corpus.hypotheses, corpus.references, [&](std::string_view bytes, std::size_t text) {
            if (stop.asked(64 + bytes.size())) return;
            const auto first = part.ids.size();
            if (lines.are_wanted && !tokens.has_own_sentences)
                add_lines(bytes, text, part, part.ids, scratch);
            else
                add_ids(bytes, part.ids, scratch);
            tokens.offsets[text + 1] = static_cast<std::int64_t>(part.ids.size() - first);
            if (!scratch.reader) return;
            if (text == hypothesis) return scratch.reader->read_hypothesis(scratch.tokens);
            const auto all = Ids(part.ids).subspan(n_before);
            scratch.reader->read_reference(
                text - segment - 1, scratch.tokens, all.first(static_cast<std::size_t>(tokens.offsets[hypothesis + 1])),
                Ids(part.ids).subspan(first), scratch.ids, stop);
        });
        if (tokens.has_own_sentences)
            each_text(segment, lines.hypotheses ? *lines.hypotheses : corpus.hypotheses,
                      lines.references ? *lines.references : corpus.references,
                      [&](std::string_view bytes, std::size_t text) {
                          if (!stop.asked(64 + bytes.size())) add_lines(bytes, text, part, part.sentence_ids, scratch);
                      });
        if (part.ids.size() + part.sentence_ids.size() - n_before > largest_segment)
            throw std::length_error("texts: expected fewer than 2**32 - 2 tokens per segment");
    }

    // Cuts the lines of a text, each by itself.
    void add_lines(std::string_view bytes, std::size_t text, Part& part, IdVector& ids, CutScratch& scratch) const {
        const auto n_before = part.sentence_lengths.size();
        each_line(bytes, [&](std::string_view line) {
            const auto first = ids.size();
            add_ids(line, ids, scratch);
            part.sentence_lengths.push_back(static_cast<std::int64_t>(ids.size() - first));
        });
        tokens.text_sentences[text + 1] = static_cast<std::int64_t>(part.sentence_lengths.size() - n_before);
    }

    void add_ids(std::string_view bytes, IdVector& ids, CutScratch& scratch) const {
        cut_text(cutter, bytes, n_bytes, scratch);
        const auto first = ids.size();
        ids.resize(first + scratch.tokens.size());
        scratch.ids.add(scratch.tokens, ids.data() + first);
    }
};

// From so many numbers on it is worth starting threads that copy them.
constexpr std::size_t most_copied_alone = std::size_t{1} << 17;

// Puts the members of all parts behind each other, and gives their memory back one by one.
template <class Vector>
void join(std::vector<Part>& parts, Vector Part::*member, Vector& all, int n_threads) {
    if (parts.size() == 1 && all.empty()) {
        all.swap(parts.front().*member);
        return;
    }
    std::vector<std::size_t> firsts{all.size()};
    for (const auto& part : parts) firsts.push_back(firsts.back() + (part.*member).size());
    all.resize(firsts.back());
    struct None {};
    const auto n_useful = firsts.back() < most_copied_alone ? 1 : n_threads;
    for_each_segment<None>(parts.size(), n_useful, [&](None&, std::size_t p, Stop&) {
        auto& own = parts[p].*member;
        std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(firsts[p]));
        own = {};
    });
}

std::size_t n_bytes_of(const Texts& texts) {
    std::size_t n = 0;
    for (const auto view : texts.views) n += view.size();
    return n;
}

// Makes offsets of lengths behind a first 0, and returns how many are 0.
std::size_t add_up(UnsetVector<std::int64_t>& lengths) {
    std::size_t n_zeros = 0;
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        n_zeros += lengths[i] == 0;
        lengths[i] += lengths[i - 1];
    }
    return n_zeros;
}

Tokens cut_and_read(const Cutter& cutter, const Corpus& corpus, const Lines& lines, const WordReaders& readers,
                    int n_threads, const Corpus* given = nullptr, std::pair<Contents, Contents>* contents = nullptr) {
    const auto n_segments = corpus.hypotheses.size();
    const auto n_bytes = n_bytes_of(corpus.hypotheses) + n_bytes_of(corpus.references);
    Tokens tokens;
    tokens.has_own_sentences = lines.are_wanted && (lines.hypotheses || !is_local(cutter.tokenizer));
    tokens.segments.resize(n_segments + 1);
    for (std::size_t s = 0; s <= n_segments; ++s)
        tokens.segments[s] = static_cast<std::int64_t>(s) + corpus.reference_offsets[s];
    tokens.offsets.resize(static_cast<std::size_t>(tokens.segments.back()) + 1);
    tokens.offsets.front() = 0;
    if (lines.are_wanted) {
        tokens.text_sentences.resize(tokens.offsets.size());
        tokens.text_sentences.front() = 0;
        tokens.sentence_offsets.push_back(0);
    }
    // Several blocks for each thread, so that none waits long for the others.
    const auto n_blocks = n_threads > 1 ? std::min(n_segments, 16 * static_cast<std::size_t>(n_threads)) : 1;
    std::vector<Part> parts(n_blocks);
    Looks looks(given, n_blocks, n_segments, n_bytes);
    const Cut call{cutter, corpus, lines, n_bytes, tokens};
    for_each_segment<ThreadOfCut>(n_blocks, n_threads, [&](ThreadOfCut& scratch, std::size_t block, Stop& stop) {
        if (readers && !scratch.reader) scratch.reader = readers();
        const auto last = (block + 1) * n_segments / n_blocks;
        auto looked_at = block * n_segments / n_blocks;
        // Most tokens have four bytes or more. Memory that is not touched costs nothing.
        parts[block].ids.reserve(n_bytes / n_blocks / 4);
        for (auto segment = looked_at; segment < last; ++segment) {
            if (segment == looked_at) looked_at = looks.look(block, segment, last);
            if (segment + n_segments_ahead < last) call.prefetch_segment(segment + n_segments_ahead);
            call.add_segment(segment, parts[block], scratch, stop);
        }
    });
    join(parts, &Part::ids, tokens.ids, n_threads);
    join(parts, &Part::sentence_ids, tokens.sentence_ids, n_threads);
    join(parts, &Part::sentence_lengths, tokens.sentence_offsets, n_threads);
    tokens.counted_empty = add_up(tokens.offsets);
    add_up(tokens.sentence_offsets);
    add_up(tokens.text_sentences);
    if (contents) *contents = looks.contents();
    return tokens;
}

}  // namespace

std::string_view KeptWords::keep(std::string_view word) {
    const auto kept = arena_.take(word.size());
    std::ranges::copy(word, kept.begin());
    return {kept.data(), kept.size()};
}

void Cutter::add_article(std::string_view word) { answers.articles.add(words.keep(word)); }

void Cutter::add_stop_word(std::string_view word) { stop_words.add(words.keep(word)); }

void Cutter::add_irregular(std::string_view form, std::string_view base) {
    const auto place = irregular.id_of(words.keep(form));
    if (place == bases.size()) bases.emplace_back();
    bases[place] = words.keep(base);
}

void cut_text(const Cutter& cutter, std::string_view text, std::size_t n_bytes, CutScratch& scratch) {
    auto& tokens = scratch.tokens;
    tokens.clear();
    cut_copy(cutter, copied(text, cutter.lower_text, scratch.arena), scratch);
    if (cutter.stop_words.size() > 0)
        std::erase_if(tokens, [&](std::string_view token) { return cutter.stop_words.has(token); });
    if (cutter.stemmer == Stemmer::none) return;
    scratch.stems.open(n_bytes);
    for (auto& token : tokens) token = stem_of(cutter, token, scratch);
}

Tokens cut(const Cutter& cutter, const Corpus& corpus, const Lines& lines, int n_threads) {
    return cut_and_read(cutter, corpus, lines, {}, n_threads);
}

std::pair<Tokens, std::pair<Contents, Contents>> cut_with_contents(const Cutter& cutter, const Corpus& corpus,
                                                                   const Texts& given_hypotheses,
                                                                   const Texts& given_references, const Lines& lines,
                                                                   int n_threads) {
    std::pair<Contents, Contents> contents;
    const Corpus given{given_hypotheses, given_references, corpus.reference_offsets};
    auto tokens = cut_and_read(cutter, corpus, lines, {}, n_threads, &given, &contents);
    return {std::move(tokens), std::move(contents)};
}

Tokens cut(const Cutter& cutter, const Corpus& corpus, const WordReaders& readers, int n_threads) {
    return cut_and_read(cutter, corpus, {}, readers, n_threads);
}

TokenTexts token_texts(const Cutter& cutter, const Texts& texts) {
    TokenTexts found;
    found.text_offsets.reserve(texts.size() + 1);
    const auto n_bytes = n_bytes_of(texts);
    // On one thread, so that the texts come in their order.
    for_each_segment<CutScratch>(texts.size(), 1, [&](CutScratch& scratch, std::size_t row, Stop& stop) {
        if (stop.asked(texts[row].size())) return;
        scratch.arena.clear();
        cut_text(cutter, texts[row], n_bytes, scratch);
        for (const auto token : scratch.tokens) {
            found.data.insert(found.data.end(), token.begin(), token.end());
            found.token_offsets.push_back(static_cast<std::int64_t>(found.data.size()));
        }
        found.text_offsets.push_back(static_cast<std::int64_t>(found.token_offsets.size()) - 1);
    });
    return found;
}

}  // namespace textgauge
