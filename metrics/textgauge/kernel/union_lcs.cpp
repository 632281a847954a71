#include "union_lcs.hpp"

#include <algorithm>

#include "platform.hpp"

namespace textgauge {

namespace {

// Fewer sentences are not worth looking for equal ones.
constexpr std::size_t few_sentences = 16;
constexpr std::uint32_t no_kind = 0xFFFFFFFF;

// All tokens of the sentences of a text: they stand behind each other.
Ids sentence_tokens(const Tokens& tokens, std::size_t text) {
    const auto first = tokens.sentence_offsets[tokens.text_sentences[text]];
    const auto last = tokens.sentence_offsets[tokens.text_sentences[text + 1]];
    return Ids(tokens.has_own_sentences ? tokens.sentence_ids : tokens.ids).subspan(first, last - first);
}

// Marks the tokens of a reference sentence that are on an LCS with any hypothesis sentence.
void mark_sentence(Ids sentence, std::span<std::uint8_t> marked, std::size_t n_ids, UnionScratch& scratch, Stop& stop) {
    std::fill(marked.begin(), marked.end(), std::uint8_t{0});
    if (sentence.empty()) return;
    const auto places = scratch.places.open(sentence, n_ids);
    scratch.pairs.for_each_partner(sentence, [&](Ids hypothesis, std::span<const std::uint32_t> common) {
        LcsWalk walk{hypothesis, common, scratch.places, scratch.states, scratch.kept};
        walk.back([&](std::size_t, std::size_t place, bool is_match) { marked[place] |= is_match; }, stop);
    });
}

// The marked tokens of all sentences of the reference, each within its limit.
std::int64_t count_marked(UnionScratch& scratch) {
    auto& pairs = scratch.pairs;
    std::int64_t hits = 0;
    for (std::size_t k = 0; k < pairs.reference.size(); ++k) {
        const auto kind = pairs.reference.kind_of(k);
        const auto sentence = pairs.reference.kind(kind);
        const auto marked = pairs.marked(kind);
        for (std::size_t i = 0; i < sentence.size(); ++i) hits += marked[i] && scratch.allowed.take(sentence[i]);
    }
    return hits;
}

}  // namespace

void Sentences::open(const Tokens& tokens, std::size_t text) {
    const auto first = tokens.text_sentences[text], last = tokens.text_sentences[text + 1];
    const auto n = static_cast<std::size_t>(last - first);
    kinds_.clear();
    opens_.assign(1, 0);
    kind_of_.clear();
    if (n > few_sentences) slots_.assign(std::bit_ceil(2 * n), no_kind);
    for (auto k = first; k < last; ++k) {
        const auto sentence = tokens.sentence(k);
        kind_of_.push_back(static_cast<std::uint32_t>(n > few_sentences ? find_or_add(sentence) : add_kind(sentence)));
    }
}

std::size_t Sentences::add_kind(Ids sentence) {
    kinds_.push_back(sentence);
    opens_.push_back(opens_.back() + sentence.size());
    return kinds_.size() - 1;
}

std::size_t Sentences::find_or_add(Ids sentence) {
    auto hash = key_.first;
    for (const auto id : sentence) hash = folded_product(hash ^ id, key_.second);
    const auto last = slots_.size() - 1;
    for (auto at = hash & last;; at = (at + 1) & last) {
        if (slots_[at] == no_kind) {
            slots_[at] = static_cast<std::uint32_t>(kinds_.size());
            return add_kind(sentence);
        }
        const auto kind = kinds_[slots_[at]];
        if (std::equal(kind.begin(), kind.end(), sentence.begin(), sentence.end())) return slots_[at];
    }
}

Opened<Places> SentencePairs::open_hypothesis(const Tokens& tokens, std::size_t text, std::size_t n_ids) {
    hypothesis.open(tokens, text);
    joined_.clear();
    sentence_at_.clear();
    for (std::size_t k = 0; k < hypothesis.n_kinds(); ++k) {
        const auto sentence = hypothesis.kind(k);
        joined_.insert(joined_.end(), sentence.begin(), sentence.end());
        sentence_at_.insert(sentence_at_.end(), sentence.size(), static_cast<std::uint32_t>(k));
    }
    if (asked_.size() < n_ids) asked_.resize(n_ids);
    return places_.open(joined_, n_ids);
}

void SentencePairs::open_reference(const Tokens& tokens, std::size_t text) {
    reference.open(tokens, text);
    marked_.resize(reference.n_places());
}

Opened<Allowed> Allowed::open(const Tokens& tokens, std::size_t segment, std::size_t reference, Limits limits) {
    const auto n_ids = tokens.n_tokens(segment);
    const auto text = static_cast<std::size_t>(tokens.segments[segment]);
    if (left_.size() < n_ids) left_.resize(n_ids);
    Opened<Allowed> opened(this);
    if (limits == Limits::sentences) {
        hypothesis_ = sentence_tokens(tokens, text);
        for (const auto id : hypothesis_) ++left_[id];
        return opened;
    }
    hypothesis_ = tokens.text(text);
    Cells in_hypothesis(in_hypothesis_, hypothesis_, n_ids);
    for (const auto id : hypothesis_) ++in_hypothesis[id];
    for (const auto id : tokens.text(reference)) left_[id] += left_[id] < in_hypothesis[id];
    return opened;
}

void Allowed::close() {
    for (const auto id : hypothesis_) left_[id] = 0;
}

void union_lcs(const Tokens& tokens, std::size_t segment, Limits limits, std::span<std::int64_t> hits,
               UnionScratch& scratch, Stop& stop) {
    auto& pairs = scratch.pairs;
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_ids = tokens.n_tokens(segment);
    const auto is_single = [&](std::size_t text) {
        return tokens.text_sentences[text + 1] == tokens.text_sentences[text] + 1;
    };
    Opened<Places> opened;
    for (std::size_t r = 0; r < hits.size() && !stop.asked(1); ++r) {
        const auto text = first + 1 + r;
        if (limits == Limits::sentences && is_single(first) && is_single(text)) {
            hits[r] = lcs_and_ngrams(sentence_tokens(tokens, first), sentence_tokens(tokens, text), n_ids, true, {},
                                     scratch.lcs, stop);
            continue;
        }
        if (!opened) opened = pairs.open_hypothesis(tokens, first, n_ids);
        pairs.open_reference(tokens, text);
        for (std::size_t kind = 0; kind < pairs.reference.n_kinds() && !stop.asked(1); ++kind)
            mark_sentence(pairs.reference.kind(kind), pairs.marked(kind), n_ids, scratch, stop);
        const auto allowed = scratch.allowed.open(tokens, segment, text, limits);
        hits[r] = count_marked(scratch);
    }
}

}  // namespace textgauge
