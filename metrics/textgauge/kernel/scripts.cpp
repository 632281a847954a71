#include "scripts.hpp"

#include <algorithm>
#include <cstddef>

#include "characters.hpp"

namespace textgauge {
namespace {

// How many bytes at the beginning of `rest` are a letter outside ASCII, or an accent; a Greek letter is one beside
// another. 0 if there is none.
std::size_t n_of_wide(std::string_view rest) {
    const auto byte_at = [rest](std::size_t i) {
        return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U;
    };
    const auto is_greek = [](unsigned byte) { return byte == 0xCE || byte == 0xCF; };
    const auto first = byte_at(0);
    if (first < 0xC3 || first == 0xE2 || first > 0xEF) return 0;
    if (first == 0xC3) return rest.size() > 1 && byte_at(1) != 0x97 && byte_at(1) != 0xB7 ? 2 : 0;
    if (is_greek(first)) return byte_at(1) >= 0x80 && byte_at(1) <= 0xBF && is_greek(byte_at(2)) ? 3 : 0;
    return 1;
}

}  // namespace

bool has_wide_words(std::string_view text, double most, double most_of_one) {
    constexpr std::ptrdiff_t n_block = 16;
    const auto goes_on = [](char byte) { return !is_ascii(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'); };
    std::size_t n_words = 1;
    // Without a branch: where a word ends is hard to guess.
    for (const char byte : text) n_words += std::size_t{byte == ' '} + std::size_t{byte == '\n'};
    std::size_t n_wide = 0;
    bool are_distinct = false;
    std::string_view first;
    const char *at = text.data(), *const end = at + text.size();
    for (;;) {
        while (end - at >= n_block && is_ascii(std::string_view(at, n_block))) at += n_block;
        while (at < end && is_ascii(*at)) ++at;
        if (at == end) return false;
        const auto n = n_of_wide({at, static_cast<std::size_t>(end - at)});
        if (n == 0) {
            ++at;
            continue;
        }
        const char* const behind = std::find_if_not(at + n, end, goes_on);
        const std::string_view word(at, static_cast<std::size_t>(behind - at));
        if (n_wide++ == 0) first = word;
        are_distinct = are_distinct || word != first;
        // More words change nothing.
        const auto share = are_distinct ? most : most_of_one;
        if (static_cast<double>(n_wide) > share * static_cast<double>(n_words)) return true;
        at = behind;
    }
}

}  // namespace textgauge
