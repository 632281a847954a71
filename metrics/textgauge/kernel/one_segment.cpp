#include "one_segment.hpp"

#include <algorithm>
#include <atomic>

namespace textgauge {
namespace {

void add_ids(const Cutter& cutter, std::string_view text, CutScratch& scratch, std::vector<std::uint32_t>& ids) {
    cut_text(cutter, text, OneSegment::n_few_bytes, scratch);
    for (const auto token : scratch.tokens) ids.push_back(scratch.ids.id_of(token));
}

// Cuts the non-empty lines of a text as its sentences.
void add_lines(const Cutter& cutter, std::string_view text, OneScratch& scratch, std::vector<std::uint32_t>& ids) {
    auto& tokens = scratch.tokens;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = std::min(text.find('\n', start), text.size());
        if (end > start) {
            add_ids(cutter, text.substr(start, end - start), scratch.cut, ids);
            tokens.sentence_offsets.push_back(static_cast<std::int64_t>(ids.size()));
        }
        start = end + 1;
    }
    tokens.text_sentences.push_back(static_cast<std::int64_t>(tokens.sentence_offsets.size()) - 1);
}

}  // namespace

std::size_t n_bytes_of(std::span<const std::string_view> texts) {
    std::size_t n = 0;
    for (const auto text : texts) n += text.size();
    return n;
}

// The same ids as `textgauge::cut` gives.
void OneSegment::cut(std::span<const std::string_view> texts, bool has_sentences, OneScratch& scratch) const {
    auto& tokens = scratch.tokens;
    scratch.cut.arena.clear();
    scratch.cut.ids.clear();
    tokens.ids.clear();
    tokens.sentence_ids.clear();
    tokens.offsets.assign(1, 0);
    tokens.segments = {0, static_cast<std::int64_t>(texts.size())};
    tokens.sentence_offsets.assign(has_sentences, 0);
    tokens.text_sentences.assign(has_sentences, 0);
    tokens.has_own_sentences = has_sentences && !is_local(cutter_.tokenizer);
    for (const auto text : texts) {
        if (has_sentences && !tokens.has_own_sentences)
            add_lines(cutter_, text, scratch, tokens.ids);
        else
            add_ids(cutter_, text, scratch.cut, tokens.ids);
        tokens.offsets.push_back(static_cast<std::int64_t>(tokens.ids.size()));
    }
    if (tokens.has_own_sentences)
        for (const auto text : texts) add_lines(cutter_, text, scratch, tokens.sentence_ids);
}

// Calls work(scratch, stop).
template <class Work>
void OneSegment::with_scratch(std::span<const std::string_view> texts, Work work) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && n_bytes_of(texts) < n_few_bytes) {
        std::atomic<bool> never{false};
        Stop stop(never, false);
        work(scratch_, stop);
        return;
    }
    // What long texts need is not kept.
    for_each_segment<OneScratch>(1, 1, [&](OneScratch& scratch, std::size_t, Stop& stop) { work(scratch, stop); });
}

std::vector<std::int64_t> OneSegment::pair_counts(std::span<const std::string_view> texts,
                                                  std::span<const std::int32_t> units) {
    std::vector<std::int64_t> counts((texts.size() - 1) * units.size() * 3);
    with_scratch(texts, [&](OneScratch& scratch, Stop& stop) {
        cut(texts, std::ranges::find(units, unit_union_lcs) != units.end(), scratch);
        textgauge::pair_counts(scratch.tokens, 0, units, counts, scratch.pairs, stop);
    });
    return counts;
}

std::vector<std::int64_t> OneSegment::ngram_matches(std::span<const std::string_view> texts, std::size_t max_order) {
    std::vector<std::int64_t> counts(max_order + texts.size());
    with_scratch(texts, [&](OneScratch& scratch, Stop& stop) {
        cut(texts, false, scratch);
        const auto& offsets = scratch.tokens.offsets;
        textgauge::ngram_matches(scratch.tokens, 0, std::span(counts).first(max_order), scratch.pairs.ngrams, stop);
        for (std::size_t t = 0; t < texts.size(); ++t) counts[max_order + t] = offsets[t + 1] - offsets[t];
    });
    return counts;
}

}  // namespace textgauge
