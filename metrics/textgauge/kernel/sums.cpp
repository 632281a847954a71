#include "sums.hpp"

#include <bit>
#include <cmath>
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

// A whole number in words of 32 bits, the lowest first; below 0 as its complement of two.
using Limbs = std::array<std::uint32_t, 8>;

void add(Limbs& limbs, std::size_t place, std::int64_t digit) {
    const auto bits = static_cast<std::uint64_t>(digit);
    std::uint64_t carry = 0;
    for (auto k = place; k < limbs.size(); ++k) {
        const auto part = k < place + 2 ? bits >> n_bits * (k - place) : digit < 0 ? ~std::uint64_t{0} : 0;
        carry += std::uint64_t{limbs[k]} + static_cast<std::uint32_t>(part);
        limbs[k] = static_cast<std::uint32_t>(carry);
        carry >>= n_bits;
    }
}

// The size of what digits add up to, in units of the last one's 1; says whether it is below 0.
bool magnitude(std::span<const std::int64_t, n_digits> digits, Limbs& limbs) {
    limbs = {};
    for (std::size_t i = 0; i < n_digits; ++i) add(limbs, n_digits - 1 - i, digits[i]);
    const bool is_negative = limbs.back() >> (n_bits - 1) != 0;
    if (is_negative) {
        for (auto& limb : limbs) limb = ~limb;
        add(limbs, 0, 1);
    }
    return is_negative;
}

void multiply(Limbs& limbs, std::uint32_t by) {
    std::uint64_t carry = 0;
    for (auto& limb : limbs) {
        carry += std::uint64_t{limb} * by;
        limb = static_cast<std::uint32_t>(carry);
        carry >>= n_bits;
    }
}

}  // namespace

double digit_mean(std::span<const std::int64_t, n_digits> digits, std::uint64_t n, double factor) {
    Limbs limbs;
    const bool is_negative = magnitude(digits, limbs) != (factor < 0);
    // A factor is a whole number of up to 53 bits times a power of two.
    int exponent = 0;
    auto whole = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(factor), &exponent), 53));
    const auto n_zeros = std::countr_zero(whole);
    whole >>= n_zeros;
    auto high = limbs;
    multiply(high, static_cast<std::uint32_t>(whole >> n_bits));
    multiply(limbs, static_cast<std::uint32_t>(whole));
    for (std::size_t k = 0; k + 1 < limbs.size(); ++k) add(limbs, k + 1, high[k]);
    const auto bit_at = [&](int place) {
        return place < 0 ? 0 : limbs[static_cast<std::size_t>(place) / n_bits] >> place % static_cast<int>(n_bits) & 1;
    };
    auto place = static_cast<int>(n_bits * limbs.size());
    while (place > 0 && bit_at(place - 1) == 0) --place;
    if (place == 0) return 0;
    // Bit by bit, until the quotient has two bits more than a double; of the rest it only matters whether it is 0.
    std::uint64_t quotient = 0, left = 0;
    while (quotient >> 54 == 0) {
        left = left << 1 | bit_at(--place);
        const bool fits = left >= n;
        if (fits) left -= n;
        quotient = quotient << 1 | fits;
    }
    bool has_rest = left != 0;
    for (auto below = place; !has_rest && below > 0;) has_rest = bit_at(--below) != 0;
    const auto power = place + n_zeros + exponent - 53 - static_cast<int>(n_bits * (n_digits - 1));
    const auto mean = std::ldexp(static_cast<double>(quotient << 1 | has_rest), power - 1);
    return is_negative ? -mean : mean;
}

bool ExactSum::add(double value) {
    auto size = std::abs(value);
    // NaN is not in this range either.
    if (!(size < 0x1p62)) return false;
    // Larger ones are multiples already, since a double has 53 bits.
    if (size < 0x1p-43) size = std::nearbyint(size * 0x1p96) * 0x1p-96;
    auto& sum = value < 0 ? less_ : more_;
    textgauge::add(size, sum);
    wholes_ |= sum[0];
    if (++n_ % most_rows == 0) carry_all();
    return true;
}

void ExactSum::add(const ExactSum& other) {
    for (std::size_t i = 0; i < n_digits; ++i) {
        more_[i] += other.more_[i];
        less_[i] += other.less_[i];
    }
    wholes_ |= other.wholes_;
    carry_all();
}

void ExactSum::carry_all() {
    for (auto* sum : {&more_, &less_}) {
        carry(*sum);
        wholes_ |= (*sum)[0];
    }
}

double ExactSum::mean(std::uint64_t n, double factor) const {
    auto all = *this;
    all.carry_all();
    if (all.wholes_ >> 63) throw std::overflow_error("values: expected columns that add up to less than 2**63");
    std::array<std::int64_t, n_digits> digits;
    for (std::size_t i = 0; i < n_digits; ++i)
        digits[i] = static_cast<std::int64_t>(all.more_[i]) - static_cast<std::int64_t>(all.less_[i]);
    return digit_mean(digits, n, factor);
}

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
