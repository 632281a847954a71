// Pairs of tokens in their order, with tokens allowed between them (Lin 2004, ROUGE, section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Where a text has the kinds of tokens that another has too.
class SharedKinds {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    // `kind_of` has the kind of every id, or `none`.
    void open(Ids text, std::span<const std::uint32_t> kind_of, std::size_t n_kinds);
    std::size_t size() const { return kinds_.size(); }

    // Calls visit(right kind, n) for the tokens that can be the right half of a pair with a left
    // half of this kind: n such left halves stand before it with at most `gap` tokens between.
    // Steps are bounded by the tokens behind the first left half, and by the number of pairs.
    template <class Visit>
    void for_each_right(std::size_t left, std::uint32_t gap, Visit visit) const {
        const auto lefts = std::span(of_kind_).subspan(opens_[left], opens_[left + 1] - opens_[left]);
        std::size_t oldest = 0, newest = 0;  // the left halves in reach
        while (newest < lefts.size()) {
            for (std::size_t i = lefts[newest++] + 1; i < kinds_.size(); ++i) {
                while (oldest < newest && places_[i] - places_[lefts[oldest]] - 1 > gap) ++oldest;
                if (oldest == newest) break;
                visit(kinds_[i], newest - oldest);
                if (newest < lefts.size() && lefts[newest] == i) ++newest;
            }
        }
    }

private:
    std::vector<std::uint32_t> kinds_;    // of the shared tokens, in the order of the text
    std::vector<std::uint32_t> places_;   // where each of them stands in the text
    std::vector<std::uint32_t> opens_;    // shape (n_kinds + 1,)
    std::vector<std::uint32_t> of_kind_;  // the shared tokens kind by kind, each kind ascending
};

struct SkipBigramScratch {
    std::vector<std::uint32_t> kind_of;  // by id
    std::vector<std::uint8_t> seen;      // by id
    SharedKinds hypothesis, reference;
    std::vector<std::uint64_t> counts;   // by right kind, zeros between calls
};

// The skip-bigrams that a segment's hypothesis shares with each reference, into shape (n_references,).
//
// A pair of tokens seen h times in the hypothesis and r times in the reference counts min(h, r)
// times. `gap` is how many tokens may stand between, -1 for any number. Left halves are taken kind
// by kind: time grows with tokens times kinds, but not beyond tokens times gap.
void skip_bigram_matches(const Tokens& tokens, std::size_t segment, std::int64_t gap,
                         std::span<std::int64_t> matches, SkipBigramScratch& scratch, Stop& stop);

}  // namespace textgauge
