// Rows of bits, word by word.
#pragma once

#include <cstddef>
#include <cstdint>

namespace textgauge {

inline constexpr std::size_t word_bits = 64;

// The words that hold so many bits.
constexpr std::size_t words_of(std::size_t n_bits) { return (n_bits + word_bits - 1) / word_bits; }
// A bit in its word.
constexpr std::uint64_t bit_of(std::size_t place) { return std::uint64_t{1} << place % word_bits; }

}  // namespace textgauge
