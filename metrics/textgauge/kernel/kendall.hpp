// Kendall's counts of concordant and discordant pairs, of weighted observations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"

namespace textgauge {

// Observations in ascending order of a first rank: group g of equal ones spans group_offsets[g] to [g + 1].
struct Ranked {
    std::vector<std::size_t> group_offsets;
    std::vector<std::uint32_t> second;      // dense ranks
    std::vector<std::uint32_t> segment_of;  // whose weight is that of the observation
    std::size_t n_second, n_segments;
};

// Ranks are below their number, segments below theirs.
Ranked ranked(std::span<const std::int64_t> first, std::span<const std::int64_t> second,
              std::span<const std::int64_t> segment_of, std::size_t n_segments);

struct KendallScratch {
    std::vector<std::int64_t> tree, weight_of;  // by second rank
};

inline constexpr std::size_t n_kendall_sums = 3;
// The sum of all weights, so that its square fits.
inline constexpr std::int64_t most_weight = 0x7FFFFFFF;

// Sums over pairs of the products of their weights: of concordant pairs less discordant ones, of pairs that differ
// in the first rank, and in the second. An observation of weight w is w equal ones.
void kendall_sums(const Ranked& ranked, std::span<const std::int64_t> weights, std::span<std::int64_t> sums,
                  KendallScratch& scratch, Stop& stop);

}  // namespace textgauge
