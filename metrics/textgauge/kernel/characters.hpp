// Characters in UTF-8: where they end, which are white space, and what Python knows of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "platform.hpp"

namespace textgauge {

inline constexpr std::size_t n_code_points = 0x110000;

// The table of characters: one byte per code point, filled by Python from its own `unicodedata`, page by page.
using CharacterTable = std::span<const std::uint8_t>;
enum MajorCategory : std::uint8_t { other, letter, mark, number, punctuation, symbol, invisible, pictograph };
inline constexpr std::uint8_t major_bits = 7, space_bit = 8, word_bit = 16, unspaced_bit = 32,
    cased_bit = 64, known_bit = 128;

inline bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }
inline bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// By words, the last of which may overlap the one before. No byte outside the text is read.
inline bool is_ascii(std::string_view text) {
    constexpr std::size_t n_word = sizeof(std::uint64_t);
    std::uint64_t all = 0;
    if (text.size() >= n_word) {
        for (std::size_t i = 0; i + n_word <= text.size(); i += n_word) all |= load_word(text.data() + i);
        all |= load_word(text.data() + text.size() - n_word);
    } else {
        for (const char byte : text) all |= static_cast<unsigned char>(byte);
    }
    return (all & 0x8080808080808080) == 0;
}

struct Character {
    std::uint32_t code;  // below n_code_points
    std::size_t n_bytes;
};

// The character that starts at `at` < end. No byte at or behind `end` is read, whatever is there.
inline Character character_at(const char* at, const char* end) {
    const auto byte = [at](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(at[i])); };
    const auto rest = [&byte](std::size_t i) { return byte(i) & 0x3F; };
    const auto first = byte(0);
    const auto n_left = static_cast<std::size_t>(end - at);
    if (first < 0xC0) return {first, 1};
    if (first < 0xE0 && n_left >= 2) return {(first & 0x1F) << 6 | rest(1), 2};
    if (first < 0xF0 && n_left >= 3) return {(first & 0x0F) << 12 | rest(1) << 6 | rest(2), 3};
    if (n_left >= 4) {
        const auto code = (first & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3);
        return {code < n_code_points ? code : 0xFFFD, 4};
    }
    return {0xFFFD, n_left};
}

// White space as `str.isspace` has it; the last of these characters is U+3000.
constexpr bool is_space(std::uint32_t code) {
    if (code <= 0x20) return (code >= 0x09 && code <= 0x0D) || code >= 0x1C;
    if (code < 0x2000) return code == 0x85 || code == 0xA0 || code == 0x1680;
    return code <= 0x200A || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

// How many bytes the white-space character at `at` < end has; 0 where there is another one.
inline std::size_t space_at(const char* at, const char* end) {
    const auto first = static_cast<unsigned char>(*at);
    if (first < 0x80) return is_space(first);
    if (first != 0xC2 && (first < 0xE1 || first > 0xE3)) return 0;
    const auto character = character_at(at, end);
    return is_space(character.code) ? character.n_bytes : 0;
}

constexpr char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

inline void lower_ascii(std::span<char> text) {
    std::ranges::transform(text, text.begin(), [](char c) { return lower(c); });
}

// The text without the white space at its end, or at both ends.
inline std::string_view without_end_space(std::string_view text) {
    while (!text.empty()) {
        std::size_t n = 1;
        while (n < text.size() && n < 3 && is_continuation(text[text.size() - n])) ++n;
        const char* last = text.data() + text.size() - n;
        if (space_at(last, text.data() + text.size()) != n) break;
        text.remove_suffix(n);
    }
    return text;
}
inline std::string_view without_border_space(std::string_view text) {
    text = without_end_space(text);
    while (!text.empty()) {
        const auto n = space_at(text.data(), text.data() + text.size());
        if (n == 0) break;
        text.remove_prefix(n);
    }
    return text;
}

}  // namespace textgauge
