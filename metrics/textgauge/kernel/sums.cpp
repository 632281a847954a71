#include "sums.hpp"

#include <stdexcept>

namespace textgauge {
namespace {

constexpr unsigned n_bits = 32;
constexpr double base = std::uint64_t{1} << n_bits;
constexpr double first_too_large = 0x1p63;

// So many digits add up to less than 2^64.
constexpr std::size_t most_rows = std::size_t{1} << 31;

// Brings all digits but the first below 2^32.
void carry(Digits& digits) {
    for (auto i = n_digits - 1; i > 0; --i) {
        digits[i - 1] += digits[i] >> n_bits;
        digits[i] &= (std::uint64_t{1} << n_bits) - 1;
    }
}

// Adds the digits of a number below 2^63; says whether it has some.
bool add(double value, Digits& sums) {
    // NaN is not in this range either.
    if (!(value >= 0 && value < first_too_large)) return false;
    for (auto& sum : sums) {
        // Every step is exact: a whole part leaves, and a power of two multiplies what is left.
        const auto whole = static_cast<std::int64_t>(value);
        sum += static_cast<std::uint64_t>(whole);
        value = (value - static_cast<double>(whole)) * base;
    }
    return value == 0;
}

}  // namespace

std::size_t digit_sums(std::span<const double> values, std::span<Digits> sums) {
    std::size_t place = 0;
    std::uint64_t wholes = 0;  // all ones of the whole parts of sums so far: the highest is seen before it is lost
    const auto carry_all = [&] {
        for (auto& sum : sums) {
            carry(sum);
            wholes |= sum[0];
        }
    };
    for (std::size_t row = 1; place < values.size(); ++row) {
        for (auto& sum : sums) {
            if (!add(values[place], sum)) return place;
            wholes |= sum[0];
            ++place;
        }
        if (row % most_rows == 0) carry_all();
    }
    carry_all();
    if (wholes >> 63) throw std::overflow_error("values: expected columns that add up to less than 2**63");
    return place;
}

}  // namespace textgauge
