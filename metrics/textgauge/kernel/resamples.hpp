// Sums of rows that are drawn at random: the bootstrap, and exchanges between two systems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace textgauge {

// Rows of int64_t or double, shape (n_rows, n_columns).
template <class Number>
struct Table {
    std::span<const Number> values;
    std::size_t n_columns;

    std::size_t n_rows() const { return n_columns ? values.size() / n_columns : 0; }
};

// The resamples of a seed with the numbers from `first` on.
struct Resamples {
    std::uint64_t seed, first;
    std::size_t n;
};

inline constexpr std::size_t most_rows_to_draw = 0xFFFFFFFF;

// The sums of as many rows as there are, drawn with replacement: `sums` has shape (n, n_columns). A resample
// depends on the seed, its number and the number of rows; integers that overflow wrap around.
template <class Number>
void resampled_sums(const Table<Number>& rows, const Resamples& resamples, int n_threads, std::span<Number> sums);

// The sums of rows that are in or out with probability one half, in the same form.
template <class Number>
void exchanged_sums(const Table<Number>& rows, const Resamples& resamples, int n_threads, std::span<Number> sums);

}  // namespace textgauge
