// Levenshtein distances with their edits, many cells of the table in one word (Myers 1999, Hyyro 2003).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lcs.hpp"
#include "masks.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Whose edits are taken where several lists of them are equally short; see `plain/levenshtein.py`.
enum class Aligner { jiwer, sclite, kaldialign, kaldialign_sclite, n };

inline constexpr std::size_t n_edit_counts = 4;

struct LevenshteinScratch {
    Masks masks;
    Places places;
    // Rows of the table, of which a block is held at once, and those from which the blocks begin.
    std::vector<std::uint64_t> rows, kept;
};

// Hits, substitutions, deletions and insertions that make a reference the hypothesis, for every pair of a segment,
// into shape (n_references, 4).
void levenshtein_edits(const Tokens& tokens, std::size_t segment, Aligner aligner, std::span<std::int64_t> counts,
                       LevenshteinScratch& scratch, Stop& stop);

// The same of one pair; `n_ids` is above all ids of both.
void edits_of_pair(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner, std::span<std::int64_t> counts,
                   LevenshteinScratch& scratch, Stop& stop);

// The edits of one pair from the left: ' ' an equal token, 's' another one, 'd' a reference token that the hypothesis
// lacks, 'i' a hypothesis token too many.
std::string levenshtein_path(Ids hypothesis, Ids reference, std::size_t n_ids, Aligner aligner,
                             LevenshteinScratch& scratch, Stop& stop);

// The texts of a group, for the edits of any two of them.
class LevenshteinIndex {
public:
    // The tokens are all of one segment.
    LevenshteinIndex(const Tokens& tokens, Aligner aligner)
        : ids_(tokens.ids), offsets_(tokens.offsets), aligner_(aligner) {}

    std::size_t n_texts() const { return offsets_.size() - 1; }
    // The counts of a hypothesis with all references from `first` on: shape (n_references, 4).
    void edits(std::size_t row, std::size_t first, std::span<std::int32_t> counts, LevenshteinScratch& scratch,
               Stop& stop) const;

private:
    Ids text(std::size_t t) const {
        return Ids(ids_).subspan(static_cast<std::size_t>(offsets_[t]), static_cast<std::size_t>(offsets_[t + 1] - offsets_[t]));
    }

    IdVector ids_;
    UnsetVector<std::int64_t> offsets_;
    Aligner aligner_;
};

}  // namespace textgauge
