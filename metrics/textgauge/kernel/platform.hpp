// What is not standard C++, and what depends on the machine.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif

namespace textgauge {

// Loads of whole words may read this many bytes behind the end of what they are asked for.
inline constexpr std::size_t padding = 8;

// The product of two words, its halves folded onto each other.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    // `__extension__` keeps -Wpedantic silent.
    __extension__ typedef unsigned __int128 Wide;
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    std::uint64_t high;
    const auto low = _umul128(a, b, &high);
    return low ^ high;
#else
    const std::uint64_t low_mask = 0xFFFFFFFF;
    const auto a0 = a & low_mask, a1 = a >> 32, b0 = b & low_mask, b1 = b >> 32;
    const auto low = a0 * b0, high = a1 * b1, left = a1 * b0, right = a0 * b1;
    const auto middle = (low >> 32) + (left & low_mask) + (right & low_mask);
    return ((low & low_mask) | middle << 32) ^ (high + (left >> 32) + (right >> 32) + (middle >> 32));
#endif
}

inline std::uint64_t load_word(const char* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The first bytes of a word, at most eight, as a number; reads `padding` bytes whatever the length.
inline std::uint64_t load_first(const char* bytes, std::size_t n_bytes) {
    const auto word = load_word(bytes);
    if (n_bytes >= 8) return word;
    if (n_bytes == 0) return 0;  // a shift by 64 is undefined
    const auto n_unused = 8 * (8 - n_bytes);
    if constexpr (std::endian::native == std::endian::little)
        return word << n_unused >> n_unused;
    else
        return word >> n_unused;
}

// Where the first of the next eight bytes stands that is equal to one; 8 if none is.
inline std::size_t find_in_word(const char* bytes, char byte) {
    constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    const auto others = load_word(bytes) ^ (ones * static_cast<unsigned char>(byte));
    if constexpr (std::endian::native == std::endian::little) {
        // A borrow can mark bytes behind the first one that is zero, none before it.
        return static_cast<std::size_t>(std::countr_zero((others - ones) & ~others & highs)) / 8;
    } else {
        const auto not_zero = ((others & ~highs) + ~highs) | others;
        return static_cast<std::size_t>(std::countl_zero(~not_zero & highs)) / 8;
    }
}

}  // namespace textgauge
