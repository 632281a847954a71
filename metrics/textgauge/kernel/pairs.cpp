#include "pairs.hpp"

#include <algorithm>

namespace textgauge {
namespace {

// The tokens of all sentences of a text.
std::int64_t n_sentence_tokens(const Tokens& tokens, std::size_t text) {
    return tokens.sentence_offsets[tokens.text_sentences[text + 1]]
        - tokens.sentence_offsets[tokens.text_sentences[text]];
}

bool has(std::span<const std::int32_t> units, std::int32_t unit) {
    return std::ranges::find(units, unit) != units.end();
}

// Whether no text of a segment has more sentences than one, of the same tokens.
bool are_one_sentence(const Tokens& tokens, std::size_t segment) {
    if (tokens.has_own_sentences) return false;
    for (auto text = tokens.segments[segment]; text < tokens.segments[segment + 1]; ++text)
        if (tokens.text_sentences[text + 1] > tokens.text_sentences[text] + 1) return false;
    return true;
}

}  // namespace

void pair_counts(const Tokens& tokens, std::size_t segment, std::span<const std::int32_t> units, bool drops_last,
                 std::span<std::int64_t> counts, PairScratch& scratch, Stop& stop) {
    const auto text = [&](std::size_t t) {
        const auto whole = tokens.text(t);
        return whole.first(whole.size() - (drops_last && !whole.empty()));
    };
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_pairs = static_cast<std::size_t>(tokens.segments[segment + 1]) - first - 1;
    const auto n_orders = static_cast<std::size_t>(std::max(units.empty() ? 0 : std::ranges::max(units), 0));
    // The union LCS of two texts of one sentence is their LCS.
    const bool wants_union = has(units, unit_union_lcs);
    const bool is_union_lcs = wants_union && !drops_last && are_one_sentence(tokens, segment);
    const bool wants_lcs = is_union_lcs || has(units, unit_lcs);
    scratch.union_hits.assign(n_pairs, 0);
    if (wants_union && !is_union_lcs)
        union_lcs(tokens, segment, Limits::sentences, scratch.union_hits, scratch.union_lcs, stop);
    const auto hypothesis = text(first);
    auto* row = counts.data();
    for (std::size_t pair = 0; pair < n_pairs && !stop.asked(hypothesis.size()); ++pair) {
        const auto reference = text(first + 1 + pair);
        scratch.ngrams.assign(n_orders, 0);
        std::int64_t length = 0;
        if (n_orders || wants_lcs)
            length = lcs_and_ngrams(hypothesis, reference, tokens.n_tokens(segment), wants_lcs,
                scratch.ngrams, scratch.lcs, stop);
        for (const auto unit : units) {
            if (unit == unit_union_lcs) {
                *row++ = is_union_lcs ? length : scratch.union_hits[pair];
                *row++ = n_sentence_tokens(tokens, first);
                *row++ = n_sentence_tokens(tokens, first + 1 + pair);
                continue;
            }
            const auto n_shorter = unit == unit_lcs ? 0 : static_cast<std::size_t>(unit) - 1;
            const auto n_units = [&](Ids ids) {
                return static_cast<std::int64_t>(ids.size() - std::min(n_shorter, ids.size()));
            };
            *row++ = unit == unit_lcs ? length : scratch.ngrams[n_shorter];
            *row++ = n_units(hypothesis);
            *row++ = n_units(reference);
        }
    }
}

}  // namespace textgauge
