// The best threshold for ties of a metric: the largest of running sums, for many resamples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"

namespace textgauge {

// Resamples whose sums run side by side; the processor adds them at once.
inline constexpr std::size_t n_lanes = 8;
using Lanes = std::array<double, n_lanes>;

// What every gain is multiplied by in `n_lanes` resamples: that of its segment.
struct WeightedGains {
    std::vector<double> gains;
    std::vector<std::uint32_t> segment_of;
    std::vector<std::size_t> ends;  // ascending, within [0, n_gains], at least one
};

// A gain that counts where two metrics, which swap their scores of some outputs, have one of the four differences of
// a pair of outputs: whether the score of the first output is that of the second metric, and of the second output.
struct SwappedGain {
    double gain;
    std::uint32_t first, second;  // twice the output, and 1 for the score of the second metric
};
struct SwappedGains {
    std::vector<SwappedGain> gains;
    std::vector<std::size_t> ends;
    std::size_t n_outputs;
};
inline constexpr std::size_t most_outputs = 0x7FFFFFFF;

// By segment, or by output, for `n_lanes` resamples.
struct TiesScratch {
    std::vector<Lanes> weights;
    std::vector<std::uint8_t> swapped;  // a bit for each resample
};

// The largest sum of the first gains[:end] over all ends, times their weights, for up to n_lanes rows of weights,
// shape (n_rows, n_segments).
void most_gained(const WeightedGains& all, std::span<const double> weights, std::size_t n_segments,
                 std::span<double> found, TiesScratch& scratch, Stop& stop);

// The same of both metrics after swaps, shape (n_rows, n_outputs): `found` has the shape (n_rows, 2).
void most_gained_by_swaps(const SwappedGains& all, std::span<const std::uint8_t> swaps, std::span<double> found,
                          TiesScratch& scratch, Stop& stop);

}  // namespace textgauge
