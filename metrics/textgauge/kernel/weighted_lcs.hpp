// Longest common subsequences in which unbroken runs weigh more (Lin 2004, ROUGE, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "union_lcs.hpp"

namespace textgauge {

// The table of two texts, row by row: a row per reference token, a column per hypothesis token.
//
// A cell holds the best weight of the two beginnings, and the length of the run of matches that
// ends in it; a run of k matches weighs k^weight. Tokens that only one text has match nowhere, so
// that of several behind each other all but the first would repeat its row or column.
class WeightedTable {
public:
    // Powers are those of the C library: f(k) = k^weight.
    void set_weight(double weight) {
        if (weight != weight_) powers_.clear();
        weight_ = weight;
    }
    double power(std::size_t k);

    void open(Ids hypothesis, Ids reference, std::size_t n_ids);
    // Fills all rows; returns the last cell.
    double weight(Stop& stop);

    // Calls hit(reference place) for the matches of one best subsequence, from the last to the
    // first: from the end of both texts a match is taken; else the reference's token is dropped
    // if that loses nothing, else the hypothesis's. Of long texts only some rows are kept, and
    // the directions of those between are found a second time.
    template <class Hit>
    void back(Hit hit, Stop& stop) {
        const auto stride = keep_rows(stop);
        auto row = rows_.size(), column = columns_.size();
        for (auto block = n_kept(); block-- > 0;) {
            const auto first = block * stride;
            fill_directions(block, first, std::min(first + stride, rows_.size()), stop);
            while (row > first && column > 0) {
                if (stop.asked(1)) return;
                const bool is_match = rows_[row - 1] == columns_[column - 1];
                if (is_match) hit(places_[row - 1]);
                const bool drops_row = is_match || goes_up(row - 1 - first, column - 1);
                row -= drops_row;
                column -= is_match || !drops_row;
            }
        }
    }

private:
    static constexpr std::uint32_t no_row = 0xFFFFFFFF, no_column = 0xFFFFFFFE;

    template <bool keeps_directions>
    void fill_row(std::uint32_t token, std::uint64_t* directions);
    void clear_row();
    std::size_t keep_rows(Stop& stop);
    void fill_directions(std::size_t kept, std::size_t first, std::size_t last, Stop& stop);
    std::size_t n_words() const { return words_of(columns_.size()); }
    std::size_t n_kept() const { return columns_.empty() ? 0 : kept_scores_.size() / columns_.size(); }
    bool goes_up(std::size_t row, std::size_t column) const {
        return (directions_[row * n_words() + column / word_bits] & bit_of(column)) != 0;
    }

    double weight_ = 0;
    std::vector<double> powers_;             // of 0, 1, 2, ...
    std::vector<std::uint8_t> seen_;         // by id
    std::vector<std::uint32_t> rows_;        // the reference's token of each row, or no_row
    std::vector<std::uint32_t> columns_;     // the hypothesis's, or no_column
    std::vector<std::uint32_t> places_;      // the reference's token that each row stands for
    std::vector<double> scores_;             // shape (n_columns,), of the row filled last
    std::vector<std::uint32_t> runs_;
    std::vector<std::uint64_t> directions_;  // rows of bits: whether dropping the row's token loses nothing
    std::vector<double> kept_scores_;        // shape (n_kept, n_columns)
    std::vector<std::uint32_t> kept_runs_;
};

struct WeightedScratch {
    WeightedTable table;
    SentencePairs pairs;
    Allowed allowed;
};

// The weight for every reference of a segment, into shape (n_references,).
void weighted_lcs(const Tokens& tokens, std::size_t segment, double weight, std::span<double> weights,
                  WeightedScratch& scratch, Stop& stop);

// The weights of the runs of marked tokens, into shape (n_references,).
//
// Reference tokens are marked where the weighted LCS of their sentence with any hypothesis
// sentence touches them. From the left a marked token counts within its limit. A run of k counted
// tokens adds k^weight when the token behind it is unmarked or the sentence ends; a marked token
// that does not count neither adds to a run nor ends it (ROUGE-1.5.5.pl, wlcs).
void union_weighted_lcs(const Tokens& tokens, std::size_t segment, double weight, Limits limits,
                        std::span<double> weights, WeightedScratch& scratch, Stop& stop);

}  // namespace textgauge
