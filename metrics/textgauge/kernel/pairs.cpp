#include "pairs.hpp"

#include <algorithm>

namespace textgauge {
namespace {

std::int64_t n_tokens_of(const Tokens& tokens, std::size_t text) { return tokens.offsets[text + 1] - tokens.offsets[text]; }

// The tokens of all sentences of a text.
std::int64_t n_sentence_tokens(const Tokens& tokens, std::size_t text) {
    return tokens.sentence_offsets[tokens.text_sentences[text + 1]] - tokens.sentence_offsets[tokens.text_sentences[text]];
}

bool has(std::span<const std::int32_t> units, std::int32_t unit) { return std::ranges::find(units, unit) != units.end(); }

// Whether no text of a segment has more sentences than one, of the same tokens.
bool are_one_sentence(const Tokens& tokens, std::size_t segment) {
    if (tokens.has_own_sentences) return false;
    for (auto text = tokens.segments[segment]; text < tokens.segments[segment + 1]; ++text)
        if (tokens.text_sentences[text + 1] > tokens.text_sentences[text] + 1) return false;
    return true;
}

// N-grams up to an order, 0 for none, and the LCS if it is wanted: the tokens that both texts of a
// pair have are found once for both.
void count_pairs(const Tokens& tokens, std::size_t segment, std::size_t n_orders, bool wants_lcs, PairScratch& scratch,
                 Stop& stop) {
    const auto row = [&](std::size_t pair) { return std::span(scratch.ngram_matches).subspan(pair * n_orders, n_orders); };
    auto& ngrams = scratch.ngrams;
    each_pair(
        tokens, segment, false, ngrams.masks, ngrams.matched, stop,
        [&](std::size_t pair, std::span<std::uint64_t> places) {
            if (wants_lcs) scratch.lengths[pair] = short_lcs_length(places);
            if (n_orders) short_ngram_matches(places, row(pair), ngrams);
        },
        [&](std::size_t pair, Ids hypothesis, Ids reference) {
            const Ids both[] = {hypothesis, reference};
            auto& shared = ngrams.shared;
            shared.open(both, tokens.n_tokens(segment));
            if (wants_lcs)
                scratch.lengths[pair] =
                    shared_lcs_length(shared.starts(0), shared.starts(1), shared.n_ngrams(), scratch.lcs, stop);
            if (n_orders) shared_ngram_matches(shared, row(pair), stop);
        });
}

}  // namespace

void pair_counts(const Tokens& tokens, std::size_t segment, std::span<const std::int32_t> units,
                 std::span<std::int64_t> counts, PairScratch& scratch, Stop& stop) {
    const auto hypothesis = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_pairs = static_cast<std::size_t>(tokens.segments[segment + 1]) - hypothesis - 1;
    const auto n_orders = static_cast<std::size_t>(std::max(units.empty() ? 0 : std::ranges::max(units), 0));
    // The union LCS of two texts of one sentence is their LCS.
    const bool wants_sentences = has(units, unit_union_lcs), wants_union = wants_sentences && !are_one_sentence(tokens, segment);
    const bool wants_lcs = has(units, unit_lcs) || (wants_sentences && !wants_union);
    scratch.ngram_matches.assign(n_pairs * n_orders, 0);
    scratch.lengths.assign(n_pairs, 0);
    if (n_orders || wants_lcs) count_pairs(tokens, segment, n_orders, wants_lcs, scratch, stop);
    scratch.hits = scratch.lengths;
    if (wants_union) union_lcs(tokens, segment, Limits::sentences, scratch.hits, scratch.union_lcs, stop);
    auto* row = counts.data();
    for (std::size_t pair = 0; pair < n_pairs; ++pair) {
        const auto reference = hypothesis + 1 + pair;
        for (const auto unit : units) {
            if (unit == unit_union_lcs) {
                *row++ = scratch.hits[pair];
                *row++ = n_sentence_tokens(tokens, hypothesis);
                *row++ = n_sentence_tokens(tokens, reference);
                continue;
            }
            const auto n_shorter = unit == unit_lcs ? 0 : unit - 1;
            *row++ = unit == unit_lcs ? scratch.lengths[pair] : scratch.ngram_matches[pair * n_orders + n_shorter];
            *row++ = std::max<std::int64_t>(n_tokens_of(tokens, hypothesis) - n_shorter, 0);
            *row++ = std::max<std::int64_t>(n_tokens_of(tokens, reference) - n_shorter, 0);
        }
    }
}

}  // namespace textgauge
