#include "cutter.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>

#include "segments.hpp"

namespace textgauge {
namespace {

// A copy of a text that its tokenizer may change.
Text copied(std::string_view text, bool lowers, Arena& arena) {
    const auto copy = arena.take(text.size());
    std::ranges::copy(text, copy.begin());
    if (lowers) lower_ascii(copy);
    return copy;
}

void cut_copy(const Cutter& cutter, Text text, Words& tokens) {
    if (cutter.tokenizer == Tokenizer::mteval_13a) text = without_markup(text);
    // No rule tells A from a, so that tokens can be lower-cased before they are cut.
    if (cutter.lower_tokens) lower_ascii(text);
    switch (cutter.tokenizer) {
        case Tokenizer::mteval_13a: return cut_13a(text, tokens);
        case Tokenizer::rouge: return cut_rouge(text, tokens);
        case Tokenizer::rouge_155: return cut_rouge_155(text, tokens);
        case Tokenizer::whitespace: return cut_whitespace(text, tokens);
        case Tokenizer::ascii_whitespace: return cut_ascii_whitespace(text, tokens);
        case Tokenizer::character: return cut_characters(text, tokens);
        case Tokenizer::intl: return cut_intl(text, cutter.characters, tokens);
        case Tokenizer::zh: return cut_zh(text, tokens);
        case Tokenizer::unicode: return cut_unicode(text, cutter.characters, tokens);
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
    std::vector<std::uint32_t> ids, sentence_ids;
    std::vector<std::int64_t> sentence_lengths;
    std::size_t n_bytes = 0;

    void clear() {
        ids.clear();
        sentence_ids.clear();
        sentence_lengths.clear();
        n_bytes = 0;
    }
};

// Puts the parts of all blocks together, in their order, as they come.
class Joiner {
public:
    Joiner(Tokens& tokens, std::size_t n_bytes, std::size_t n_blocks)
        : tokens_(tokens), n_bytes_(n_bytes), n_blocks_(n_blocks) {}

    void add(std::size_t block, Part& part) {
        const std::lock_guard lock(mutex_);
        if (block != n_joined_) {
            waiting_.emplace(block, part);
            return;
        }
        join(part);
        for (auto next = waiting_.find(n_joined_); next != waiting_.end(); next = waiting_.find(n_joined_)) {
            join(next->second);
            waiting_.erase(next);
        }
    }

private:
    void join(Part& part) {
        ++n_joined_;
        n_bytes_joined_ += part.n_bytes;
        append(tokens_.ids, part.ids);
        append(tokens_.sentence_ids, part.sentence_ids);
        append(tokens_.sentence_offsets, part.sentence_lengths);
    }

    // Room is made for as much as the bytes still to come promise: a vector that doubles needs
    // three times the memory while it moves.
    template <class T>
    void append(std::vector<T>& all, std::vector<T>& some) {
        if (n_blocks_ == 1 && all.empty()) {
            all.swap(some);
            return;
        }
        const auto n = all.size() + some.size();
        if (n > all.capacity()) {
            const auto share = static_cast<double>(n_bytes_) / static_cast<double>(std::max<std::size_t>(n_bytes_joined_, 1));
            all.reserve(n + n / 8 + static_cast<std::size_t>(static_cast<double>(n) * 1.05 * std::max(share - 1, 0.0)));
        }
        all.insert(all.end(), some.begin(), some.end());
    }

    Tokens& tokens_;
    const std::size_t n_bytes_, n_blocks_;
    std::size_t n_joined_ = 0, n_bytes_joined_ = 0;
    std::map<std::size_t, Part> waiting_;
    std::mutex mutex_;
};

struct CutWorker {
    CutScratch scratch;
    Part part;
    std::size_t n_tokens = 0;  // of the segment at hand, its sentences included
};

// Cuts segments into parts; token and sentence counts go to their places in `tokens` at once.
class SegmentCutter {
public:
    SegmentCutter(const Cutter& cutter, const Sides& sides, const Lines& lines, std::size_t n_bytes, Tokens& tokens)
        : cutter_(cutter), sides_(sides), lines_(lines), n_bytes_(n_bytes), tokens_(tokens) {}

    void cut(std::size_t segment, CutWorker& worker, Stop& stop) const {
        worker.scratch.arena.clear();
        worker.scratch.ids.clear();
        worker.n_tokens = 0;
        auto text = static_cast<std::size_t>(tokens_.segments[segment]);
        each_text(segment, sides_.hypotheses, sides_.references, [&](std::string_view bytes) {
            if (!stop.asked(bytes.size())) add_text(bytes, text++, worker);
        });
        if (!tokens_.has_own_sentences) return;
        text = static_cast<std::size_t>(tokens_.segments[segment]);
        const auto& hypotheses = lines_.hypotheses ? *lines_.hypotheses : sides_.hypotheses;
        const auto& references = lines_.references ? *lines_.references : sides_.references;
        each_text(segment, hypotheses, references, [&](std::string_view bytes) {
            if (!stop.asked(bytes.size())) add_sentences(bytes, text++, worker, worker.part.sentence_ids);
        });
    }

private:
    template <class Function>
    void each_text(std::size_t segment, const Texts& hypotheses, const Texts& references, Function function) const {
        function(hypotheses[segment]);
        for (auto r = sides_.reference_offsets[segment]; r < sides_.reference_offsets[segment + 1]; ++r)
            function(references[static_cast<std::size_t>(r)]);
    }

    void add_text(std::string_view bytes, std::size_t text, CutWorker& worker) const {
        auto& ids = worker.part.ids;
        const auto n_before = ids.size();
        worker.part.n_bytes += bytes.size();
        if (lines_.are_wanted && !tokens_.has_own_sentences)
            add_sentences(bytes, text, worker, ids);
        else
            add_ids(bytes, worker, ids);
        tokens_.offsets[text + 1] = static_cast<std::int64_t>(ids.size() - n_before);
    }

    void add_sentences(std::string_view bytes, std::size_t text, CutWorker& worker, std::vector<std::uint32_t>& ids) const {
        auto& lengths = worker.part.sentence_lengths;
        const auto n_before = lengths.size();
        each_line(bytes, [&](std::string_view line) {
            const auto n_ids = ids.size();
            add_ids(line, worker, ids);
            lengths.push_back(static_cast<std::int64_t>(ids.size() - n_ids));
        });
        tokens_.text_sentences[text + 1] = static_cast<std::int64_t>(lengths.size() - n_before);
    }

    void add_ids(std::string_view bytes, CutWorker& worker, std::vector<std::uint32_t>& ids) const {
        cut_text(cutter_, bytes, n_bytes_, worker.scratch);
        worker.n_tokens += worker.scratch.tokens.size();
        if (worker.n_tokens > largest_segment) throw std::length_error("texts: expected fewer than 2**32 - 2 tokens per segment");
        const auto n_before = ids.size();
        ids.resize(n_before + worker.scratch.tokens.size());
        worker.scratch.ids.add(worker.scratch.tokens, ids.data() + n_before);
    }

    const Cutter& cutter_;
    const Sides& sides_;
    const Lines& lines_;
    const std::size_t n_bytes_;
    Tokens& tokens_;
};

std::size_t n_bytes_of(const Texts& texts) {
    std::size_t n = 0;
    for (const auto view : texts.views) n += view.size();
    return n;
}

// Lengths behind a first 0 to offsets.
void add_up(std::vector<std::int64_t>& lengths) { std::partial_sum(lengths.begin(), lengths.end(), lengths.begin()); }

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
    cut_copy(cutter, copied(text, cutter.lower_text, scratch.arena), tokens);
    if (cutter.stop_words.size() > 0)
        std::erase_if(tokens, [&](std::string_view token) { return cutter.stop_words.has(token); });
    if (cutter.stemmer == Stemmer::none) return;
    scratch.stems.open(n_bytes);
    for (auto& token : tokens) token = stem_of(cutter, token, scratch);
}

Tokens cut(const Cutter& cutter, const Sides& sides, const Lines& lines, int n_threads) {
    const auto n_segments = sides.hypotheses.size();
    const auto n_bytes = n_bytes_of(sides.hypotheses) + n_bytes_of(sides.references);
    Tokens tokens;
    tokens.has_own_sentences = lines.are_wanted && (lines.hypotheses || !is_local(cutter.tokenizer));
    tokens.segments.resize(n_segments + 1);
    for (std::size_t s = 0; s <= n_segments; ++s)
        tokens.segments[s] = static_cast<std::int64_t>(s) + sides.reference_offsets[s];
    tokens.offsets.resize(static_cast<std::size_t>(tokens.segments.back()) + 1);
    if (lines.are_wanted) {
        tokens.text_sentences.resize(tokens.offsets.size());
        tokens.sentence_offsets.push_back(0);
    }
    const auto n_at_once = std::clamp<std::size_t>(n_segments / (16 * static_cast<std::size_t>(std::max(n_threads, 1))), 1, 256);
    const auto n_blocks = (n_segments + n_at_once - 1) / n_at_once;
    Joiner joiner(tokens, n_bytes, n_blocks);
    const SegmentCutter segments(cutter, sides, lines, n_bytes, tokens);
    for_each_segment<CutWorker>(n_blocks, n_threads, [&](CutWorker& worker, std::size_t block, Stop& stop) {
        worker.part.clear();
        const auto last = std::min((block + 1) * n_at_once, n_segments);
        for (auto segment = block * n_at_once; segment < last; ++segment) segments.cut(segment, worker, stop);
        joiner.add(block, worker.part);
    });
    add_up(tokens.offsets);
    add_up(tokens.sentence_offsets);
    add_up(tokens.text_sentences);
    return tokens;
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
