// The counts for Python: Tokens in, arrays of numbers per segment or pair out.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "assigned_edits.hpp"
#include "bags.hpp"
#include "bindings.hpp"
#include "character.hpp"
#include "chrf.hpp"
#include "joins.hpp"
#include "lcs.hpp"
#include "levenshtein.hpp"
#include "ngram_index.hpp"
#include "ngrams.hpp"
#include "nist.hpp"
#include "pairs.hpp"
#include "repeats.hpp"
#include "resamples.hpp"
#include "sari.hpp"
#include "segments.hpp"
#include "skip_bigrams.hpp"
#include "sums.hpp"
#include "texts.hpp"
#include "ter.hpp"
#include "tokens.hpp"
#include "timed_edits.hpp"
#include "trees.hpp"
#include "union_lcs.hpp"
#include "weighted_lcs.hpp"

namespace textgauge {
namespace {

// Rows of so many numbers are far too large long before their size overflows.
constexpr std::int64_t largest_order = 0xFFFF;

std::size_t checked_order(std::int64_t max_order) {
    if (max_order < 1 || max_order > largest_order) throw nb::value_error("max_order: expected 1 to 65535");
    return static_cast<std::size_t>(max_order);
}

Limits limits_of(const std::string& name) {
    if (name == "sentences") return Limits::sentences;
    if (name == "texts") return Limits::texts;
    throw nb::value_error("limits: expected 'sentences' or 'texts'");
}

void check_sentences(const Tokens& tokens) {
    if (tokens.text_sentences.empty()) throw nb::value_error("tokens: expected sentences");
}

void check_size(std::size_t n) {
    if (n > largest_segment) throw nb::value_error("texts: expected fewer than 2**32 - 2 characters or tokens each");
}

// Rows of numbers, shape (n_rows, *row), of which segment s has first_row(s) to first_row(s + 1):
// work(segment, rows, scratch, stop) fills them, without the GIL.
template <class Number, class Scratch, class FirstRow, class Work, class... Sizes>
nb::object filled(std::size_t n_segments, FirstRow first_row, int n_threads, Work work, Sizes... row) {
    const auto n_numbers = checked_product(row...);
    UnsetVector<Number> rows(checked_product(first_row(n_segments), n_numbers));
    {
        const nb::gil_scoped_release released;
        for_each_segment<Scratch>(n_segments, n_threads, [&](Scratch& scratch, std::size_t segment, Stop& stop) {
            const auto first = first_row(segment) * n_numbers, last = first_row(segment + 1) * n_numbers;
            const auto own = std::span(rows).subspan(first, last - first);
            // By the thread that fills them: the first touch of memory costs as much as what some of the work does.
            std::ranges::fill(own, Number{});
            work(segment, own, scratch, stop);
        });
    }
    return owned(std::move(rows), row...);
}

// The same with a row for every pair: the texts of a segment but its hypothesis.
template <class Number, class Scratch, class Work, class... Sizes>
nb::object per_pair(const Tokens& tokens, int n_threads, Work work, Sizes... row) {
    const auto first_pair = [&](std::size_t segment) {
        return static_cast<std::size_t>(tokens.segments[segment]) - segment;
    };
    return filled<Number, Scratch>(tokens.n_segments(), first_pair, n_threads, work, row...);
}

// The work on a segment that a function of the kernel does, with what it takes beside the tokens. To be used in
// the same expression: nothing is copied.
template <auto count, class... Options>
auto work_of(const Tokens& tokens, const Options&... options) {
    return [&](std::size_t segment, auto rows, auto& scratch, Stop& stop) {
        count(tokens, segment, options..., rows, scratch, stop);
    };
}

nb::object bleu_rows_of(const Tokens& tokens, std::int64_t max_order, std::int64_t least,
    std::int64_t which, int n_threads) {
    const auto n_columns = 2 * checked_order(max_order) + 2;
    if (which < 0 || which >= static_cast<std::int64_t>(ReferenceLength::n))
        throw nb::value_error("which: expected 0 to 2");
    const auto length = static_cast<ReferenceLength>(which);
    const auto rows_of = [&]<class Number>(Number) {
        return filled<Number, BleuRowScratch>(tokens.n_segments(), std::identity{}, n_threads,
                                              work_of<&bleu_row<Number>>(tokens, least, length), n_columns);
    };
    return length == ReferenceLength::average ? rows_of(double{}) : rows_of(std::int64_t{});
}

nb::object pair_counts_of(const Tokens& tokens, const ArrayView<std::int32_t>& units, bool drops_last, int n_threads) {
    const auto given = span_of(units);
    const std::vector<std::int32_t> wanted(given.begin(), given.end());
    for (const auto unit : wanted) {
        if (unit < unit_union_lcs || unit > largest_order)
            throw nb::value_error("units: expected numbers from -1 to 65535");
        if (unit == unit_union_lcs) check_sentences(tokens);
    }
    return per_pair<std::int64_t, PairScratch>(tokens, n_threads, work_of<&pair_counts>(tokens, wanted, drops_last),
                                               wanted.size(), std::size_t{3});
}

nb::object union_lcs_of(const Tokens& tokens, const std::string& limits, int n_threads) {
    check_sentences(tokens);
    return per_pair<std::int64_t, UnionScratch>(tokens, n_threads, work_of<&union_lcs>(tokens, limits_of(limits)));
}

nb::object weighted_lcs_of(const Tokens& tokens, double weight, int n_threads) {
    return per_pair<double, WeightedScratch>(tokens, n_threads, work_of<&weighted_lcs>(tokens, weight));
}

nb::object union_weighted_lcs_of(const Tokens& tokens, double weight, const std::string& limits, int n_threads) {
    check_sentences(tokens);
    return per_pair<double, WeightedScratch>(tokens, n_threads,
        work_of<&union_weighted_lcs>(tokens, weight, limits_of(limits)));
}

nb::object skip_bigram_matches_of(const Tokens& tokens, std::int64_t gap, int n_threads) {
    return per_pair<std::int64_t, SkipBigramScratch>(tokens, n_threads, work_of<&skip_bigram_matches>(tokens, gap));
}

nb::object bag_matches_of(const Tokens& tokens, bool as_sets, int n_threads) {
    return per_pair<std::int64_t, BagScratch>(tokens, n_threads,
        work_of<&bag_matches>(tokens, as_sets), std::size_t{4});
}

nb::object repeated_ngrams_of(const Tokens& tokens, std::int64_t max_order, int n_threads) {
    const auto n_orders = checked_order(max_order);
    const auto first_text = [&](std::size_t segment) { return static_cast<std::size_t>(tokens.segments[segment]); };
    return filled<std::int64_t, RepeatScratch>(tokens.n_segments(), first_text, n_threads,
                                               work_of<&repeated_ngrams>(tokens, n_orders), n_orders, std::size_t{3});
}

nb::object translation_edits_of(const Tokens& tokens, int n_threads) {
    return per_pair<double, TerScratch>(tokens, n_threads, work_of<&translation_edits>(tokens), std::size_t{2});
}

Aligner aligner_of(std::int64_t code) {
    if (code < 0 || code >= static_cast<std::int64_t>(Aligner::n)) throw nb::value_error("aligner: expected 0 to 3");
    return static_cast<Aligner>(code);
}

nb::object levenshtein_edits_of(const Tokens& tokens, std::int64_t aligner, int n_threads) {
    return per_pair<std::int64_t, LevenshteinScratch>(
        tokens, n_threads, work_of<&levenshtein_edits>(tokens, aligner_of(aligner)), n_edit_counts);
}

Aligner joining_aligner_of(std::int64_t code) {
    const auto aligner = code == 2 || code == 3 ? static_cast<Aligner>(code) : Aligner::n;
    if (aligner == Aligner::n) throw nb::value_error("aligner: expected 2 or 3");
    return aligner;
}

nb::tuple joined_edits_of(const Cutter& cutter, const Texts& hypotheses, const Texts& references,
                          const ReferenceOffsets& array, std::int64_t aligner, int n_threads) {
    const auto offsets = checked_reference_offsets(array, hypotheses.size(), references.size());
    const auto chosen = joining_aligner_of(aligner);
    checked_product(references.size(), n_edit_counts);
    auto found = [&] {
        const nb::gil_scoped_release released;
        return joined_edits(cutter, {hypotheses, references, offsets}, chosen, n_threads);
    }();
    return nb::make_tuple(std::move(found.tokens), owned(std::move(found.counts), n_edit_counts));
}

void check_sources(const Tokens& tokens) {
    for (std::size_t s = 0; s < tokens.n_segments(); ++s)
        if (tokens.segments[s + 1] - tokens.segments[s] < 3)
            throw nb::value_error("tokens: expected a source and a reference in every segment");
}

nb::object sari_shares_of(const Tokens& tokens, std::int64_t rule, int n_threads) {
    if (rule < 0 || rule >= static_cast<std::int64_t>(SariRule::n)) throw nb::value_error("rule: expected 0 to 2");
    check_sources(tokens);
    const auto chosen = static_cast<SariRule>(rule);
    return filled<double, SariScratch>(tokens.n_segments(), std::identity{}, n_threads,
                                       work_of<&sari_shares>(tokens, chosen), n_sari_shares);
}

nb::object sari_counts_of(const Tokens& tokens, int n_threads) {
    check_sources(tokens);
    return filled<std::int64_t, SariScratch>(tokens.n_segments(), std::identity{}, n_threads,
                                             work_of<&sari_counts>(tokens), n_sari_counts);
}

nb::tuple matched_orders_of(const Tokens& tokens, std::int64_t max_order, int n_threads) {
    const auto n_orders = checked_order(max_order);
    std::vector<std::uint16_t> order_of(tokens.ids.size());
    std::vector<std::uint8_t> joins(tokens.ids.size());
    {
        const nb::gil_scoped_release released;
        for_each_segment<NgramScratch>(
            tokens.n_segments(), n_threads, [&](NgramScratch& scratch, std::size_t segment, Stop& stop) {
                const auto first = static_cast<std::size_t>(tokens.offsets[tokens.segments[segment]]);
                const auto last = static_cast<std::size_t>(tokens.offsets[tokens.segments[segment + 1]]);
                matched_orders(tokens, segment, n_orders, std::span(order_of).subspan(first, last - first),
                               std::span(joins).subspan(first, last - first), scratch, stop);
            });
    }
    return nb::make_tuple(owned(std::move(order_of)), owned(std::move(joins)));
}

nb::object character_matches_of(const Texts& hypotheses, const Texts& references,
                                const ReferenceOffsets& reference_offsets, std::int64_t char_order,
                                std::int64_t word_order, bool whitespace, int n_threads) {
    if (char_order < 0 || word_order < 0 || (char_order == 0 && word_order == 0))
        throw nb::value_error("char_order, word_order: expected at least 0, and one of them at least 1");
    if (char_order > largest_order || word_order > largest_order)
        throw nb::value_error("char_order, word_order: expected at most 65535");
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    for (const auto* side : {&hypotheses, &references})
        for (const auto text : side->views) check_size(text.size());
    const ChrfOptions options{static_cast<std::size_t>(char_order), static_cast<std::size_t>(word_order), whitespace};
    const auto first_row = [&](std::size_t segment) { return static_cast<std::size_t>(offsets[segment]); };
    const auto work = [&](std::size_t segment, auto rows, auto& scratch, Stop& stop) {
        const auto first = first_row(segment), last = first_row(segment + 1);
        character_matches(hypotheses[segment], std::span(references.views).subspan(first, last - first), options, rows,
                          scratch, stop);
    };
    return filled<std::int64_t, ChrfScratch>(hypotheses.size(), first_row, n_threads, work, 3 * options.n_orders());
}

nb::object character_edits_of(const Texts& hypotheses, const Texts& references,
                              const ReferenceOffsets& reference_offsets, int n_threads) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    for (const auto* side : {&hypotheses, &references})
        for (const auto text : side->views) check_size(text.size());
    const auto first_row = [&](std::size_t segment) { return static_cast<std::size_t>(offsets[segment]); };
    const auto work = [&](std::size_t segment, auto rows, auto& scratch, Stop& stop) {
        const auto first = first_row(segment), last = first_row(segment + 1);
        character_edits(hypotheses[segment], std::span(references.views).subspan(first, last - first), rows, scratch,
                        stop);
    };
    return filled<double, CharacterScratch>(hypotheses.size(), first_row, n_threads, work, std::size_t{2});
}

nb::object information_rows(const NgramInformation& information, const Texts& hypotheses, const Texts& references,
                            const ReferenceOffsets& reference_offsets, bool is_union, int n_threads) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    for (const auto* side : {&hypotheses, &references})
        for (const auto text : side->views) check_size(text.size());
    const auto work = [&](std::size_t segment, auto row, auto& scratch, Stop& stop) {
        const auto first = static_cast<std::size_t>(offsets[segment]);
        const auto last = static_cast<std::size_t>(offsets[segment + 1]);
        information.row(hypotheses[segment], std::span(references.views).subspan(first, last - first), is_union, row,
                        scratch, stop);
    };
    return filled<double, NistScratch>(hypotheses.size(), std::identity{}, n_threads, work,
                                       2 * information.max_order() + 2);
}

// Runs work(stop) without the GIL, ready to stop at a signal.
template <class Work>
void alone(Work work) {
    struct None {};
    const nb::gil_scoped_release released;
    for_each_segment<None>(1, 1, [&](None&, std::size_t, Stop& stop) { work(stop); });
}

// Refuses tokens of texts that are not all of one segment, and texts that are too long for counts of 32 bits.
void check_group(const Tokens& tokens) {
    if (tokens.n_segments() != 1) throw nb::value_error("tokens: expected one segment");
    if (tokens.ids.size() > 0x7FFFFFFF) throw nb::value_error("tokens: expected fewer than 2**31");
}

Sides checked_sides(const Tokens& tokens, std::size_t n_rows, std::size_t first_column) {
    check_group(tokens);
    if (n_rows > tokens.n_texts() || first_column > tokens.n_texts())
        throw nb::value_error("n_rows, first_column: expected at most the number of texts");
    return {n_rows, first_column};
}

void new_ngram_index(NgramIndex* self, const Tokens& tokens, std::int64_t max_order, std::size_t n_rows,
                     std::size_t first_column) {
    const auto sides = checked_sides(tokens, n_rows, first_column);
    const auto n_orders = checked_order(max_order);
    alone([&](Stop& stop) { new (self) NgramIndex(tokens, n_orders, sides, stop); });
}

nb::object weighted_matches_of(const Tokens& tokens, std::int64_t max_order, std::size_t n_rows,
                               std::size_t first_column, const ArrayView<double>& weights) {
    const auto sides = checked_sides(tokens, n_rows, first_column);
    const auto n_orders = checked_order(max_order);
    const auto given = span_of(weights);
    const std::vector<double> held(given.begin(), given.end());
    if (held.size() != tokens.n_texts() - first_column) throw nb::value_error("weights: expected one for every column");
    std::vector<double> matches(checked_product(n_rows, n_orders));
    alone([&](Stop& stop) { weighted_ngram_matches(tokens, n_orders, sides, held, matches, stop); });
    return owned(std::move(matches), n_orders);
}

void new_ngram_information(NgramInformation* self, const Cutter& cutter, const Texts& references,
                           std::int64_t max_order) {
    const auto n_orders = checked_order(max_order);
    std::size_t n_bytes = 0;
    for (const auto text : references.views) n_bytes += text.size();
    check_size(n_bytes);
    alone([&](Stop& stop) { new (self) NgramInformation(cutter, references, n_orders, stop); });
}

void new_lcs_index(LcsIndex* self, const Tokens& tokens) {
    check_group(tokens);
    const nb::gil_scoped_release released;
    new (self) LcsIndex(tokens);
}

// The texts of a block of a matrix.
struct Range {
    std::size_t first_row, last_row, first_column, last_column;

    void check(Sides sides, std::size_t n_texts) const {
        if (first_row >= last_row || last_row > sides.n_rows || first_column < sides.first_column ||
            first_column >= last_column || last_column > n_texts)
            throw nb::value_error("rows, columns: expected non-empty ranges of the rows and columns of the index");
    }
    std::size_t n_rows() const { return last_row - first_row; }
    std::size_t n_columns() const { return last_column - first_column; }
};

nb::object index_matches(const NgramIndex& index, std::size_t first_row, std::size_t last_row,
                         std::size_t first_column, std::size_t last_column) {
    const Range range{first_row, last_row, first_column, last_column};
    range.check(index.sides(), index.n_texts());
    const auto n_orders = index.max_order(), n_columns = range.n_columns();
    const auto work = [&](std::size_t row, auto counts, MatchScratch& scratch, Stop& stop) {
        for (std::size_t order = 1; order <= n_orders && !stop.asked(n_columns); ++order)
            index.add_matches(first_row + row, order, first_column, counts.subspan((order - 1) * n_columns, n_columns),
                              scratch);
    };
    return filled<std::int32_t, MatchScratch>(range.n_rows(), std::identity{}, 1, work, n_orders, n_columns);
}

nb::object index_lengths(const LcsIndex& index, std::size_t first_row, std::size_t last_row, std::size_t first_column,
                         std::size_t last_column) {
    const Range range{first_row, last_row, first_column, last_column};
    range.check({index.n_texts(), 0}, index.n_texts());
    const auto work = [&](std::size_t row, auto lengths, LcsScratch& scratch, Stop& stop) {
        index.lengths(first_row + row, first_column, lengths, scratch, stop);
    };
    return filled<std::int32_t, LcsScratch>(range.n_rows(), std::identity{}, 1, work, range.n_columns());
}

void new_levenshtein_index(LevenshteinIndex* self, const Tokens& tokens, std::int64_t aligner) {
    check_group(tokens);
    const auto chosen = aligner_of(aligner);
    const nb::gil_scoped_release released;
    new (self) LevenshteinIndex(tokens, chosen);
}

nb::object index_edits(const LevenshteinIndex& index, std::size_t first_row, std::size_t last_row,
                       std::size_t first_column, std::size_t last_column) {
    const Range range{first_row, last_row, first_column, last_column};
    range.check({index.n_texts(), 0}, index.n_texts());
    const auto work = [&](std::size_t row, auto counts, LevenshteinScratch& scratch, Stop& stop) {
        index.edits(first_row + row, first_column, counts, scratch, stop);
    };
    return filled<std::int32_t, LevenshteinScratch>(range.n_rows(), std::identity{}, 1, work, range.n_columns(),
                                                    n_edit_counts);
}

// Two texts whose ids may be any numbers, with dense ones.
struct DensePair {
    std::vector<std::uint32_t> hypothesis, reference;
    std::size_t n_ids;

    DensePair(Ids left, Ids right) {
        check_size(left.size());
        check_size(right.size());
        std::vector<std::uint32_t> kinds(right.begin(), right.end());
        std::sort(kinds.begin(), kinds.end());
        kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
        // What only the hypothesis has matches nothing: all of it gets one more number.
        n_ids = kinds.size() + 1;
        const auto number = [&](std::uint32_t id) {
            const auto at = std::lower_bound(kinds.begin(), kinds.end(), id);
            const auto found = at != kinds.end() && *at == id ? at : kinds.end();
            return static_cast<std::uint32_t>(found - kinds.begin());
        };
        std::transform(left.begin(), left.end(), std::back_inserter(hypothesis), number);
        std::transform(right.begin(), right.end(), std::back_inserter(reference), number);
    }
};

nb::object lcs_path_of(const ArrayView<std::uint32_t>& hypothesis, const ArrayView<std::uint32_t>& reference) {
    std::vector<std::int64_t> path;
    alone([&](Stop& stop) {
        LcsScratch scratch;
        const DensePair pair(span_of(hypothesis), span_of(reference));
        path = lcs_path(pair.hypothesis, pair.reference, pair.n_ids, scratch, stop);
    });
    return owned(std::move(path), std::size_t{2});
}

std::string levenshtein_path_of(const ArrayView<std::uint32_t>& hypothesis, const ArrayView<std::uint32_t>& reference,
                                std::int64_t aligner) {
    const auto chosen = aligner_of(aligner);
    std::string path;
    alone([&](Stop& stop) {
        LevenshteinScratch scratch;
        const DensePair pair(span_of(hypothesis), span_of(reference));
        path = levenshtein_path(pair.hypothesis, pair.reference, pair.n_ids, chosen, scratch, stop);
    });
    return path;
}

// Texts as the numbers of their words. Copies: while the GIL is released, another thread may write into arrays of Python's.
struct NumberedTexts {
    std::vector<std::uint32_t> ids;
    std::vector<std::int64_t> offsets;

    NumberedTexts(const ArrayView<std::uint32_t>& words, const ArrayView<std::int64_t>& ends)
        : ids(span_of(words).begin(), span_of(words).end()), offsets(span_of(ends).begin(), span_of(ends).end()) {
        if (!are_offsets(offsets, ids.size())) throw nb::value_error("offsets: expected them to ascend to the number of words");
    }

    std::size_t size() const { return offsets.size() - 1; }

    // The part of a text in an array with an element for each word.
    template <class Value>
    std::span<const Value> part(std::span<const Value> values, std::size_t text) const {
        const auto first = static_cast<std::size_t>(offsets[text]);
        return values.subspan(first, static_cast<std::size_t>(offsets[text + 1]) - first);
    }

    Ids operator[](std::size_t text) const { return part(Ids(ids), text); }
};

nb::object timed_edits_of(const ArrayView<std::uint32_t>& ids, const ArrayView<std::int64_t>& offsets,
                          const ArrayView<double>& times, std::size_t n_hypotheses, int n_threads) {
    const NumberedTexts texts(ids, offsets);
    const auto given = span_of(times);
    if (given.size() % 2 != 0 || given.size() / 2 != texts.ids.size())
        throw nb::value_error("times: expected two for every word");
    if (n_hypotheses > texts.size()) throw nb::value_error("n_hypotheses: expected at most the number of texts");
    std::vector<std::array<double, 2>> held(texts.ids.size());
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = {given[2 * i], given[2 * i + 1]};
    const auto text = [&](std::size_t t) {
        return TimedWords{texts[t], texts.part(std::span<const std::array<double, 2>>(held), t)};
    };
    const auto n_pairs = checked_product(texts.size() - n_hypotheses, n_hypotheses);
    std::vector<std::int64_t> counts(checked_product(n_pairs, n_edit_counts));
    {
        const nb::gil_scoped_release released;
        for_each_segment<TimedScratch>(n_pairs, n_threads, [&](TimedScratch& scratch, std::size_t pair, Stop& stop) {
            const auto found = timed_edits(text(pair % n_hypotheses), text(n_hypotheses + pair / n_hypotheses), scratch, stop);
            std::copy(found.begin(), found.end(), counts.begin() + static_cast<std::ptrdiff_t>(pair * n_edit_counts));
        });
    }
    return owned(std::move(counts), n_edit_counts);
}

// Texts of which the first are channels, the others utterances.
struct ChannelsAndUtterances {
    ChannelsAndUtterances(const ArrayView<std::uint32_t>& ids, const ArrayView<std::int64_t>& offsets, std::size_t n_channels)
        : texts(ids, offsets) {
        if (n_channels > texts.size()) throw nb::value_error("n_channels: expected at most the number of texts");
        every.resize(texts.size());
        for (std::size_t t = 0; t < every.size(); ++t) every[t] = texts[t];
        channels = std::span<const Ids>(every).first(n_channels);
        utterances = std::span<const Ids>(every).subspan(n_channels);
    }

    NumberedTexts texts;
    std::vector<Ids> every;
    std::span<const Ids> channels, utterances;
};

nb::object assigned_edits_of(const ArrayView<std::uint32_t>& ids, const ArrayView<std::int64_t>& offsets,
                             std::size_t n_channels, std::uint64_t most_cells) {
    const ChannelsAndUtterances texts(ids, offsets, n_channels);
    std::vector<std::int64_t> counts(n_edit_counts, -1);
    if (assigned_cells(texts.channels, texts.utterances) <= most_cells)
        alone([&](Stop& stop) {
            const auto found = assigned_edits(texts.channels, texts.utterances, stop);
            counts.assign(found.begin(), found.end());
        });
    return owned(std::move(counts));
}

nb::object assigned_channels_of(const ArrayView<std::uint32_t>& ids, const ArrayView<std::int64_t>& offsets,
                                std::size_t n_channels) {
    const ChannelsAndUtterances texts(ids, offsets, n_channels);
    std::vector<std::int64_t> found;
    alone([&](Stop& stop) { found = assigned_channels(texts.channels, texts.utterances, stop); });
    return owned(std::move(found));
}

nb::list joined_paths_of(const Cutter& cutter, const Texts& hypotheses, const Texts& references, std::int64_t aligner) {
    const auto chosen = joining_aligner_of(aligner);
    if (hypotheses.size() != references.size()) throw nb::value_error("references: expected one for every hypothesis");
    std::vector<std::string> paths(hypotheses.size());
    alone([&](Stop& stop) {
        JoinScratch scratch;
        for (std::size_t s = 0; s < paths.size() && !stop.asked(64); ++s)
            paths[s] = joined_path(cutter, hypotheses[s], references[s], chosen, scratch, stop);
    });
    nb::list written;
    for (const auto& path : paths) written.append(nb::str(path.data(), path.size()));
    return written;
}

nb::tuple edit_operations_of(const ArrayView<std::uint32_t>& hypothesis, const ArrayView<std::uint32_t>& reference) {
    TerScratch scratch;
    alone([&](Stop& stop) {
        const DensePair pair(span_of(hypothesis), span_of(reference));
        edit_operations(pair.hypothesis, pair.reference, pair.n_ids, scratch, stop);
    });
    nb::list shifts;
    for (const auto& shift : scratch.shifts) shifts.append(nb::make_tuple(shift.start, shift.length, shift.target));
    return nb::make_tuple(shifts, scratch.edits);
}

// A copy: while the GIL is released, another thread may write into an array of Python's.
Trees trees_of(const ArrayView<std::uint32_t>& labels, const ArrayView<std::uint32_t>& left,
               const ArrayView<std::uint32_t>& contents, const ArrayView<std::int64_t>& offsets,
               const ArrayView<std::uint32_t>& tokens, const ArrayView<std::int64_t>& content_offsets) {
    const auto copied = [](auto values) { return std::vector(values.begin(), values.end()); };
    Trees trees{copied(span_of(labels)), copied(span_of(left)), copied(span_of(contents)), copied(span_of(offsets)),
                copied(span_of(tokens)), copied(span_of(content_offsets))};
    const auto n = trees.labels.size();
    if (trees.left.size() != n || trees.contents.size() != n)
        throw nb::value_error("left, contents: expected a number for every label");
    if (!are_offsets(trees.offsets, n) || !are_offsets(trees.content_offsets, trees.tokens.size()))
        throw nb::value_error("offsets: expected ascending numbers from 0 to the end");
    for (const auto content : trees.contents)
        if (content + std::size_t{1} >= trees.content_offsets.size())
            throw nb::value_error("contents: expected places of contents");
    for (std::size_t t = 0; t + 1 < trees.offsets.size(); ++t) {
        // What is below a node stands before it, in whole subtrees: a stack of the first leaves of those that are open.
        std::vector<std::uint32_t> firsts;
        const auto begin = static_cast<std::size_t>(trees.offsets[t]);
        const auto end = static_cast<std::size_t>(trees.offsets[t + 1]);
        for (auto u = begin; u < end; ++u) {
            const auto first = trees.left[u];
            while (!firsts.empty() && firsts.back() > first) firsts.pop_back();
            if (first == u - begin)
                firsts.push_back(first);
            else if (firsts.empty() || firsts.back() != first)
                throw nb::value_error("left: expected the first leaf below every node");
        }
        if (firsts.size() > 1) throw nb::value_error("left: expected one root for every tree");
    }
    for (const auto id : trees.tokens) trees.n_ids = std::max(trees.n_ids, id + std::size_t{1});
    if (trees.n_ids > trees.tokens.size()) throw nb::value_error("tokens: expected ids below their number");
    return trees;
}

nb::object tree_distances_of(const ArrayView<std::uint32_t>& labels, const ArrayView<std::uint32_t>& left,
                             const ArrayView<std::uint32_t>& contents, const ArrayView<std::int64_t>& offsets,
                             const ArrayView<std::uint32_t>& tokens, const ArrayView<std::int64_t>& content_offsets,
                             const ArrayView<std::int64_t>& pairs, std::size_t most_pairs, int n_threads) {
    const auto trees = trees_of(labels, left, contents, offsets, tokens, content_offsets);
    const auto given = span_of(pairs);
    const std::vector<std::int64_t> wanted(given.begin(), given.end());
    const auto n_trees = static_cast<std::int64_t>(trees.offsets.size()) - 1;
    if (wanted.size() % 2 != 0 || std::ranges::any_of(wanted, [&](auto t) { return t < 0 || t >= n_trees; }))
        throw nb::value_error("pairs: expected places of trees, two for every pair");
    std::vector<double> found(wanted.size() / 2);
    {
        const nb::gil_scoped_release released;
        for_each_segment<TreeScratch>(found.size(), n_threads, [&](TreeScratch& scratch, std::size_t pair, Stop& stop) {
            found[pair] = tree_distance(trees, static_cast<std::size_t>(wanted[2 * pair]),
                                        static_cast<std::size_t>(wanted[2 * pair + 1]), most_pairs, scratch, stop);
        });
    }
    return owned(std::move(found));
}

nb::object tree_mapping_of(const ArrayView<std::uint32_t>& labels, const ArrayView<std::uint32_t>& left,
                           const ArrayView<std::uint32_t>& contents, const ArrayView<std::int64_t>& offsets,
                           const ArrayView<std::uint32_t>& tokens, const ArrayView<std::int64_t>& content_offsets,
                           std::size_t most_pairs) {
    const auto trees = trees_of(labels, left, contents, offsets, tokens, content_offsets);
    if (trees.offsets.size() != 3) throw nb::value_error("offsets: expected those of two trees");
    std::vector<std::int64_t> mapping;
    alone([&](Stop& stop) {
        TreeScratch scratch;
        for (const auto& pair : tree_mapping(trees, 0, 1, most_pairs, scratch, stop))
            mapping.insert(mapping.end(), pair.begin(), pair.end());
    });
    return owned(std::move(mapping), std::size_t{2});
}

// Digits by column, or the place of a value that has none.
nb::object digit_sums_of(const nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>& values) {
    const auto n_columns = values.shape(1), n_values = values.shape(0) * n_columns;
    std::vector<Digits> sums(n_columns);
    const auto n_added = [&] {
        const nb::gil_scoped_release released;
        return digit_sums({values.data(), n_values}, sums);
    }();
    if (n_added < n_values) return nb::int_(n_added);
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < n_digits; ++i)
        for (const auto& sum : sums) rows.push_back(static_cast<std::int64_t>(sum[i]));
    return owned(std::move(rows), n_columns);
}

// A column of numbers, which may have others between them.
using Column = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;

// Adds the numbers of columns of one length, blocks of them on threads; the first number that is refused, if one is.
std::optional<double> add_columns(std::span<const Column> columns, std::span<ExactSum> sums, int n_threads) {
    constexpr std::size_t n_block = 4096;
    const auto n = columns.empty() ? 0 : columns[0].shape(0), n_blocks = (n + n_block - 1) / n_block;
    const auto add_block = [&](std::size_t k, std::size_t block, ExactSum& to) {
        const auto* const values = columns[k].data();
        const auto stride = columns[k].stride(0);
        const auto last = std::min(n, (block + 1) * n_block);
        std::optional<double> refused;
        for (auto i = block * n_block; i < last && !refused; ++i) {
            const auto value = values[static_cast<std::ptrdiff_t>(i) * stride];
            if (!to.add(value)) refused = value;
        }
        return refused;
    };
    if (n_threads < 2) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            for (std::size_t block = 0; block < n_blocks; ++block)
                if (const auto refused = add_block(k, block, sums[k])) return refused;
        return {};
    }
    std::vector<ExactSum> parts(columns.size() * n_blocks);
    std::vector<std::optional<double>> refused(parts.size());
    struct None {};
    for_each_segment<None>(parts.size(), n_threads, [&](None&, std::size_t p, Stop&) {
        refused[p] = add_block(p / n_blocks, p % n_blocks, parts[p]);
    });
    for (std::size_t p = 0; p < parts.size(); ++p) {
        if (refused[p]) return refused[p];
        sums[p / n_blocks].add(parts[p]);
    }
    return {};
}

// The means of all columns, or the first number that is refused. Parts are asked for one after the other, so that an
// iterator need not hold all of them.
nb::object exact_means_of(nb::iterable parts, double factor, int n_threads) {
    const auto size = std::abs(factor);
    if (!(size >= 0x1p-64 && size <= 0x1p64)) throw nb::value_error("factor: expected 2**-64 to 2**64 in size");
    std::vector<ExactSum> sums;
    std::size_t n = 0;
    bool is_first = true;
    for (const nb::handle part : parts) {
        const auto given = nb::borrow<nb::tuple>(tuple_of(part));
        if (is_first) sums.resize(nb::len(given));
        if (nb::len(given) != sums.size()) throw nb::value_error("parts: expected as many columns in each");
        std::vector<Column> columns(sums.size());
        for (std::size_t k = 0; k < columns.size(); ++k) {
            if (!nb::try_cast(given[k], columns[k])) throw nb::type_error("parts: expected arrays of float64");
            if (columns[k].shape(0) != columns[0].shape(0))
                throw nb::value_error("parts: expected columns of one length");
        }
        const auto refused = [&] {
            const nb::gil_scoped_release released;
            return add_columns(columns, sums, n_threads);
        }();
        if (refused) return nb::float_(*refused);
        n += columns.empty() ? 0 : columns[0].shape(0);
        is_first = false;
    }
    if (n == 0) throw nb::value_error("parts: expected at least one number");
    nb::list means;
    for (const auto& sum : sums) means.append(nb::float_(sum.mean(n, factor)));
    return means;
}

using AnyRows = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number, class Summed>
nb::object drawn_sums(const AnyRows& rows, const Resamples& resamples, int n_threads, Summed summed) {
    const Table<Number> table{{static_cast<const Number*>(rows.data()), rows.size()}, rows.shape(1)};
    if (table.n_rows() < 1 || table.n_rows() > most_rows_to_draw)
        throw nb::value_error("rows: expected 1 to 2**32 - 1");
    std::vector<Number> sums(checked_product(resamples.n, table.n_columns));
    {
        const nb::gil_scoped_release released;
        summed(table, resamples, n_threads, std::span(sums));
    }
    return owned(std::move(sums), table.n_columns);
}

// Sums of the rows that each resample draws, in the type of the rows: shape (n_resamples, n_columns).
template <class Summed>
auto drawn_sums_of(Summed summed) {
    return [summed](const AnyRows& rows, std::uint64_t seed, std::uint64_t first, std::size_t n, int n_threads) {
        const Resamples resamples{seed, first, n};
        if (rows.dtype() == nb::dtype<std::int64_t>())
            return drawn_sums<std::int64_t>(rows, resamples, n_threads, summed);
        if (rows.dtype() == nb::dtype<double>()) return drawn_sums<double>(rows, resamples, n_threads, summed);
        throw nb::type_error("rows: expected int64 or float64");
    };
}

}  // namespace

void bind_counts(nb::module_& m) {
    const auto n_threads = nb::arg("n_threads") = 1;
    m.def("bleu_rows", &bleu_rows_of, nb::arg("tokens"), nb::arg("max_order"), nb::arg("least") = 0,
          nb::arg("which") = 1, n_threads);
    m.def("pair_counts", &pair_counts_of, nb::arg("tokens"), nb::arg("units"),
        nb::arg("drops_last") = false, n_threads);
    m.def("repeated_ngrams", &repeated_ngrams_of, nb::arg("tokens"), nb::arg("max_order"), n_threads);
    m.def("union_lcs", &union_lcs_of, nb::arg("tokens"), nb::arg("limits") = "sentences", n_threads);
    m.def("weighted_lcs", &weighted_lcs_of, nb::arg("tokens"), nb::arg("weight"), n_threads);
    m.def("union_weighted_lcs", &union_weighted_lcs_of, nb::arg("tokens"), nb::arg("weight"),
          nb::arg("limits") = "sentences", n_threads);
    m.def("skip_bigram_matches", &skip_bigram_matches_of, nb::arg("tokens"), nb::arg("gap"), n_threads);
    m.def("bag_matches", &bag_matches_of, nb::arg("tokens"), nb::arg("as_sets") = false, n_threads);
    m.def("sari_shares", &sari_shares_of, nb::arg("tokens"), nb::arg("rule"), n_threads);
    m.def("sari_counts", &sari_counts_of, nb::arg("tokens"), n_threads);
    m.def("matched_orders", &matched_orders_of, nb::arg("tokens"), nb::arg("max_order"), n_threads);
    m.def("character_matches", &character_matches_of, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("reference_offsets").none(), nb::arg("char_order"), nb::arg("word_order"), nb::kw_only(),
          nb::arg("whitespace") = false, n_threads);
    m.def("character_edits", &character_edits_of, nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("reference_offsets").none(), n_threads);
    m.def("character_tokens", [](const Texts& texts, bool whitespace) {
        Tokens tokens;
        alone([&](Stop& stop) { tokens = character_tokens(texts, whitespace, stop); });
        return tokens;
    }, nb::arg("texts"), nb::arg("whitespace") = false);
    m.def("word_tokens", [](const Texts& texts) {
        Tokens tokens;
        alone([&](Stop& stop) { tokens = word_tokens(texts, stop); });
        return tokens;
    }, nb::arg("texts"));
    const auto range = [](auto& index, const char* name, auto method) {
        index.def(name, method, nb::arg("first_row"), nb::arg("last_row"), nb::arg("first_column"),
                  nb::arg("last_column"));
    };
    nb::class_<NgramIndex> ngrams(m, "NgramIndex");
    ngrams.def("__init__", &new_ngram_index, nb::arg("tokens"), nb::arg("max_order"), nb::arg("n_rows"),
               nb::arg("first_column"));
    range(ngrams, "matches", &index_matches);
    nb::class_<LcsIndex> lcs(m, "LcsIndex");
    lcs.def("__init__", &new_lcs_index, nb::arg("tokens"));
    range(lcs, "lengths", &index_lengths);
    nb::class_<NgramInformation>(m, "NgramInformation")
        .def("__init__", &new_ngram_information, nb::arg("cutter"), nb::arg("references"), nb::arg("max_order"),
             nb::keep_alive<1, 2>())
        .def("rows", &information_rows, nb::arg("hypotheses"), nb::arg("references"),
             nb::arg("reference_offsets").none(), nb::arg("union") = false, n_threads);
    m.def("weighted_ngram_matches", &weighted_matches_of, nb::arg("tokens"), nb::arg("max_order"), nb::arg("n_rows"),
          nb::arg("first_column"), nb::arg("weights"));
    m.def("digit_sums", &digit_sums_of, nb::arg("values"));
    m.def("exact_means", &exact_means_of, nb::arg("parts"), nb::arg("factor") = 1.0, n_threads);
    const auto define = [&](const char* name, auto summed) {
        m.def(name, drawn_sums_of(summed), nb::arg("rows"), nb::arg("seed"), nb::arg("first"), nb::arg("n_resamples"),
              n_threads);
    };
    define("resampled_sums", [](auto&&... given) { resampled_sums(given...); });
    define("exchanged_sums", [](auto&&... given) { exchanged_sums(given...); });
    nb::class_<LevenshteinIndex> edits(m, "LevenshteinIndex");
    edits.def("__init__", &new_levenshtein_index, nb::arg("tokens"), nb::arg("aligner") = 0);
    range(edits, "edits", &index_edits);
    m.def("levenshtein_edits", &levenshtein_edits_of, nb::arg("tokens"), nb::arg("aligner") = 0, n_threads);
    m.def("levenshtein_path", &levenshtein_path_of, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("aligner") = 0);
    m.def("assigned_edits", &assigned_edits_of, nb::arg("ids"), nb::arg("offsets"), nb::arg("n_channels"),
          nb::arg("most_cells"));
    m.def("assigned_channels", &assigned_channels_of, nb::arg("ids"), nb::arg("offsets"), nb::arg("n_channels"));
    m.def("timed_edits", &timed_edits_of, nb::arg("ids"), nb::arg("offsets"), nb::arg("times"), nb::arg("n_hypotheses"),
          n_threads);
    m.def("joined_edits", &joined_edits_of, nb::arg("cutter"), nb::arg("hypotheses"), nb::arg("references"),
          nb::arg("reference_offsets").none(), nb::arg("aligner") = 2, n_threads);
    m.def("joined_paths", &joined_paths_of, nb::arg("cutter"), nb::arg("hypotheses"), nb::arg("references"), nb::arg("aligner") = 2);
    m.def("translation_edits", &translation_edits_of, nb::arg("tokens"), n_threads);
    m.def("edit_operations", &edit_operations_of, nb::arg("hypothesis"), nb::arg("reference"));
    m.def("lcs_path", &lcs_path_of, nb::arg("hypothesis"), nb::arg("reference"));
    m.def("tree_distances", &tree_distances_of, nb::arg("labels"), nb::arg("left"), nb::arg("contents"),
          nb::arg("offsets"), nb::arg("tokens"), nb::arg("content_offsets"), nb::arg("pairs"), nb::arg("most_pairs"),
          n_threads);
    m.def("tree_mapping", &tree_mapping_of, nb::arg("labels"), nb::arg("left"), nb::arg("contents"), nb::arg("offsets"),
          nb::arg("tokens"), nb::arg("content_offsets"), nb::arg("most_pairs"));
}

}  // namespace textgauge
