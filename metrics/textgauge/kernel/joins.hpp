// Edits of words that may be joined: several of one side whose letters together are one word of the other cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "levenshtein.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// By the three bytes that a word begins with, or others of the same number, the size of the longest.
class LongestWords {
public:
    using Start = std::uint16_t;

    // The number of the first three of four bytes.
    static Start start_of(std::uint32_t bytes) { return static_cast<Start>(bytes * (0x9E3779B1U << 8) >> (32 - n_bits)); }
    // Forgets all words.
    void clear() {
        epoch_ += std::uint64_t{1} << n_size_bits;
        if (epoch_ == 0) sizes_.fill(0);
    }
    void add(Start start, std::size_t size) { sizes_[start] = std::max(sizes_[start], epoch_ | size); }
    // Whether there is a word of at least this size.
    bool has(Start start, std::size_t size) const { return sizes_[start] >= (epoch_ | size); }

private:
    // Texts have fewer than 2**40 bytes: what is left of others is smaller than any size of this one.
    static constexpr int n_bits = 9, n_size_bits = 40;

    std::array<std::uint64_t, std::size_t{1} << n_bits> sizes_{};
    std::uint64_t epoch_ = 0;
};

// The words of one side of a pair.
struct SideOfJoins {
    Words words;
    std::vector<LongestWords::Start> starts;  // of each word, and of a run that begins with it
    LongestWords longest;
    std::vector<std::uint32_t> candidates;  // words with which a run may begin

    IdVector ids;  // only where words may be joined

    // Only where runs have many letters.
    std::vector<char> letters;       // of all words, one behind the other, and the bytes that `WordIds` reads beyond
    std::vector<std::size_t> ends;   // shape (n_words + 1,), into letters
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

// The tokens of a corpus, and hits, substitutions, deletions and insertions of every pair: shape (n_pairs, 4).
struct JoinedEdits {
    Tokens tokens;
    UnsetVector<std::int64_t> counts;
};
JoinedEdits joined_edits(const Cutter& cutter, const Corpus& corpus, Aligner aligner, int n_threads);

}  // namespace textgauge
