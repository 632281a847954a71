// METEOR: the alignment of nltk (Banerjee and Lavie 2005) and that of METEOR 1.5 (Denkowski and Lavie 2014).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "segments.hpp"

namespace textgauge {

using WordIds32 = std::span<const std::uint32_t>;
inline constexpr std::uint32_t no_word = 0xFFFFFFFF;

// What is known of the words of a call, each once.
struct MeteorWords {
    std::vector<std::uint32_t> stems;      // shape (n_words,): equal numbers are equal stems
    std::vector<std::int64_t> offsets;     // shape (n_words + 1,), into related
    std::vector<std::uint32_t> related;    // METEOR 1.5: sorted synsets; nltk: words that are synonyms
    std::vector<std::uint8_t> functions;   // shape (n_words,): whether it is a function word
    std::vector<std::uint32_t> lengths;    // shape (n_words,): in characters, or all 1
    std::vector<std::uint32_t> in_table;   // shape (n_words,): its number in the table of paraphrases, or no_word
    std::vector<std::uint32_t> nodes;      // shape (n_words,): its phrase of one word in the table, or 0; see `word_nodes`

    std::span<const std::uint32_t> related_to(std::uint32_t word) const {
        return std::span(related).subspan(static_cast<std::size_t>(offsets[word]),
                                          static_cast<std::size_t>(offsets[word + 1] - offsets[word]));
    }
};

// A tree of phrases: node 0 is the empty one; the children of a node stand together, by ascending word.
//
// The arrays come from a file, so every number is checked where it is read.
struct Paraphrases {
    std::span<const std::uint32_t> words;    // shape (n_nodes,): the last word of a phrase
    std::span<const std::uint32_t> first;    // shape (n_nodes + 1,): the children of a node, into nodes
    std::span<const std::uint32_t> offsets;  // shape (n_nodes + 1,): the paraphrases of a phrase, into entries
    std::span<const std::uint32_t> entries;  // nodes, in the order of the table

    // The child of a node by a word; 0 if there is none.
    std::uint32_t child(std::uint32_t node, std::uint32_t word) const;
    std::span<const std::uint32_t> of(std::uint32_t node) const;
};

// What METEOR 1.5 must know of words for paraphrases.
std::vector<std::uint32_t> word_nodes(const MeteorWords& words, const Paraphrases& table);

// The same, built from the text of the table: three lines each, a number, a phrase, its paraphrase.
struct ParaphraseTable {
    std::vector<std::string_view> vocabulary;
    std::vector<std::uint32_t> words, first, offsets, entries;
    std::size_t bad_line = 0;  // the first line, from 1, that should be a number and is none
};
ParaphraseTable paraphrase_table(std::string_view text, Stop& stop);

// A run of `n` words of the reference from `at` matches a run of `n_own` words of the hypothesis from `own`.
struct MeteorMatch {
    std::uint32_t at, n, own, n_own, matcher;
};

enum MeteorMatcher : std::uint32_t { meteor_exact, meteor_stem, meteor_synonym, meteor_paraphrase };
inline constexpr std::size_t n_meteor_counts = 23;

struct MeteorOptions {
    std::array<bool, 4> matchers;
    std::size_t beam_size;
};

// Some numbers: to most others it says that they are not among them.
class NumberFilter {
public:
    void clear() { bits_.fill(0); }
    void add(std::uint32_t number) { bits_[number / 64 % bits_.size()] |= std::uint64_t{1} << (number % 64); }
    bool may_have(std::uint32_t number) const { return bits_[number / 64 % bits_.size()] >> (number % 64) & 1; }

private:
    std::array<std::uint64_t, 64> bits_{};
};

struct MeteorScratch {
    struct Path {
        std::int64_t credit = 0, chunks = 0, distance = 0;
        std::uint32_t end = no_word, own_end = no_word;  // behind the last match
        std::uint32_t last = no_word;                    // its place in `steps`
    };
    struct Step {
        std::uint32_t before, match;
    };
    struct Next {
        Path path;
        std::int64_t ended;         // chunks of it that have ended
        std::uint32_t from, match;  // the path it goes on, and what it takes, or no_word
    };
    struct Phrase {
        std::uint32_t node, at, n;
    };
    struct Phrases {
        std::vector<Phrase> by_place, by_node;
        NumberFilter nodes;
    };
    std::vector<MeteorMatch> found, alignment;  // found: by place in the reference
    std::vector<std::vector<MeteorMatch>> by_place;
    std::vector<std::uint32_t> own_cover, cover, fixed;
    std::vector<std::size_t> first;
    std::vector<Path> paths;
    std::vector<Next> next;
    std::vector<std::uint32_t> order;  // of next
    std::vector<Step> steps;
    std::vector<std::uint64_t> used, used_next;  // bits of the words that a path has used: hypothesis, then reference
    Phrases phrases, own_phrases;
    WordIds32 own_text;  // whose phrases own_phrases are
    NumberFilter synsets;
    std::vector<std::uint32_t> own_stems;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> synsets_of;  // of both texts, with places of the reference
    // Of nltk, see `meteor_alignment`: by word, then by place of the reference; places of the hypothesis.
    static constexpr std::uint32_t taken = no_word - 1;
    std::vector<std::uint32_t> last, before, own_left;
};

// The alignment of METEOR 1.5, by place in the reference: `plain/meteor.py` has the rules.
void meteor15_alignment(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words,
                        const Paraphrases& paraphrases, const MeteorOptions& options, MeteorScratch& scratch,
                        Stop& stop);

// The 23 numbers of a pair.
void meteor15_counts(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words,
                     const Paraphrases& paraphrases, const MeteorOptions& options, std::span<std::int64_t> counts,
                     MeteorScratch& scratch, Stop& stop);

// The alignment of nltk, by place in the hypothesis (`own`): greedy from the back. Stems and synonyms are numbers of
// words.
void meteor_alignment(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, MeteorScratch& scratch,
                      Stop& stop);

// Matches, chunks, words of the hypothesis and of the reference.
void meteor_counts(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words,
                   std::span<std::int64_t> counts, MeteorScratch& scratch, Stop& stop);

}  // namespace textgauge
