// The n-grams of many texts that are compared with each other: which texts have which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Of a matrix of texts against texts: the first texts are rows, the last ones columns, and a text may be both.
struct Sides {
    std::size_t n_rows, first_column;

    bool is_row(std::size_t text) const { return text < n_rows; }
    bool is_column(std::size_t text) const { return text >= first_column; }
};

// Which n-grams of a group of texts are of interest: those that a row shares with another text that is a
// column, or all that rows and columns have.
enum class Kept { of_two, all };

// The n-grams of a group of texts, order after order.
class NumberedNgrams {
public:
    using Start = SharedNgrams::Start;

    // The n-grams of order 1; the tokens are all of one segment, and must stay.
    NumberedNgrams(const Tokens& tokens, Sides sides, Kept kept, Stop& stop);
    // Goes on to the next order.
    void advance(Stop& stop);

    std::size_t order() const { return order_; }
    std::size_t n_texts() const { return tokens_.n_texts(); }
    std::size_t n_ngrams() const { return n_ngrams_; }
    bool is_over() const { return starts_.empty(); }
    // Where the n-grams of a text start, ascending.
    std::span<const Start> starts(std::size_t text) const {
        return std::span(starts_).subspan(opens_[text], opens_[text + 1] - opens_[text]);
    }

private:
    // Leaves out those that are of no interest; no longer n-gram has them.
    void sift(Stop& stop);

    const Tokens& tokens_;
    const Sides sides_;
    const Kept kept_;
    std::size_t order_ = 1;
    std::size_t n_ngrams_ = 0;
    std::vector<std::size_t> opens_;  // shape (n_texts + 1,), into starts_
    std::vector<Start> starts_;
    PairTable table_;
};

struct MatchScratch {
    std::vector<std::uint8_t> counts;
};

// Lists of the texts that have an n-gram, for the matches of any row with all columns.
//
// The k-th occurrence of an n-gram in its text is an item, and two texts have as many items in common as
// their n-grams match: min(count, count) of each. An item has the list of its columns, or, where it is in
// many of them, a row of ones and zeros, which is added as a whole.
class NgramIndex {
public:
    NgramIndex(const Tokens& tokens, std::size_t max_order, Sides sides, Stop& stop);

    Sides sides() const { return sides_; }
    std::size_t n_texts() const { return lengths_.size(); }
    std::size_t max_order() const { return max_order_; }
    // Adds the matches of one order of a row with the texts from `first` on, columns all, to `matches`.
    void add_matches(std::size_t row, std::size_t order, std::size_t first, std::span<std::int32_t> matches,
                     MatchScratch& scratch) const;

private:
    struct Order {
        std::vector<std::size_t> opens;       // shape (n_rows + 1,), into items
        std::vector<std::uint32_t> items;     // of the rows: those in `ones` come first
        std::vector<std::uint8_t> ones;       // shape (n_dense, n_columns)
        std::size_t n_dense = 0;
        std::vector<std::size_t> list_opens;  // shape (n_items - n_dense + 1,), into texts
        std::vector<std::uint32_t> texts;     // columns, ascending in every list
    };
    void add_order(const NumberedNgrams& ngrams, Stop& stop);

    const Sides sides_;
    const std::size_t max_order_;
    std::vector<std::size_t> lengths_;  // of all texts, in tokens
    std::vector<Order> orders_;         // up to the last one that texts share
};

// The n-grams of every row that a sum of all columns, each multiplied by its weight, has: min(count, sum), into
// shape (n_rows, max_order), zeros before. Sums go from the first column to the last, and from the first
// n-gram of a row to the last.
void weighted_ngram_matches(const Tokens& tokens, std::size_t max_order, Sides sides, std::span<const double> weights,
                            std::span<double> matches, Stop& stop);

}  // namespace textgauge
