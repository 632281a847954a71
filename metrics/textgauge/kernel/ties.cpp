#include "ties.hpp"

#include <algorithm>
#include <limits>

namespace textgauge {
namespace {

// Sums that run over the gains, and the largest at an end so far.
struct Running {
    Lanes sums{}, largest;

    Running() { largest.fill(-std::numeric_limits<double>::infinity()); }

    void add(double gain, const Lanes& weights) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) sums[lane] += weights[lane] * gain;
    }
    void end() {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) largest[lane] = std::max(largest[lane], sums[lane]);
    }
};

// For every byte its bits as weights.
std::array<Lanes, 256> weights_of_bits() {
    std::array<Lanes, 256> table;
    for (std::size_t byte = 0; byte < table.size(); ++byte)
        for (std::size_t lane = 0; lane < n_lanes; ++lane) table[byte][lane] = byte >> lane & 1;
    return table;
}

}  // namespace

void most_gained(const WeightedGains& all, std::span<const double> weights, std::size_t n_segments,
                 std::span<double> found, TiesScratch& scratch, Stop& stop) {
    scratch.weights.assign(n_segments, Lanes{});
    for (std::size_t row = 0; row < found.size(); ++row)
        for (std::size_t segment = 0; segment < n_segments; ++segment)
            scratch.weights[segment][row] = weights[row * n_segments + segment];
    Running running;
    std::size_t i = 0;
    for (const auto end : all.ends) {
        if (stop.asked(end - i + 1)) return;
        for (; i < end; ++i) running.add(all.gains[i], scratch.weights[all.segment_of[i]]);
        running.end();
    }
    std::copy_n(running.largest.begin(), found.size(), found.begin());
}

void most_gained_by_swaps(const SwappedGains& all, std::span<const std::uint8_t> swaps, std::span<double> found,
                          TiesScratch& scratch, Stop& stop) {
    static const auto weights = weights_of_bits();
    const auto n_rows = found.size() / 2;
    // By twice the output, and 1: where it has the score of the second metric, that of the first is the other's.
    scratch.swapped.assign(2 * all.n_outputs, 0);
    for (std::size_t row = 0; row < n_rows; ++row)
        for (std::size_t output = 0; output < all.n_outputs; ++output) {
            const auto swapped = swaps[row * all.n_outputs + output] != 0;
            scratch.swapped[2 * output + swapped] |= static_cast<std::uint8_t>(1u << row);
        }
    Running first, second;
    std::size_t i = 0;
    for (const auto end : all.ends) {
        if (stop.asked(end - i + 1)) return;
        for (; i < end; ++i) {
            const auto& one = all.gains[i];
            first.add(one.gain, weights[scratch.swapped[one.first] & scratch.swapped[one.second]]);
            second.add(one.gain, weights[scratch.swapped[one.first ^ 1] & scratch.swapped[one.second ^ 1]]);
        }
        first.end();
        second.end();
    }
    for (std::size_t row = 0; row < n_rows; ++row) {
        found[2 * row] = first.largest[row];
        found[2 * row + 1] = second.largest[row];
    }
}

}  // namespace textgauge
