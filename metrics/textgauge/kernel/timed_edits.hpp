// Edits of words with times, of which only words that overlap in time are compared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Words in their order, each with its start and end.
struct TimedWords {
    Ids ids;
    std::span<const std::array<double, 2>> times;
};

struct TimedScratch {
    struct Cell {
        std::int64_t edits, substitutions;
    };
    std::vector<Cell> row;
    std::vector<double> starts_behind, ends_before, starts_of_references;
};

// Hits, substitutions, deletions and insertions by the rule of kaldialign; see `plain/timed_edits.py`. Of every word of
// the reference the words are looked at that the times up to it and from it on can reach.
std::array<std::int64_t, 4> timed_edits(TimedWords hypothesis, TimedWords reference, TimedScratch& scratch, Stop& stop);

}  // namespace textgauge
