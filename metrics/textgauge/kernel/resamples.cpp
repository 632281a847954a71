#include "resamples.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "bits.hpp"
#include "segments.hpp"

namespace textgauge {
namespace {

// The rows of a block stay in the first cache while a group of resamples draws from them.
constexpr std::size_t most_rows = 512, group_size = 64;

using Weights = std::array<std::uint32_t, most_rows>;

std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

// One resample: SplitMix64 (Steele, Lea and Flood 2014), and what it has yet to draw.
struct Resample {
    std::uint64_t state;
    std::vector<std::uint32_t> draws;  // by block
    std::uint64_t n_again = 0;         // draws behind the last row

    Resample(std::uint64_t seed, std::uint64_t number) : state(mixed(number ^ mixed(seed))) {}

    std::uint64_t word() { return mixed(state += 0x9E3779B97F4A7C15); }
};

// How many of n throws of a coin are heads.
std::uint32_t heads(std::uint32_t n, Resample& one) {
    std::uint32_t found = 0;
    for (; n >= word_bits; n -= word_bits) found += static_cast<std::uint32_t>(std::popcount(one.word()));
    return n ? found + static_cast<std::uint32_t>(std::popcount(one.word() >> (word_bits - n))) : found;
}

std::uint32_t below(std::uint64_t word, std::uint64_t n) { return static_cast<std::uint32_t>((word >> 32) * n >> 32); }

// Draws with replacement. Blocks are a power of two of equally many places, so that coins split the draws
// among them; fewer places than blocks, the last ones, have no row, and are drawn again among all rows.
struct Bootstrap {
    std::size_t n_rows, n_blocks = 1, block_rows;

    explicit Bootstrap(std::size_t n) : n_rows(n), block_rows(n) {
        while (block_rows > most_rows) {
            n_blocks *= 2;
            block_rows = (n_rows + n_blocks - 1) / n_blocks;
        }
    }

    void begin(Resample& one) const {
        one.draws.assign(n_blocks, 0);
        one.draws[0] = static_cast<std::uint32_t>(n_rows);
        for (auto half = n_blocks / 2; half > 0; half /= 2) {
            for (std::size_t block = 0; block < n_blocks; block += 2 * half) {
                const auto first = heads(one.draws[block], one);
                one.draws[block + half] = one.draws[block] - first;
                one.draws[block] = first;
            }
        }
    }

    // Two draws for a word. Returns how many draws there are.
    std::uint32_t weigh(Resample& one, std::size_t block, std::size_t n, Weights& weights) const {
        std::fill_n(weights.begin(), block_rows, 0);
        const auto n_draws = one.draws[block];
        for (std::uint32_t i = 0; i < n_draws / 2; ++i) {
            const auto word = one.word();
            ++weights[below(word, block_rows)];
            ++weights[below(word << 32, block_rows)];
        }
        if (n_draws % 2) ++weights[below(one.word(), block_rows)];
        for (auto place = n; place < block_rows; ++place) one.n_again += weights[place];
        return n_draws;
    }
};

// A bit for each row.
struct Exchange {
    std::size_t n_rows, n_blocks, block_rows = most_rows;

    explicit Exchange(std::size_t n) : n_rows(n), n_blocks((n + most_rows - 1) / most_rows) {}

    void begin(Resample&) const {}

    std::uint32_t weigh(Resample& one, std::size_t, std::size_t n, Weights& weights) const {
        for (std::size_t row = 0; row < n; row += word_bits) {
            const auto word = one.word();
            for (std::size_t bit = 0; bit < word_bits; ++bit) weights[row + bit] = word >> bit & 1;
        }
        return most_rows;
    }
};

std::int64_t wrapped_sum(std::int64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + b);
}

// The rows of a block, shape (n_columns, n), as integers of 16 bits where they fit, whose products a processor adds
// in pairs: then a column has zeros behind it up to a multiple of eight.
struct IntegerBlock {
    std::vector<std::int64_t> wide;
    std::vector<std::int16_t> narrow;
    std::array<std::int16_t, most_rows> narrow_weights{};

    static std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

    void load(const Table<std::int64_t>& rows, std::size_t first, std::size_t n) {
        wide.resize(n * rows.n_columns);
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t column = 0; column < rows.n_columns; ++column)
                wide[column * n + row] = rows.values[(first + row) * rows.n_columns + column];
        std::uint64_t largest = 0;
        for (const auto value : wide) {
            const auto size = static_cast<std::uint64_t>(value);
            largest = std::max(largest, value < 0 ? 0 - size : size);
        }
        narrow.clear();
        if (largest > std::numeric_limits<std::int16_t>::max()) return;
        narrow.assign(padded(n) * rows.n_columns, 0);
        for (std::size_t column = 0; column < rows.n_columns; ++column)
            for (std::size_t row = 0; row < n; ++row)
                narrow[column * padded(n) + row] = static_cast<std::int16_t>(wide[column * n + row]);
    }

    void add(const Weights& weights, std::uint32_t n_draws, std::size_t n, std::span<std::int64_t> sums) {
        // So many products of two numbers of 16 bits, the weights of all draws, add up to less than 2^30.
        const bool fits = !narrow.empty() && n_draws <= std::numeric_limits<std::int16_t>::max();
        return fits ? add_narrow(weights, n, sums) : add_wide(weights, n, sums);
    }

    void add_narrow(const Weights& weights, std::size_t n, std::span<std::int64_t> sums) {
        const auto size = padded(n);
        for (std::size_t row = 0; row < size; ++row) narrow_weights[row] = static_cast<std::int16_t>(weights[row]);
        const auto* values = narrow.data();
        for (auto& sum : sums) {
            std::int32_t total = 0;
            for (std::size_t row = 0; row < size; ++row) total += std::int32_t{narrow_weights[row]} * values[row];
            sum = wrapped_sum(sum, static_cast<std::uint64_t>(std::int64_t{total}));
            values += size;
        }
    }

    void add_wide(const Weights& weights, std::size_t n, std::span<std::int64_t> sums) {
        const auto* values = wide.data();
        for (auto& sum : sums) {
            std::uint64_t total = 0;
            for (std::size_t row = 0; row < n; ++row) total += weights[row] * static_cast<std::uint64_t>(values[row]);
            sum = wrapped_sum(sum, total);
            values += n;
        }
    }
};

// The rows of a block, shape (n_lanes, n, width): so many columns are added side by side, each row after row.
struct FloatBlock {
    static constexpr std::size_t width = 8;
    std::vector<double> lanes;

    void load(const Table<double>& rows, std::size_t first, std::size_t n) {
        lanes.assign((rows.n_columns + width - 1) / width * width * n, 0.0);
        for (std::size_t row = 0; row < n; ++row)
            for (std::size_t column = 0; column < rows.n_columns; ++column)
                lanes[(column / width * n + row) * width + column % width] =
                    rows.values[(first + row) * rows.n_columns + column];
    }

    void add(const Weights& weights, std::uint32_t, std::size_t n, std::span<double> sums) {
        for (std::size_t start = 0; start < sums.size(); start += width) {
            const auto n_columns = std::min(width, sums.size() - start);
            std::array<double, width> totals{};
            std::copy_n(sums.begin() + start, n_columns, totals.begin());
            const auto* values = lanes.data() + start * n;
            for (std::size_t row = 0; row < n; ++row, values += width) {
                const auto weight = static_cast<double>(weights[row]);
                for (std::size_t i = 0; i < width; ++i) totals[i] += weight * values[i];
            }
            std::copy_n(totals.begin(), n_columns, sums.begin() + start);
        }
    }
};

// What one thread works on.
template <class Number>
struct Scratch {
    std::conditional_t<std::is_same_v<Number, double>, FloatBlock, IntegerBlock> block;
    std::vector<Resample> group;
    Weights weights{};
};

template <class Number>
void add_row(const Table<Number>& rows, std::size_t row, std::span<Number> sums) {
    for (std::size_t column = 0; column < sums.size(); ++column) {
        const auto value = rows.values[row * rows.n_columns + column];
        if constexpr (std::is_same_v<Number, double>) sums[column] += value;
        else sums[column] = wrapped_sum(sums[column], static_cast<std::uint64_t>(value));
    }
}

template <class Draw, class Number>
void drawn_sums(const Draw& draw, const Table<Number>& rows, const Resamples& resamples, int n_threads,
                std::span<Number> sums) {
    const auto work = [&](Scratch<Number>& scratch, std::size_t group, Stop& stop) {
        const auto first = group * group_size, last = std::min(first + group_size, resamples.n);
        const auto sums_of = [&](std::size_t i) { return sums.subspan((first + i) * rows.n_columns, rows.n_columns); };
        scratch.group.clear();
        for (auto i = first; i < last; ++i) draw.begin(scratch.group.emplace_back(resamples.seed, resamples.first + i));
        for (std::size_t block = 0; block < draw.n_blocks; ++block) {
            const auto start = std::min(block * draw.block_rows, draw.n_rows);
            const auto n = std::min(draw.block_rows, draw.n_rows - start);
            scratch.block.load(rows, start, n);
            for (std::size_t i = 0; i < scratch.group.size(); ++i) {
                const auto n_draws = draw.weigh(scratch.group[i], block, n, scratch.weights);
                scratch.block.add(scratch.weights, n_draws, n, sums_of(i));
                if (stop.asked(most_rows + n * rows.n_columns / 8)) return;
            }
        }
        for (std::size_t i = 0; i < scratch.group.size(); ++i) {
            auto& one = scratch.group[i];
            for (; one.n_again > 0; --one.n_again) add_row(rows, below(one.word(), draw.n_rows), sums_of(i));
        }
    };
    for_each_segment<Scratch<Number>>((resamples.n + group_size - 1) / group_size, n_threads, work);
}

}  // namespace

template <class Number>
void resampled_sums(const Table<Number>& rows, const Resamples& resamples, int n_threads, std::span<Number> sums) {
    drawn_sums(Bootstrap(rows.n_rows()), rows, resamples, n_threads, sums);
}

template <class Number>
void exchanged_sums(const Table<Number>& rows, const Resamples& resamples, int n_threads, std::span<Number> sums) {
    drawn_sums(Exchange(rows.n_rows()), rows, resamples, n_threads, sums);
}

template void resampled_sums(const Table<std::int64_t>&, const Resamples&, int, std::span<std::int64_t>);
template void resampled_sums(const Table<double>&, const Resamples&, int, std::span<double>);
template void exchanged_sums(const Table<std::int64_t>&, const Resamples&, int, std::span<std::int64_t>);
template void exchanged_sums(const Table<double>&, const Resamples&, int, std::span<double>);

}  // namespace textgauge
