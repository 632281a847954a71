// What a hypothesis and each of its references have in common, in several units at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lcs.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "union_lcs.hpp"

namespace textgauge {

// Units by number: n-grams of an order from 1 on, and the two kinds of LCS.
constexpr std::int32_t unit_lcs = 0, unit_union_lcs = -1;

struct PairScratch {
    LcsScratch lcs;
    UnionScratch union_lcs;
    std::vector<std::int64_t> ngrams;      // matches of one pair, by order
    std::vector<std::int64_t> union_hits;  // of the pairs of a segment
};

// Matches, the hypothesis's units and the reference's units of every pair of a segment, into
// shape (n_references, n_units, 3). The units of an LCS are tokens. `drops_last` leaves out the last
// token of every text, but not of its sentences, as ROUGE-SU of the ROUGE-1.5.5 script does.
void pair_counts(const Tokens& tokens, std::size_t segment, std::span<const std::int32_t> units, bool drops_last,
                 std::span<std::int64_t> counts, PairScratch& scratch, Stop& stop);

}  // namespace textgauge
