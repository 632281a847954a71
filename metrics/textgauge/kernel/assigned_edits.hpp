// Edits of utterances, each of which is assigned to one of several channels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// How many cells of tables are computed for these words: the words of the utterances, times the channels, times the
// places in all channels; the largest number where there are more.
std::uint64_t assigned_cells(std::span<const Ids> channels, std::span<const Ids> utterances);

// Hits, substitutions, deletions and insertions, in all; see `plain/assigned_edits.py`. Memory for the places in all
// channels, three times at the most; few edits need only the places near the best way, in time and memory.
std::array<std::int64_t, 4> assigned_edits(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop);

// The channel of every utterance, by the rule of `plain/assigned_edits.py`; in twice the memory, and at most three times
// the time where utterances are about as long: else, where most words are in few, once more each time these are halved.
std::vector<std::int64_t> assigned_channels(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop);

}  // namespace textgauge
