// Clipped n-gram matches (Papineni et al. 2002, section 2.1), and which n-grams they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "masks.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// Numbers 0, 1, 2, ... for pairs of numbers, in order of insertion.
//
// Where there are few possible pairs, there is a cell for each; else the table has open addressing
// and is at most half full.
class PairTable {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    // First and second numbers are below these; at most n_most pairs come in.
    void open(std::size_t n_firsts, std::size_t n_seconds, std::size_t n_most);
    std::uint32_t insert(std::uint32_t first, std::uint32_t second) {
        if (!is_dense_) {
            const auto key = key_of(first, second);
            auto& slot = slots_[place_of(key)];
            if (slot.number == none) slot = {key, size_++};
            return slot.number;
        }
        const auto cell = 1 + first * n_seconds_ + second;
        if (cells_[cell] == none) {
            taken_[size_] = static_cast<std::uint32_t>(cell);
            cells_[cell] = size_++;
        }
        return cells_[cell];
    }
    std::uint32_t find(std::uint32_t first, std::uint32_t second) const {
        return is_dense_ ? cells_[1 + first * n_seconds_ + second] : slots_[place_of(key_of(first, second))].number;
    }
    std::uint32_t size() const { return size_; }
    bool is_dense() const { return is_dense_; }

    // The cells of a dense table, for loops without a branch: which pairs are new is hard to guess. What is no pair gets
    // the number `n_most` of `open`, and its numbers may be any.
    struct Cells {
        std::uint32_t *cells, *taken;
        std::size_t n_seconds;
        std::uint32_t size;

        std::uint32_t insert(bool is_pair, std::uint32_t first, std::uint32_t second) {
            const auto cell = place_of(is_pair, first, second);
            const auto number = cells[cell];
            const bool is_new = number == none;
            const auto mask = 0 - std::uint32_t{is_new};
            taken[size] = static_cast<std::uint32_t>(cell);
            const auto own = (size & mask) | (number & ~mask);
            cells[cell] = own;
            size += is_new;
            return own;
        }
        std::uint32_t find(bool is_pair, std::uint32_t first, std::uint32_t second) const {
            return cells[place_of(is_pair, first, second)];
        }

    private:
        std::size_t place_of(bool is_pair, std::uint32_t first, std::uint32_t second) const {
            return (1 + first * n_seconds + second) & (0 - std::size_t{is_pair});
        }
    };
    Cells cells() { return {cells_.data(), taken_.data(), n_seconds_, size_}; }
    // Takes what was inserted.
    void close(const Cells& cells) { size_ = cells.size; }

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t number;  // `none` where the slot is free
    };
    static std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
        return std::uint64_t{first} << 32 | second;
    }
    // The slot that holds a pair, or the free one where it belongs.
    std::size_t place_of(std::uint64_t key) const;

    HashKey key_ = hash_key();
    std::size_t n_seconds_ = 0;
    bool is_dense_ = false;
    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> cells_;  // `none` but for the first, which belongs to no pair, and those in `taken_`
    std::vector<std::uint32_t> taken_;  // by number
    std::vector<Slot> slots_;
    std::size_t n_slots_ = 0;           // in use: a power of two
};

// The n-grams that a hypothesis shares with its references, order after order.
//
// An n-gram can match only where both its (n-1)-grams do, and the first of these with its last
// token names it exactly. Each order costs as much as n-grams of the order before are shared, and
// what comes behind the last order with a match costs nothing.
class SharedNgrams {
public:
    struct Start {
        std::uint32_t place;  // of its first token in its text
        std::uint32_t ngram;
    };

    // Takes the texts, the hypothesis first; then the n-grams are those of order 1.
    void open(std::span<const Ids> texts, std::size_t n_ids);
    // Goes on to the next order.
    void advance();

    // The clipped matches of this order.
    std::int64_t matches() const { return matches_; }
    std::size_t n_texts() const { return texts_.size(); }
    std::size_t n_tokens() const { return tokens_.size(); }
    // All n-grams of this order have smaller numbers.
    std::size_t n_ngrams() const { return counts_.size(); }
    // Where the shared n-grams start in a text, ascending.
    std::span<const Start> starts(std::size_t text) const {
        return std::span(starts_).subspan(texts_[text].open, texts_[text].n_starts);
    }
    // How often the hypothesis has an n-gram, and the reference that has it most often.
    std::uint32_t in_hypothesis(std::uint32_t ngram) const { return counts_[ngram].in_hypothesis; }
    std::uint32_t in_a_reference(std::uint32_t ngram) const { return counts_[ngram].in_a_reference; }

private:
    struct Text {
        std::size_t open;      // in `tokens_` and `starts_`
        std::size_t n_starts;
    };
    struct Counts {
        std::uint32_t in_hypothesis, in_a_reference, in_this_text;
    };
    // Appends a text, with the places of its tokens whose kinds have a number.
    void add_text(Ids text);
    template <class Insert>
    void advance_hypothesis(Insert insert);
    template <class Find>
    void advance_reference(Text& text, Find find);
    void count(std::uint32_t ngram);
    void close_reference(const Text& text);
    // The last token of an n-gram.
    std::uint32_t last_token(const Text& text, Start start) const {
        return tokens_[text.open + start.place + order_ - 1];
    }

    std::size_t order_ = 0;
    std::size_t n_kinds_ = 0;             // of tokens that both sides have
    std::vector<Text> texts_;
    std::vector<std::uint32_t> tokens_;   // of all texts: the numbers of shared kinds of tokens
    std::vector<Start> starts_;           // of all texts; those that are left of each are moved together
    std::vector<Counts> counts_;          // by n-gram
    std::vector<std::uint32_t> kind_of_;  // by id
    PairTable table_;
    std::int64_t matches_ = 0;
};

struct NgramScratch {
    Masks masks;
    std::vector<std::uint64_t> used;     // per order the hypothesis's n-grams that have matched
    std::vector<Ids> texts;
    std::vector<std::uint32_t> ranks;
    SharedNgrams shared;
};

// The matches of a text of at most 64 tokens with another, from what `Masks::places` gives, and of the texts
// that are open in `shared`; into shape (max_order,), zeros before.
void short_ngram_matches(std::span<std::uint64_t> places, std::span<std::int64_t> matches, NgramScratch& scratch);
void shared_ngram_matches(SharedNgrams& shared, std::span<std::int64_t> matches, Stop& stop);

// The matches of a segment's hypothesis with its references together, into shape (max_order,).
// `matches` holds zeros before.
void ngram_matches(const Tokens& tokens, std::size_t segment, std::span<std::int64_t> matches,
                   NgramScratch& scratch, Stop& stop);

// Which length counts among those of several references.
enum class ReferenceLength { shortest, closest, average, n };

// The row of a segment of BLEU, shape (2 * max_order + 2,), zeros before: matches, then n-grams of every order, at
// least `least` of each; the hypothesis's length, the references'. Of equally close lengths the shorter counts, and
// without references 0.
struct BleuRowScratch {
    NgramScratch ngrams;
    std::vector<std::int64_t> matches;
};
template <class Number>
void bleu_row(const Tokens& tokens, std::size_t segment, std::int64_t least, ReferenceLength which,
              std::span<Number> row, BleuRowScratch& scratch, Stop& stop);

// For every token of a segment's texts the highest order of the matched n-grams that it is in,
// and whether one of these goes on with the next token, into shapes (n_tokens,) of the segment.
// Of an n-gram that matches k times, the first k occurrences of each text match.
void matched_orders(const Tokens& tokens, std::size_t segment, std::size_t max_order,
                    std::span<std::uint16_t> order_of, std::span<std::uint8_t> joins, NgramScratch& scratch,
                    Stop& stop);

}  // namespace textgauge
