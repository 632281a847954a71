// What the texts of a group repeat: of each other for self-BLEU (Zhu et al. 2018, Texygen) and self-repetition
// (Salkar et al. 2022), and in all for distinct-n (Li et al. 2016).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// The n-grams of a group, order after order. One that occurs once is dropped: no longer one around it
// occurs twice, so each order costs as much as the order before has repeats.
class RepeatScratch {
public:
    // Takes all texts of a segment; then the n-grams are those of order 1.
    void open(const Tokens& tokens, std::size_t segment);
    bool is_done() const { return starts_.empty(); }
    // Counts the n-grams of this order, into counts[stride * t] and the two places behind for text t.
    // After a stop nothing else may be called.
    void count(std::span<std::int64_t> counts, std::size_t stride, Stop& stop);
    // Goes on to the next order.
    void advance(Stop& stop);

private:
    struct Start {
        std::uint32_t place;  // of its first token in the segment
        std::uint32_t ngram;
    };
    struct Counts {
        std::uint32_t n = 0;             // in all texts
        std::uint32_t n_texts = 0;       // that have it
        std::uint32_t most = 0;          // in one text
        std::uint32_t owner = 0;         // the first text that has it so often
        std::uint32_t most_of_rest = 0;  // in one of the other texts
        std::uint32_t in_this_text = 0;  // 0 between texts
    };
    std::span<const Start> starts(std::size_t text) const {
        return std::span(starts_).subspan(bounds_[text], bounds_[text + 1] - bounds_[text]);
    }
    // Adds a text to the counts, and returns how many of its n-grams stand before.
    std::uint32_t count_text(std::size_t text, Stop& stop);
    // Keeps what next(starts of a text, into) writes for each text; it returns how much that is.
    template <class Next>
    void replace(Next next);

    std::vector<Start> starts_;        // of all texts, ascending
    std::vector<std::size_t> bounds_;  // shape (n_texts + 1,), into starts_
    std::vector<Counts> counts_;       // by n-gram
    std::size_t n_ngrams_ = 0;
    PairTable table_;
};

// For every text of a segment and every order, into shape (n_texts, max_order, 3) with zeros before: its
// n-grams that another text has too, each at most as often as the one that has it most (clipped counts
// with all other texts as references); its n-grams that stand before, in it or in a text before it; and
// for each of its kinds of n-grams the number of other texts that have it, summed.
void repeated_ngrams(const Tokens& tokens, std::size_t segment, std::size_t max_order, std::span<std::int64_t> counts,
                     RepeatScratch& scratch, Stop& stop);

}  // namespace textgauge
