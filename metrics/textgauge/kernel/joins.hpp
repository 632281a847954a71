// Edits of words that may be joined: several of one side whose letters together are one word of the other cost nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "levenshtein.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// The words of one side of a pair.
struct SideOfJoins {
    Words words;
    // Of the letters of each word, so that the sum of several is that of their letters together; which bits they have.
    std::vector<std::uint64_t> sums, marks;
    std::size_t longest = 0;

    // Only where words may be joined.
    std::vector<char> letters;       // of all words, one behind the other, and the bytes that `WordIds` reads beyond
    std::vector<std::size_t> ends;   // shape (n_words + 1,), into letters
    IdVector ids;
    std::vector<std::size_t> sizes;  // of words, each once, from the shortest

    std::size_t size() const { return words.size(); }
};

// Words of one side whose letters together are a word of the other.
struct RunOfWords {
    std::uint32_t start, end, word;  // of words, exclusive; the id
};

struct JoinScratch {
    CutScratch cut;
    LevenshteinScratch levenshtein;
    SideOfJoins hypothesis, reference;
    WordIds ids;
    std::vector<RunOfWords> in_hypothesis, in_reference;
    std::vector<std::size_t> first_run_of_word, first_run_to, first_place, places;
    std::vector<std::uint32_t> rows, kept;  // of costs
    std::vector<std::array<std::uint32_t, 3>> joins;  // of a row: place, and where it comes from
};

// The edits of one pair from the left; see `plain/joins.py`.
std::string joined_path(const Cutter& cutter, std::string_view hypothesis, std::string_view reference, Aligner aligner,
                        JoinScratch& scratch, Stop& stop);

// Hits, substitutions, deletions and insertions of every pair of a segment, into shape (n_references, 4). The tokens
// are those of the texts.
void joined_edits(const Tokens& tokens, std::size_t segment, const Cutter& cutter, const Corpus& corpus, Aligner aligner,
                  std::span<std::int64_t> counts, JoinScratch& scratch, Stop& stop);

}  // namespace textgauge
