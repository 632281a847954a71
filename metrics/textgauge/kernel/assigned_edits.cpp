#include "assigned_edits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace textgauge {
namespace {

constexpr auto most_cells = std::numeric_limits<std::size_t>::max();

std::size_t product(std::size_t a, std::size_t b) { return b != 0 && a > most_cells / b ? most_cells : a * b; }

// Edits, and below them the substitutions: of equally many edits those with fewer substitutions are less.
template <class Cost, int half>
struct Table {
    static constexpr std::size_t most_rows = 64;
    static constexpr Cost one_edit = Cost{1} << half, one_substitution = one_edit + 1;

    // By the place in every channel, the first channel fastest.
    std::vector<Cost> costs, best, tried, diagonal;

    std::pair<std::int64_t, std::int64_t> edits(std::span<const Ids> channels, std::span<const Ids> utterances,
                                                std::size_t n_places, Stop& stop) {
        costs.resize(n_places);
        std::size_t stride = 1;
        // At first all words before a place are insertions.
        for (const auto& channel : channels) {
            const auto size = stride * (channel.size() + 1);
            for (std::size_t i = stride; i < size; ++i) costs[i] = costs[i - stride] + one_edit;
            stride = size;
        }
        for (const auto& utterance : utterances) {
            if (utterance.empty()) continue;
            best.assign(n_places, std::numeric_limits<Cost>::max());
            stride = 1;
            for (const auto& channel : channels) {
                const auto size = stride * (channel.size() + 1);
                // Places of the first channel are neighbours, each of which waits for the one before: several rows of
                // them are turned into columns, and go on together.
                const auto n_rows = stride == 1 ? std::min<std::size_t>(most_rows, n_places / size) : 1;
                for (std::size_t block = 0; block < n_places; block += n_rows * size) {
                    const auto n = std::min(n_rows, (n_places - block) / size);
                    tried.resize(n * size);
                    diagonal.resize(n * stride);
                    for (std::size_t row = 0; row < n; ++row)
                        for (std::size_t i = 0; i < size; ++i) tried[i * n + row] = costs[block + row * size + i];
                    for (const auto word : utterance) {
                        if (stop.asked(n * size)) return {};
                        say(word, channel, n * stride);
                    }
                    for (std::size_t row = 0; row < n; ++row)
                        for (std::size_t i = 0; i < size; ++i)
                            best[block + row * size + i] = std::min(best[block + row * size + i], tried[i * n + row]);
                }
                stride = size;
            }
            if (channels.empty()) best[0] = costs[0] + one_edit * static_cast<Cost>(utterance.size());
            costs.swap(best);
        }
        return {costs.back() >> half, costs.back() & (one_edit - 1)};
    }

    // One more word of an utterance in a channel, whose places are `stride` apart.
    void say(std::uint32_t word, Ids channel, std::size_t stride) {
        auto* const before = diagonal.data();
        for (std::size_t s = 0; s < stride; ++s) {
            before[s] = tried[s];
            tried[s] += one_edit;
        }
        for (std::size_t j = 0; j < channel.size(); ++j) {
            const auto cost = channel[j] == word ? Cost{0} : one_substitution;
            const auto* const left = tried.data() + j * stride;
            auto* const here = tried.data() + (j + 1) * stride;
            for (std::size_t s = 0; s < stride; ++s) {
                const auto up = here[s], edit = std::min(up, left[s]) + one_edit, same = before[s] + cost;
                here[s] = edit < same ? edit : same;
                before[s] = up;
            }
        }
    }
};

}  // namespace

std::size_t assigned_cells(std::span<const Ids> channels, std::span<const Ids> utterances) {
    std::size_t n_words = 0, places = std::max<std::size_t>(channels.size(), 1);
    for (const auto& utterance : utterances) n_words += utterance.size();
    for (const auto& channel : channels) places = product(places, channel.size() + 1);
    return product(places, std::max<std::size_t>(n_words, 1));
}

std::array<std::int64_t, 4> assigned_edits(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop) {
    std::size_t n_places = 1, n = 0, m = 0;
    for (const auto& channel : channels) {
        n_places *= channel.size() + 1;
        n += channel.size();
    }
    for (const auto& utterance : utterances) m += utterance.size();
    // All of these words are edits at the most: both numbers in 32 bits where they fit.
    const auto [edits, s] = n + m < 0x7FFF ? Table<std::int32_t, 16>().edits(channels, utterances, n_places, stop)
                                           : Table<std::int64_t, 31>().edits(channels, utterances, n_places, stop);
    const auto words = static_cast<std::int64_t>(m);
    const auto deletions = (edits - s + words - static_cast<std::int64_t>(n)) / 2;
    return {words - s - deletions, s, deletions, edits - s - deletions};
}

}  // namespace textgauge
