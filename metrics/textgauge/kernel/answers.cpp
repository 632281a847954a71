#include "answers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "platform.hpp"
#include "runs.hpp"

namespace textgauge {
namespace {

enum class AsciiKind : std::uint8_t { other, word, space, punctuation };

constexpr auto ascii_kinds = [] {
    std::array<AsciiKind, 128> kinds{};
    for (std::uint32_t c = 0; c < 128; ++c) {
        const bool is_word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (is_word) {
            kinds[c] = AsciiKind::word;
        } else if (is_space(c)) {
            kinds[c] = AsciiKind::space;
        } else if (c > 0x20 && c < 0x7F) {
            kinds[c] = AsciiKind::punctuation;
        }
    }
    return kinds;
}();

AsciiKind ascii_kind(char byte) { return ascii_kinds[static_cast<unsigned char>(byte)]; }

// Stands for a byte that is to be dropped; no text in UTF-8 has it.
constexpr char dropped = '\xFF';

// Lower-cases ASCII, puts spaces for its white space and `dropped` for its punctuation. Says whether
// the text has anything else than ASCII letters, digits, spaces and punctuation.
//
// By comparisons and not by a table, so that compilers take many bytes at a time.
bool map_ascii(std::span<char> text) {
    unsigned char others = 0;
    for (char& byte : text) {
        const auto same = static_cast<unsigned char>(byte), lowered = static_cast<unsigned char>(byte | 0x20);
        const bool is_letter = static_cast<unsigned char>(lowered - 'a') < 26;
        const bool is_digit = static_cast<unsigned char>(same - '0') < 10;
        const bool is_blank = (static_cast<unsigned char>(same - '\t') < 5) |
            (static_cast<unsigned char>(same - 0x1C) < 5);
        const bool is_visible = static_cast<unsigned char>(same - 0x21) < 0x7F - 0x21;
        const auto unseen = (is_visible & !is_digit) ? static_cast<unsigned char>(dropped) : same;
        byte = static_cast<char>(is_letter ? lowered : is_blank ? ' ' : unseen);
        others |= (is_visible | is_blank) ? 0 : 1;
    }
    return others != 0;
}

// Closes the gaps that `dropped` bytes leave; returns what is left of the text.
std::span<char> without_dropped(std::span<char> text) {
    char* to = nullptr;          // where what stays behind the first gap goes
    const char* from = nullptr;  // and begins
    const auto move_up_to = [&](const char* end) {
        const auto n = static_cast<std::size_t>(end - from);
        std::memmove(to, from, n);
        to += n;
    };
    for (std::size_t i = 0; i < text.size(); i += block_bytes) {
        const auto n_left = text.size() - i;
        auto gaps = ~unequal_bits(text.data() + i, dropped);
        if (n_left < block_bytes) gaps &= (std::uint64_t{1} << n_left) - 1;
        for (; gaps != 0; gaps &= gaps - 1) {
            char* gap = text.data() + i + std::countr_zero(gaps);
            if (to)
                move_up_to(gap);
            else
                to = gap;
            from = gap + 1;
        }
    }
    if (!to) return text;
    move_up_to(text.data() + text.size());
    return text.first(static_cast<std::size_t>(to - text.data()));
}

// Drops what is punctuation outside ASCII as well; returns what is left of the text.
std::span<char> without_wide_punctuation(std::span<char> text, CharacterTable characters) {
    char* to = text.data();
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const auto [code, n_bytes] = character_at(at, end);
        const bool stays = is_ascii(*at) || (characters[code] & major_bits) != punctuation;
        const char* next = at + n_bytes;
        if (!stays) at = next;
        while (at < next) *to++ = *at++;
    }
    return text.first(static_cast<std::size_t>(to - text.data()));
}

// How many bytes the word character at `at` < end has, words being those of `re`; 0 for any other.
std::size_t word_at(const char* at, const char* end, CharacterTable characters) {
    if (is_ascii(*at)) return ascii_kind(*at) == AsciiKind::word;
    const auto [code, n_bytes] = character_at(at, end);
    return characters[code] & word_bit ? n_bytes : 0;
}

// Puts spaces for articles. They are made of word characters, so that one between word borders is
// a whole run of word characters.
void clear_articles(std::span<char> text, const WordSet& articles, CharacterTable characters) {
    char *at = text.data(), *end = at + text.size();
    while (at < end) {
        char* first = at;
        while (at < end) {
            const auto n = word_at(at, end, characters);
            if (n == 0) break;
            at += n;
        }
        const std::string_view run(first, static_cast<std::size_t>(at - first));
        if (articles.has(run)) std::fill(first, at, ' ');
        if (at < end) at += is_ascii(*at) ? 1 : character_at(at, end).n_bytes;
    }
}

void clear_prefix(std::span<char> text, std::string_view prefix) {
    const std::string_view whole(text.data(), text.size());
    for (auto at = whole.find(prefix); at != whole.npos; at = whole.find(prefix, at + prefix.size()))
        std::fill_n(text.data() + at, prefix.size(), ' ');
}

void split(std::span<char> text, bool splits_han, std::vector<std::string_view>& words) {
    const char *at = text.data(), *end = at + text.size(), *first = nullptr;
    const auto close = [&](const char* last) {
        if (first) words.emplace_back(first, static_cast<std::size_t>(last - first));
        first = nullptr;
    };
    while (at < end) {
        if (const auto n = space_at(at, end)) {
            close(at);
            at += n;
            continue;
        }
        const auto [code, n_bytes] = character_at(at, end);
        if (splits_han && code >= 0x4E00 && code <= 0x9FA5) {
            close(at);
            words.emplace_back(at, n_bytes);
        } else if (!first) {
            first = at;
        }
        at += n_bytes;
    }
    close(end);
}

// Whether a run is a word of ASCII letters and digits: to articles it is one word.
bool is_plain(std::string_view run) {
    return std::ranges::all_of(run, [](char byte) { return is_ascii(byte) && ascii_kind(byte) == AsciiKind::word; });
}

}  // namespace

void cut_answer(std::span<char> text, const AnswerRules& rules, CharacterTable characters,
                std::vector<std::string_view>& words) {
    const bool has_others = map_ascii(text);
    text = without_dropped(text);
    if (has_others && rules.drops_every_punctuation) text = without_wide_punctuation(text, characters);
    // No rule looks beyond white space, so that only runs with other characters need them all.
    each_run(text, ' ', [&](std::span<char> run) {
        const std::string_view word(run.data(), run.size());
        if (rules.prefix.empty() && (!has_others || is_plain(word))) {
            if (!rules.articles.has(word)) words.push_back(word);
            return;
        }
        if (rules.articles.size() > 0) clear_articles(run, rules.articles, characters);
        if (!rules.prefix.empty()) clear_prefix(run, rules.prefix);
        split(run, rules.splits_han, words);
    });
}

}  // namespace textgauge
