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

// N-grams up to an order, 0 for none, and the LCS if it is wanted, with the places of tokens
// looked up once for both.
void count_short(const Tokens& tokens, std::size_t segment, std::size_t n_orders, bool wants_lcs, PairScratch& scratch) {
    const auto hypothesis = static_cast<std::size_t>(tokens.segments[segment]);
    auto& masks = scratch.lcs.masks;
    masks.open(tokens.text(hypothesis), tokens.n_tokens(segment));
    for (std::size_t pair = 0; pair < scratch.lengths.size(); ++pair) {
        const auto places = masks.matched(tokens.text(hypothesis + 1 + pair), scratch.lcs.matched);
        if (wants_lcs) scratch.lengths[pair] = short_lcs_length(places);
        const auto matches = std::span(scratch.ngram_matches).subspan(pair * n_orders, n_orders);
        if (n_orders) short_ngram_matches(places, matches, scratch.ngrams);
    }
    masks.close(tokens.text(hypothesis));
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
    if (tokens.text(hypothesis).size() <= word_bits) {
        count_short(tokens, segment, n_orders, wants_lcs, scratch);
    } else {
        if (n_orders) pair_ngram_matches(tokens, segment, n_orders, false, scratch.ngram_matches, scratch.ngrams, stop);
        if (wants_lcs) lcs_lengths(tokens, segment, scratch.lengths, scratch.lcs, stop);
    }
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
