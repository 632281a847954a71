// Sums of numbers without rounding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace textgauge {

// The whole part, of up to 63 bits, then digits of 32 bits behind the point.
inline constexpr std::size_t n_digits = 4;
using Digits = std::array<std::uint64_t, n_digits>;

// Adds up every column of `values`, shape (n_rows, n_columns), into `sums`, shape (n_columns,) and
// zeros before; then all digits but the first are below 2^32. Returns how many values there are, or
// the place of the first one that has no digits: it is negative, not finite, 2^63 or more, or has ones
// behind the last digit. Throws std::overflow_error if all have digits and a column adds up to 2^63 or more.
std::size_t digit_sums(std::span<const double> values, std::span<Digits> sums);

// A sum of numbers of either sign: each is rounded to a multiple of 2^-96 by itself, then nothing is.
class ExactSum {
public:
    // Adds a number; says whether it is finite and below 2^62 in size, else nothing is added.
    bool add(double value);
    void add(const ExactSum& other);
    // Divided by `n` and times `factor`, see `digit_mean`. Throws std::overflow_error if the sum was 2^63 or more.
    double mean(std::uint64_t n, double factor) const;

private:
    void carry_all();

    Digits more_{}, less_{};    // of the positive numbers, of the sizes of the others
    std::uint64_t wholes_ = 0;  // all ones of their whole parts so far: the highest is seen before it is lost
    std::size_t n_ = 0;
};

// The sum that digits, which may be negative, add up to, divided by `n` and times `factor`, rounded once. `n` is from
// 1 to 2^62, the size of `factor` from 2^-64 to 2^64.
double digit_mean(std::span<const std::int64_t, n_digits> digits, std::uint64_t n, double factor);

}  // namespace textgauge
