#include "levenshtein.hpp"

#include <algorithm>
#include <cmath>

namespace textgauge {
namespace {

// Words of rows that are held at once.
constexpr std::size_t most_words = std::size_t{1} << 19;

enum Edit : std::size_t { hit, substitution, deletion, insertion };
constexpr std::array<char, n_edit_counts> letters{' ', 's', 'd', 'i'};

bool has(const std::uint64_t* bits, std::size_t place) { return (bits[place / word_bits] & bit_of(place)) != 0; }

// The rows of a table of distances, one for each hypothesis token and one before all of them, by bits: whether a
// cell is one more, then whether it is one less, than the one for a reference token less. A rule says of the first i
// reference and j hypothesis tokens what the last edit is, from the rows j - 1 and j.
template <class Rule>
struct BitRows {
    Places& places;
    std::size_t n_words;

    std::size_t size() const { return 2 * n_words; }
    std::size_t n_steps() const { return n_words; }
    void begin(std::uint64_t* row) const {
        std::fill_n(row, n_words, ~std::uint64_t{0});
        std::fill_n(row + n_words, n_words, 0);
    }
    void step(const std::uint64_t* before, std::uint32_t token, std::uint64_t* after) const {
        const auto* matches = places.row(token);
        std::uint64_t more_carry = 1, less_carry = 0;
        for (std::size_t w = 0; w < n_words; ++w) {
            const auto more = before[w], less = before[n_words + w], equal = matches[w] | less_carry;
            const auto diagonal = (((equal & more) + more) ^ more) | equal | less;
            const auto rises = less | ~(diagonal | more), falls = diagonal & more;
            const auto rises_by = rises << 1 | more_carry, falls_by = falls << 1 | less_carry;
            more_carry = rises >> (word_bits - 1);
            less_carry = falls >> (word_bits - 1);
            after[w] = falls_by | ~(diagonal | rises_by);
            after[n_words + w] = rises_by & diagonal;
        }
    }
    Edit last(const std::uint64_t* before, const std::uint64_t* after, std::size_t i, std::size_t j, bool is_equal) const {
        return Rule::last(before, after, i, j, n_words, is_equal);
    }
};

struct JiwerRule {
    static Edit last(const std::uint64_t* before, const std::uint64_t* after, std::size_t i, std::size_t j,
                     std::size_t n_words, bool is_equal) {
        if (has(after, i - 1)) return deletion;
        if (j > 1 && has(before + n_words, i - 1)) return insertion;
        return is_equal ? hit : substitution;
    }
};

// For texts in each other's place: what is a deletion here inserts.
struct KaldialignRule {
    static Edit last(const std::uint64_t* before, const std::uint64_t* after, std::size_t i, std::size_t,
                     std::size_t n_words, bool is_equal) {
        if (has(after, i - 1)) return deletion;
        if (is_equal) return has(before + n_words, i - 1) ? insertion : hit;
        return has(before, i - 1) ? substitution : insertion;
    }
};

// The same with sclite's weights, as numbers; of equal costs the diagonal is taken, or with kaldialign the others.
template <bool prefers_diagonal>
struct WeightedRows {
    static constexpr std::uint64_t exchanged = 4, left_out = 3;
    Ids reference;

    std::size_t size() const { return reference.size() + 1; }
    std::size_t n_steps() const { return word_bits * size(); }
    void begin(std::uint64_t* row) const {
        for (std::size_t i = 0; i < size(); ++i) row[i] = left_out * i;
    }
    void step(const std::uint64_t* before, std::uint32_t token, std::uint64_t* after) const {
        after[0] = before[0] + left_out;
        for (std::size_t i = 1; i < size(); ++i)
            after[i] = std::min({before[i - 1] + (reference[i - 1] == token ? 0 : exchanged), before[i] + left_out,
                                 after[i - 1] + left_out});
    }
    Edit last(const std::uint64_t* before, const std::uint64_t* after, std::size_t i, std::size_t, bool is_equal) const {
        const auto other = before[i - 1] + (is_equal ? 0 : exchanged);
        const auto without = after[i - 1] + left_out, with = before[i] + left_out;
        if (prefers_diagonal ? other <= without && other <= with : other < without && other < with)
            return is_equal ? hit : substitution;
        return without < with ? deletion : insertion;
    }
};

// Goes through the edits from the last to the first, visit(edit, how many of them): fills the rows of a table, and
// walks back. Of a large table a block is held at a time, the square root of all rows, and as many
// from which the others are filled a second time.
template <class Rows, class Visit>
void walk_back(const Rows& table, Ids hypothesis, Ids reference, LevenshteinScratch& scratch, Stop& stop, Visit visit) {
    auto i = reference.size(), j = hypothesis.size();
    if (i && j) {
        const auto size = table.size();
        const bool is_large = (j + 1) > most_words / size;
        const auto stride = is_large ? static_cast<std::size_t>(std::sqrt(static_cast<double>(j))) + 1 : j;
        auto block = (j - 1) / stride;
        auto &rows = scratch.rows, &kept = scratch.kept;
        if (rows.size() < (stride + 1) * size) rows.resize((stride + 1) * size);
        if (kept.size() < block * size) kept.resize(block * size);
        const auto fill = [&](std::size_t which) {
            if (which == 0)
                table.begin(rows.data());
            else
                std::copy_n(&kept[(which - 1) * size], size, rows.begin());
            const auto first = which * stride, last = std::min(first + stride, hypothesis.size());
            auto* row = rows.data();
            for (auto k = first; k < last && !stop.asked(table.n_steps()); ++k, row += size)
                table.step(row, hypothesis[k], row + size);
        };
        for (std::size_t which = 0; which < block; ++which) {
            fill(which);
            std::copy_n(&rows[stride * size], size, &kept[which * size]);
        }
        fill(block);
        while (i && j && !stop.asked(1)) {
            if (j <= block * stride) fill(--block);
            const auto* before = &rows[(j - 1 - block * stride) * size];
            const auto edit = table.last(before, before + size, i, j, hypothesis[j - 1] == reference[i - 1]);
            i -= edit != insertion;
            j -= edit != deletion;
            visit(edit, std::size_t{1});
        }
    }
    if (i) visit(deletion, i);
    if (j) visit(insertion, j);
}

// The same for a reference of at most 64 tokens, whose table is two words for a hypothesis token.
template <class Rule, class Visit>
void walk_back_short(Ids hypothesis, Ids reference, std::size_t n_ids, LevenshteinScratch& scratch, Visit visit) {
    auto i = reference.size(), j = hypothesis.size();
    if (i && j) {
        const auto matches = scratch.masks.places(reference, hypothesis, n_ids);
        auto& rows = scratch.rows;
        if (rows.size() < 2 * (j + 1)) rows.resize(2 * (j + 1));
        auto more = rows[0] = ~std::uint64_t{0}, less = rows[1] = 0;
        for (std::size_t k = 0; k < j; ++k) {
            const auto equal = matches[k];
            const auto diagonal = (((equal & more) + more) ^ more) | equal | less;
            const auto rises = (less | ~(diagonal | more)) << 1 | 1, falls = (diagonal & more) << 1;
            rows[2 * k + 2] = more = falls | ~(diagonal | rises);
            rows[2 * k + 3] = less = rises & diagonal;
        }
        while (i && j) {
            const auto* before = &rows[2 * (j - 1)];
            const auto edit = Rule::last(before, before + 2, i, j, 1, hypothesis[j - 1] == reference[i - 1]);
            i -= edit != insertion;
            j -= edit != deletion;
            visit(edit, std::size_t{1});
        }
    }
    if (i) visit(deletion, i);
    if (j) visit(insertion, j);
}

// How many tokens two texts have in common at their beginning.
std::size_t n_common(Ids one, Ids other) {
    return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

// The same for texts of any length.
template <class Rule, class Visit>
void walk_back_bits(Ids hypothesis, Ids reference, std::size_t n_ids, LevenshteinScratch& scratch, Stop& stop,
                    Visit visit) {
    if (reference.size() <= word_bits) {
        if (!stop.asked(hypothesis.size())) walk_back_short<Rule>(hypothesis, reference, n_ids, scratch, visit);
        return;
    }
    const auto opened = scratch.places.open(reference, n_ids);
    walk_back(BitRows<Rule>{scratch.places, scratch.places.n_words()}, hypothesis, reference, scratch, stop, visit);
}

template <class Visit>
void each_edit(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner, LevenshteinScratch& scratch,
               Stop& stop, Visit visit) {
    if (aligner == Aligner::sclite)
        return walk_back(WeightedRows<true>{reference}, hypothesis, reference, scratch, stop, visit);
    if (aligner == Aligner::kaldialign_sclite)
        return walk_back(WeightedRows<false>{reference}, hypothesis, reference, scratch, stop, visit);
    const auto n_first = n_common(hypothesis, reference);
    hypothesis = hypothesis.subspan(n_first);
    reference = reference.subspan(n_first);
    if (aligner == Aligner::kaldialign) {
        walk_back_bits<KaldialignRule>(reference, hypothesis, n_ids, scratch, stop, [&](Edit edit, std::size_t n) {
            visit(edit == deletion ? insertion : edit == insertion ? deletion : edit, n);
        });
    } else {
        std::size_t n_last = 0;
        while (n_last < std::min(hypothesis.size(), reference.size()) &&
               hypothesis[hypothesis.size() - 1 - n_last] == reference[reference.size() - 1 - n_last])
            ++n_last;
        hypothesis = hypothesis.first(hypothesis.size() - n_last);
        reference = reference.first(reference.size() - n_last);
        if (n_last) visit(hit, n_last);
        walk_back_bits<JiwerRule>(hypothesis, reference, n_ids, scratch, stop, visit);
    }
    if (n_first) visit(hit, n_first);
}

template <class Number>
void count_edits(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner, std::span<Number> counts,
                 LevenshteinScratch& scratch, Stop& stop) {
    std::array<std::size_t, n_edit_counts> found{};
    each_edit(hypothesis, reference, n_ids, aligner, scratch, stop, [&](Edit edit, std::size_t n) { found[edit] += n; });
    std::ranges::transform(found, counts.begin(), [](std::size_t n) { return static_cast<Number>(n); });
}

}  // namespace

void levenshtein_edits(const Tokens& tokens, std::size_t segment, Aligner aligner, std::span<std::int64_t> counts,
                       LevenshteinScratch& scratch, Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto hypothesis = tokens.text(first);
    for (std::size_t r = 0; n_edit_counts * r < counts.size() && !stop.asked(1); ++r)
        count_edits(hypothesis, tokens.text(first + 1 + r), tokens.n_tokens(segment), aligner,
                    counts.subspan(n_edit_counts * r, n_edit_counts), scratch, stop);
}

void edits_of_pair(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner, std::span<std::int64_t> counts,
                   LevenshteinScratch& scratch, Stop& stop) {
    count_edits(hypothesis, reference, n_ids, aligner, counts, scratch, stop);
}

std::string levenshtein_path(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner,
                             LevenshteinScratch& scratch, Stop& stop) {
    std::string path;
    each_edit(hypothesis, reference, n_ids, aligner, scratch, stop,
              [&](Edit edit, std::size_t n) { path.append(n, letters[edit]); });
    std::ranges::reverse(path);
    return path;
}

void LevenshteinIndex::edits(std::size_t row, std::size_t first, std::span<std::int32_t> counts,
                             LevenshteinScratch& scratch, Stop& stop) const {
    for (std::size_t r = 0; n_edit_counts * r < counts.size() && !stop.asked(1); ++r)
        count_edits(text(row), text(first + r), ids_.size(), aligner_,
                    counts.subspan(n_edit_counts * r, n_edit_counts), scratch, stop);
}

}  // namespace textgauge
