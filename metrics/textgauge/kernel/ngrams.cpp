#include "ngrams.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "platform.hpp"

namespace textgauge {

namespace {

// As many cells as a cache holds.
constexpr std::size_t most_cells = std::size_t{1} << 16;

// Walks through the matches of a reference and gives each the lowest place that is still free.
// Equal n-grams have the same places, so any free one will do: min(h, r) are taken, and the
// lowest first makes the union over several references that of the one with most.
std::uint64_t taken(std::span<const std::uint64_t> places) {
    std::uint64_t used = 0;
    for (const auto place : places) {
        const auto free = place & ~used;
        used |= free & (~free + 1);
    }
    return used;
}

// Adds the places where n-grams of a text of at most 64 tokens match another one to used[n - 1], for
// every order n up to used.size(). Bit i of places[j] says that the n-grams at i and j are equal.
void add_matches(std::span<std::uint64_t> places, std::span<std::uint64_t> used) {
    for (std::size_t order = 0; !places.empty(); places = places.first(places.size() - 1)) {
        const auto found = taken(places);
        used[order] |= found;
        if (++order == used.size() || found == 0) return;
        for (std::size_t j = 0; j + 1 < places.size(); ++j) places[j] &= places[j + 1] >> 1;
    }
}

void count_used(std::span<const std::uint64_t> used, std::span<std::int64_t> matches) {
    for (std::size_t order = 0; order < used.size(); ++order) matches[order] = std::popcount(used[order]);
}

// Marks the tokens of the n-grams of one text that match: the first ones of each kind. `ranks`
// has a zero for every n-gram before and after.
void mark_orders(const SharedNgrams& shared, std::size_t text, std::size_t order, std::span<std::uint16_t> order_of,
          std::span<std::uint8_t> joins, std::vector<std::uint32_t>& ranks) {
    const auto starts = shared.starts(text);
    if (ranks.size() < shared.n_ngrams()) ranks.resize(shared.n_ngrams());
    std::size_t n_marked = 0, n_joined = 0;  // the tokens before are done
    for (const auto [place, ngram] : starts) {
        const auto allowed = text == 0 ? shared.in_a_reference(ngram) : shared.in_hypothesis(ngram);
        if (ranks[ngram]++ >= allowed) continue;
        for (n_marked = std::max<std::size_t>(n_marked, place); n_marked < place + order; ++n_marked)
            order_of[n_marked] = static_cast<std::uint16_t>(order);
        for (n_joined = std::max<std::size_t>(n_joined, place); n_joined + 1 < place + order; ++n_joined)
            joins[n_joined] = 1;
    }
    for (const auto start : starts) ranks[start.ngram] = 0;
}

}  // namespace

void PairTable::open(std::size_t n_firsts, std::size_t n_seconds, std::size_t n_most) {
    if (is_dense_)
        for (std::uint32_t number = 0; number < size_; ++number) cells_[taken_[number]] = none;
    size_ = 0;
    n_seconds_ = n_seconds;
    is_dense_ = n_firsts * n_seconds <= most_cells;
    if (is_dense_) {
        const auto n_pairs = n_firsts * n_seconds, n_taken = std::min(n_pairs, n_most) + 1;
        if (cells_.size() <= n_pairs) cells_.resize(n_pairs + 1, none);
        if (taken_.size() < n_taken) taken_.resize(n_taken);
        cells_[0] = static_cast<std::uint32_t>(n_most);
        return;
    }
    n_slots_ = std::bit_ceil(std::max<std::size_t>(2 * n_most, 16));
    if (slots_.size() < n_slots_) slots_.resize(n_slots_);
    std::fill_n(slots_.begin(), n_slots_, Slot{0, none});
}

std::size_t PairTable::place_of(std::uint64_t key) const {
    auto place = static_cast<std::size_t>(folded_product(key ^ key_.first, key_.second)) & (n_slots_ - 1);
    while (slots_[place].number != none && slots_[place].key != key) place = (place + 1) & (n_slots_ - 1);
    return place;
}

void SharedNgrams::open(std::span<const Ids> texts, std::size_t n_ids) {
    order_ = 1;
    matches_ = 0;
    n_kinds_ = 0;
    texts_.clear();
    tokens_.clear();
    starts_.clear();
    constexpr std::uint32_t in_hypothesis = 1, in_reference = 2;
    kind_of_.assign(n_ids, 0);
    for (const auto id : texts[0]) kind_of_[id] = in_hypothesis;
    for (const auto text : texts.subspan(1))
        for (const auto id : text) kind_of_[id] |= in_reference;
    // The kinds that both sides have get the numbers from 0 on. Without a branch: which tokens are shared is hard to
    // guess.
    std::uint32_t n_kinds = 0;
    for (auto& kind : kind_of_) {
        const bool is_shared = kind == (in_hypothesis | in_reference);
        kind = n_kinds | (0 - std::uint32_t{!is_shared});
        n_kinds += is_shared;
    }
    n_kinds_ = n_kinds;
    counts_.assign(n_kinds_, {0, 0, 0});
    add_text(texts[0]);
    for (const auto start : starts(0)) ++counts_[start.ngram].in_hypothesis;
    for (const auto text : texts.subspan(1)) {
        add_text(text);
        for (const auto start : starts(texts_.size() - 1)) count(start.ngram);
        if (texts_.size() < texts.size()) close_reference(texts_.back());
    }
}

void SharedNgrams::add_text(Ids text) {
    const auto open = tokens_.size();
    tokens_.resize(open + text.size());
    starts_.resize(open + text.size());
    std::size_t n_starts = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto kind = kind_of_[text[i]];
        tokens_[open + i] = kind;
        starts_[open + n_starts] = {static_cast<std::uint32_t>(i), kind};
        n_starts += kind < n_kinds_;
    }
    texts_.push_back({open, n_starts});
}

void SharedNgrams::advance() {
    const auto n_most = texts_[0].n_starts;
    table_.open(counts_.size(), n_kinds_, n_most);
    ++order_;
    matches_ = 0;
    const auto advance = [&](auto insert, auto size, auto find) {
        advance_hypothesis(insert);
        counts_.resize(size());
        for (std::size_t text = 1; text < texts_.size(); ++text) {
            advance_reference(texts_[text], find);
            if (text + 1 < texts_.size()) close_reference(texts_[text]);
        }
    };
    if (table_.is_dense()) {
        auto cells = table_.cells();
        advance([&cells](auto... pair) { return cells.insert(pair...); }, [&cells] { return cells.size; },
                [&cells](auto... pair) { return cells.find(pair...); });
        table_.close(cells);
    } else {
        const auto no_pair = static_cast<std::uint32_t>(n_most);
        advance([&](bool is_pair, auto... pair) { return is_pair ? table_.insert(pair...) : no_pair; },
                [&] { return table_.size(); },
                [&](bool is_pair, auto... pair) { return is_pair ? table_.find(pair...) : no_pair; });
    }
    // What no reference has can have no longer n-gram either.
    auto& [open, n_starts] = texts_[0];
    std::size_t n_left = 0;
    for (const auto start : starts(0)) {
        starts_[open + n_left] = start;
        n_left += counts_[start.ngram].in_a_reference > 0;
    }
    n_starts = n_left;
}

// Without a branch, since what goes on is hard to guess: what does not is counted by a number of its own, the last, and
// the next start takes its place.
template <class Insert>
void SharedNgrams::advance_hypothesis(Insert insert) {
    auto& text = texts_[0];
    const auto shorter = starts(0);
    counts_.assign(shorter.size() + 1, {0, 0, 0});
    std::size_t n_left = 0;
    for (std::size_t k = 0; k + 1 < shorter.size(); ++k) {
        const auto start = shorter[k];
        const bool goes_on = shorter[k + 1].place == start.place + 1;
        const auto ngram = insert(goes_on, start.ngram, last_token(text, start));
        ++counts_[ngram].in_hypothesis;
        starts_[text.open + n_left] = {start.place, ngram};
        n_left += goes_on;
    }
    text.n_starts = n_left;
}

template <class Find>
void SharedNgrams::advance_reference(Text& text, Find find) {
    const auto shorter = std::span(starts_).subspan(text.open, text.n_starts);
    std::size_t n_left = 0;
    for (std::size_t k = 0; k + 1 < shorter.size(); ++k) {
        const auto start = shorter[k];
        const bool goes_on = shorter[k + 1].place == start.place + 1;
        const auto ngram = find(goes_on, start.ngram, last_token(text, start));
        shorter[n_left] = {start.place, ngram};
        n_left += std::size_t{goes_on} & std::size_t{ngram != PairTable::none};
    }
    text.n_starts = n_left;
    for (const auto start : shorter.first(n_left)) count(start.ngram);
}

// One more occurrence in the reference at hand.
void SharedNgrams::count(std::uint32_t ngram) {
    auto& counts = counts_[ngram];
    const bool is_most = ++counts.in_this_text > counts.in_a_reference;
    counts.in_a_reference += is_most;
    matches_ += std::int64_t{is_most} & std::int64_t{counts.in_this_text <= counts.in_hypothesis};
}

void SharedNgrams::close_reference(const Text& text) {
    for (std::size_t k = 0; k < text.n_starts; ++k) counts_[starts_[text.open + k].ngram].in_this_text = 0;
}

void short_ngram_matches(std::span<std::uint64_t> places, std::span<std::int64_t> matches, NgramScratch& scratch) {
    scratch.used.assign(std::min(matches.size(), word_bits), 0);
    add_matches(places, scratch.used);
    count_used(scratch.used, matches);
}

void shared_ngram_matches(SharedNgrams& shared, std::span<std::int64_t> matches, Stop& stop) {
    for (std::size_t order = 0;;) {
        matches[order] = shared.matches();
        if (shared.matches() == 0 || ++order == matches.size() || stop.asked(8 * shared.n_tokens())) return;
        shared.advance();
    }
}

void ngram_matches(const Tokens& tokens, std::size_t segment, std::span<std::int64_t> matches, NgramScratch& scratch,
                   Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto last = static_cast<std::size_t>(tokens.segments[segment + 1]);
    const auto hypothesis = tokens.text(first);
    const auto n_ids = tokens.n_tokens(segment);
    if (matches.empty() || hypothesis.empty() || last == first + 1) return;
    if (hypothesis.size() > word_bits) {
        scratch.texts.clear();
        for (auto text = first; text < last; ++text) scratch.texts.push_back(tokens.text(text));
        scratch.shared.open(scratch.texts, n_ids);
        shared_ngram_matches(scratch.shared, matches, stop);
        return;
    }
    scratch.used.assign(std::min(matches.size(), word_bits), 0);
    for (auto text = first + 1; text < last; ++text)
        add_matches(scratch.masks.places(hypothesis, tokens.text(text), n_ids), scratch.used);
    count_used(scratch.used, matches);
}

namespace {

// The length that counts among those of the references: of the average its exact sum is divided once.
template <class Number>
Number reference_length(const Tokens& tokens, std::size_t segment, ReferenceLength which) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto last = static_cast<std::size_t>(tokens.segments[segment + 1]);
    if (last == first + 1) return 0;
    const auto length = [&](std::size_t text) { return static_cast<std::int64_t>(tokens.text(text).size()); };
    const auto rank = [&](std::int64_t n) {
        return std::pair(which == ReferenceLength::closest ? std::abs(n - length(first)) : 0, n);
    };
    auto best = rank(length(first + 1));
    std::int64_t sum = 0;
    for (auto text = first + 1; text < last; ++text) {
        best = std::min(best, rank(length(text)));
        sum += length(text);
    }
    if (which != ReferenceLength::average) return static_cast<Number>(best.second);
    return static_cast<Number>(sum) / static_cast<Number>(last - first - 1);
}

}  // namespace

template <class Number>
void bleu_row(const Tokens& tokens, std::size_t segment, std::int64_t least, ReferenceLength which,
              std::span<Number> row, BleuRowScratch& scratch, Stop& stop) {
    const auto n_orders = (row.size() - 2) / 2;
    scratch.matches.assign(n_orders, 0);
    ngram_matches(tokens, segment, scratch.matches, scratch.ngrams, stop);
    const auto length =
        static_cast<std::int64_t>(tokens.text(static_cast<std::size_t>(tokens.segments[segment])).size());
    for (std::size_t i = 0; i < n_orders; ++i) {
        row[i] = static_cast<Number>(scratch.matches[i]);
        row[n_orders + i] = static_cast<Number>(std::max(length - static_cast<std::int64_t>(i), least));
    }
    row[2 * n_orders] = static_cast<Number>(length);
    row[2 * n_orders + 1] = reference_length<Number>(tokens, segment, which);
}

template void bleu_row(const Tokens&, std::size_t, std::int64_t, ReferenceLength, std::span<std::int64_t>,
                       BleuRowScratch&, Stop&);
template void bleu_row(const Tokens&, std::size_t, std::int64_t, ReferenceLength, std::span<double>, BleuRowScratch&,
                       Stop&);

void matched_orders(const Tokens& tokens, std::size_t segment, std::size_t max_order,
                    std::span<std::uint16_t> order_of, std::span<std::uint8_t> joins, NgramScratch& scratch,
                    Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto last = static_cast<std::size_t>(tokens.segments[segment + 1]);
    scratch.texts.clear();
    for (auto text = first; text < last; ++text) scratch.texts.push_back(tokens.text(text));
    auto& shared = scratch.shared;
    shared.open(scratch.texts, tokens.n_tokens(segment));
    for (std::size_t order = 1; order <= max_order && shared.matches() > 0; ++order) {
        std::size_t place = 0;
        for (std::size_t text = 0; text < shared.n_texts(); ++text) {
            const auto n = scratch.texts[text].size();
            mark_orders(shared, text, order, order_of.subspan(place, n), joins.subspan(place, n), scratch.ranks);
            place += n;
        }
        if (order == max_order || stop.asked(8 * place)) return;
        shared.advance();
    }
}

}  // namespace textgauge
