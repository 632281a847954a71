#include "answers.hpp"

#include <algorithm>
#include <array>

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

// What becomes of a byte: the character that stays, and what is to be known of it.
struct Outcome {
    char byte;
    bool stays, is_wide, is_plain;
};
constexpr auto outcomes = [] {
    std::array<Outcome, 256> table{};
    for (std::uint32_t c = 0; c < 128; ++c) {
        const auto kind = ascii_kinds[c];
        table[c] = {is_space(c) ? ' ' : lower(static_cast<char>(c)), kind != AsciiKind::punctuation, false, kind != AsciiKind::other};
    }
    for (std::size_t c = 128; c < 256; ++c) table[c] = {0, false, true, false};
    return table;
}();

// Lower-cases ASCII and drops punctuation; returns what is left of the text. `is_plain` says
// whether that is ASCII letters, digits and spaces only.
std::span<char> without_punctuation(std::span<char> text, bool drops_every, CharacterTable characters, bool& is_plain) {
    char* to = text.data();
    const char *at = text.data(), *end = at + text.size();
    is_plain = true;
    while (at < end) {
        const auto outcome = outcomes[static_cast<unsigned char>(*at)];
        if (!outcome.is_wide) {
            *to = outcome.byte;
            to += outcome.stays;
            is_plain &= outcome.is_plain;
            ++at;
            continue;
        }
        const auto [code, n_bytes] = character_at(at, end);
        const char* next = at + n_bytes;
        if (drops_every && (characters[code] & major_bits) == punctuation) {
            at = next;
        } else {
            is_plain = false;
            while (at < next) *to++ = *at++;
        }
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
void clear_articles(std::span<char> text, const WordIds& articles, CharacterTable characters) {
    char *at = text.data(), *end = at + text.size();
    while (at < end) {
        char* first = at;
        while (at < end) {
            const auto n = word_at(at, end, characters);
            if (n == 0) break;
            at += n;
        }
        const std::string_view run(first, static_cast<std::size_t>(at - first));
        if (articles.find(run) != WordIds::none) std::fill(first, at, ' ');
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

// Splits plain text, and leaves out articles: in it they are whole words.
void split_plain(std::span<char> text, const WordIds& articles, std::vector<std::string_view>& words) {
    const auto n_before = words.size();
    cut_runs(text, ' ', words);
    if (articles.size() == 0) return;
    const auto is_article = [&articles](std::string_view word) { return articles.find(word) != WordIds::none; };
    words.erase(std::remove_if(words.begin() + static_cast<std::ptrdiff_t>(n_before), words.end(), is_article), words.end());
}

}  // namespace

void cut_answer(std::span<char> text, const AnswerRules& rules, CharacterTable characters,
                std::vector<std::string_view>& words) {
    bool is_plain;
    text = without_punctuation(text, rules.drops_every_punctuation, characters, is_plain);
    if (is_plain && rules.prefix.empty()) return split_plain(text, rules.articles, words);
    if (rules.articles.size() > 0) clear_articles(text, rules.articles, characters);
    if (!rules.prefix.empty()) clear_prefix(text, rules.prefix);
    split(text, rules.splits_han, words);
}

}  // namespace textgauge
