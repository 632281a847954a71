#include "tokenizers.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "runs.hpp"

namespace textgauge {
namespace {

constexpr std::array<std::pair<std::string_view, Tokenizer>, 17> names{{
    {"13a", Tokenizer::mteval_13a},
    {"nist", Tokenizer::nist},
    {"nist-spaces", Tokenizer::nist_spaces},
    {"rouge", Tokenizer::rouge},
    {"rouge-1.5.5", Tokenizer::rouge_155},
    {"whitespace", Tokenizer::whitespace},
    {"ascii-whitespace", Tokenizer::ascii_whitespace},
    {"character", Tokenizer::character},
    {"every-character", Tokenizer::every_character},
    {"character-jiwer-3", Tokenizer::character_jiwer_3},
    {"spaces", Tokenizer::spaces},
    {"intl", Tokenizer::intl},
    {"zh", Tokenizer::zh},
    {"unicode", Tokenizer::unicode},
    {"answers", Tokenizer::answers},
    {"ptb", Tokenizer::ptb},
    {"coco", Tokenizer::coco},
}};

std::size_t index(char byte) { return static_cast<unsigned char>(byte); }

std::string_view between(const char* first, const char* last) {
    return {first, static_cast<std::size_t>(last - first)};
}

// Puts the ASCII of their lower case for U+0130 (i and a separator) and U+212A (k); the text may get shorter.
Text with_ascii_of_wide_letters(Text text) {
    const auto whole = between(text.data(), text.data() + text.size());
    if (is_ascii(whole) || (whole.find("\u0130") == whole.npos && whole.find("\u212A") == whole.npos)) return text;
    char* to = text.data();
    const char *end = text.data() + text.size(), *from = text.data();
    while (from < end) {
        const auto left = between(from, end);
        if (left.starts_with("\u0130")) {
            *to++ = 'i';
            *to++ = ' ';
            from += 2;
        } else if (left.starts_with("\u212A")) {
            *to++ = 'k';
            from += 3;
        } else {
            *to++ = *from++;
        }
    }
    return text.first(static_cast<std::size_t>(to - text.data()));
}

// Appends the runs between separators; separator_at(at, end) is the size of one, or 0.
template <class SeparatorAt>
void cut_between(Text text, Words& tokens, SeparatorAt separator_at) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        if (const auto n = separator_at(at, end)) {
            at += n;
            continue;
        }
        const char* first = at;
        do ++at;
        while (at < end && !separator_at(at, end));
        tokens.push_back(between(first, at));
    }
}

// The bytes with which white space other than the space begins; see `space_at`.
constexpr std::string_view other_space_bytes = "\t\n\v\f\r\x1C\x1D\x1E\x1F\xC2\xE1\xE2\xE3";

// Whether a text has white space other than spaces. Bytes of the padding are read, and do not count.
bool has_other_space(Text text) {
    const char* const end = text.data() + text.size();
    for (const char* lane = text.data(); lane < end; lane += lane_bytes) {
        static_assert(padding >= lane_bytes);
        if (unusual_bits(lane) == 0) continue;
        for (auto bits = equal_bits(lane, other_space_bytes); bits != 0; bits &= bits - 1) {
            const char* const at = lane + std::countr_zero(bits);
            if (at < end && space_at(at, end) != 0) return true;
        }
    }
    return false;
}

// Appends the runs between spaces of a text without other white space.
void cut_at_spaces(Text text, Words& tokens) {
    each_run(text, ' ', [&tokens](std::span<char> run) { tokens.emplace_back(run.data(), run.size()); });
}

struct SpaceRun {
    std::size_t n_bytes, n_characters;
};

// The white space from `at` on.
SpaceRun space_run(const char* at, const char* end) {
    SpaceRun run{0, 0};
    while (at + run.n_bytes < end) {
        const auto n = space_at(at + run.n_bytes, end);
        if (n == 0) break;
        run.n_bytes += n;
        ++run.n_characters;
    }
    return run;
}

// What 13a's rules tell apart. The border of a text is what stands before its first character
// and behind its last one, where a tokenizer puts no space there.
enum class Kind : std::uint8_t { other, space, digit, stop, dash, symbol, lead, border };

struct Found {
    Kind kind;
    std::size_t n_bytes;
};

// 13a's kinds of bytes. A lead byte may begin a white-space character.
constexpr auto kinds_13a = [] {
    std::array<Kind, 256> table{};
    for (int c = 0x21; c < 0x7F; ++c) table[c] = Kind::symbol;
    for (int c = '0'; c <= '9'; ++c) table[c] = Kind::digit;
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 32] = Kind::other;
    table['\''] = Kind::other;
    table['.'] = table[','] = Kind::stop;
    table['-'] = Kind::dash;
    for (int c = 0; c <= 0x20; ++c)
        if (is_space(static_cast<std::uint32_t>(c))) table[c] = Kind::space;
    table[0xC2] = table[0xE1] = table[0xE2] = table[0xE3] = Kind::lead;
    return table;
}();

inline Found found_13a(const char* at, const char* end) {
    const auto kind = kinds_13a[index(*at)];
    if (kind != Kind::lead) return {kind, 1};
    const auto n = space_at(at, end);
    return n ? Found{Kind::space, n} : Found{Kind::other, 1};
}

// Splits by 13a's four rules, which look only at neighbouring characters.
//
// Symbols stand alone; a dash does behind a digit. The second rule takes pairs of "no digit, stop"
// from the left, and a stop may open the next pair unless it closed one; what it leaves, the
// third rule cuts off unless a digit follows. `border` is what is found beyond the text's ends.
template <class FindAt>
void cut_by_13a(Text text, Words& tokens, Kind border, FindAt find_at) {
    const char *at = text.data(), *end = at + text.size(), *first = nullptr;
    Kind before = border;
    bool closed_pair = false;
    const auto close = [&](const char* last) {
        if (first) tokens.push_back(between(first, last));
        first = nullptr;
    };
    const auto is_no_digit = [](Kind kind) { return kind != Kind::digit && kind != Kind::border; };
    while (at < end) {
        const auto [kind, n_bytes] = find_at(at, end);
        const char* next = at + n_bytes;
        if (kind == Kind::other || kind == Kind::digit) {
            if (!first) first = at;
            before = kind;
            at = next;
            continue;
        }
        bool is_alone = kind == Kind::symbol || (kind == Kind::dash && before == Kind::digit);
        if (kind == Kind::stop) {
            closed_pair = is_no_digit(before) && !(before == Kind::stop && closed_pair);
            is_alone = closed_pair || is_no_digit(next < end ? find_at(next, end).kind : border);
        }
        if (kind == Kind::space) {
            close(at);
        } else if (is_alone) {
            close(at);
            tokens.push_back(between(at, next));
        } else if (!first) {
            first = at;
        }
        before = kind;
        at = next;
    }
    close(end);
}

// Deletes an expression, or puts one byte for it; from the left, without overlap.
Text replaced(Text text, std::string_view old, std::string_view by) {
    const std::string_view whole(text.data(), text.size());
    auto found = whole.find(old);
    if (found == whole.npos) return text;
    char* to = text.data() + found;
    while (found != whole.npos) {
        if (!by.empty()) *to++ = by.front();
        const auto from = found + old.size();
        found = whole.find(old, from);
        const auto n = (found == whole.npos ? whole.size() : found) - from;
        std::memmove(to, text.data() + from, n);
        to += n;
    }
    return text.first(static_cast<std::size_t>(to - text.data()));
}

// The ranges of sacreBLEU's tokenizer_zh.py. Two of its bounds are written with five digits behind
// a four-digit escape: what was meant as U+20000 to U+2A6D6 is U+2001 to U+2A6D, and no character
// above U+FFFF is in any range.
constexpr std::pair<std::uint32_t, std::uint32_t> zh_ranges[] = {
    {0x4E00, 0x9FBB}, {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F},
    {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};

bool is_zh(std::uint32_t code) {
    for (const auto& [first, last] : zh_ranges)
        if (code >= first && code <= last) return true;
    return false;
}

Found found_zh(const char* at, const char* end) {
    if (is_ascii(*at)) return {kinds_13a[index(*at)], 1};
    const auto [code, n_bytes] = character_at(at, end);
    return {is_space(code) ? Kind::space : is_zh(code) ? Kind::symbol : Kind::other, n_bytes};
}

Kind kind_intl(std::uint8_t properties) {
    if (properties & space_bit) return Kind::space;
    switch (properties & major_bits) {
        case number: return Kind::digit;
        case punctuation: return Kind::stop;
        case symbol:
        case pictograph: return Kind::symbol;
        default: return Kind::other;
    }
}

}  // namespace

std::optional<Tokenizer> tokenizer_named(std::string_view name) {
    for (const auto& [known, tokenizer] : names)
        if (known == name) return tokenizer;
    return std::nullopt;
}

bool is_local(Tokenizer tokenizer) {
    switch (tokenizer) {
        case Tokenizer::rouge:
        case Tokenizer::rouge_155:
        case Tokenizer::whitespace:
        case Tokenizer::ascii_whitespace:
        case Tokenizer::character: return true;
        default: return false;
    }
}

bool needs_lexer(Tokenizer tokenizer) { return tokenizer == Tokenizer::ptb || tokenizer == Tokenizer::coco; }

bool needs_characters(Tokenizer tokenizer) {
    return tokenizer == Tokenizer::intl || tokenizer == Tokenizer::unicode || tokenizer == Tokenizer::answers;
}

Text without_markup(Text text) {
    const std::string_view whole(text.data(), text.size());
    // A search for one byte is many times faster than one for the whole expression.
    const bool has_newline = whole.find('\n') != whole.npos;
    if (whole.find('<') != whole.npos) text = replaced(text, "<skipped>", "");
    if (has_newline) text = replaced(replaced(text, "-\n", ""), "\n", " ");
    if (whole.find('&') == whole.npos) return text;
    text = replaced(text, "&quot;", "\"");
    text = replaced(text, "&amp;", "&");
    text = replaced(text, "&lt;", "<");
    return replaced(text, "&gt;", ">");
}

Text without_nist_markup(Text text) {
    const std::string_view whole(text.data(), text.size());
    if (whole.find('<') != whole.npos) text = replaced(text, "<skipped>", "");
    if (whole.find('&') == whole.npos) return text;
    constexpr std::pair<std::string_view, std::string_view> entities[] = {
        {"&gt;", ">"}, {"&lt;", "<"}, {"&apos;", "'"}, {"&quot;", "\""},
        {"&#124;", "|"}, {"&#91;", "["}, {"&#93;", "]"}, {"&amp;", "&"},
    };
    for (const auto& [entity, character] : entities) text = replaced(text, entity, character);
    return text;
}

void cut_13a(Text text, Words& tokens) {
    cut_by_13a(text, tokens, Kind::space, [](const char* at, const char* end) { return found_13a(at, end); });
}

void cut_rouge(Text text, Words& tokens) {
    cut_rouge_155(with_ascii_of_wide_letters(text), tokens);
}

void cut_rouge_155(Text text, Words& tokens) {
    // By comparisons and not by a table, so that compilers take many bytes at a time; with some of
    // the zeros behind the text, so that none are left over.
    const Text whole(text.data(), (text.size() + 15) / 16 * 16);
    static_assert(padding >= 15);
    for (char& byte : whole) {
        const auto lowered = static_cast<unsigned char>(byte | 0x20), same = static_cast<unsigned char>(byte);
        const bool is_letter = static_cast<unsigned char>(lowered - 'a') < 26;
        const bool is_digit = static_cast<unsigned char>(same - '0') < 10;
        byte = static_cast<char>(is_letter ? lowered : is_digit ? same : 0);
    }
    each_run(text, 0, [&tokens](std::span<char> run) { tokens.emplace_back(run.data(), run.size()); });
}

void cut_whitespace(Text text, Words& tokens) {
    if (!has_other_space(text)) return cut_at_spaces(text, tokens);
    cut_between(text, tokens, space_at);
}

void cut_ascii_whitespace(Text text, Words& tokens) {
    cut_between(text, tokens, [](const char* at, const char*) {
        return std::size_t{*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '\f' || *at == '\v'};
    });
}

void cut_characters(Text text, Words& tokens) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const auto [code, n_bytes] = character_at(at, end);
        if (!is_space(code)) tokens.push_back({at, n_bytes});
        at += n_bytes;
    }
}

void cut_every_character(Text text, Words& tokens) {
    const auto inside = without_border_space({text.data(), text.size()});
    const char *at = inside.data(), *end = at + inside.size();
    while (at < end) {
        const auto n_bytes = character_at(at, end).n_bytes;
        tokens.push_back({at, n_bytes});
        at += n_bytes;
    }
}

void cut_characters_jiwer_3(Text text, Words& tokens) {
    const auto inside = without_border_space({text.data(), text.size()});
    const char *at = inside.data(), *end = at + inside.size();
    while (at < end) {
        const auto n_space = space_run(at, end);
        const auto n_bytes = n_space.n_bytes ? n_space.n_bytes : character_at(at, end).n_bytes;
        // The text is a copy, in which a run has room for its space.
        if (n_space.n_characters > 1) text[static_cast<std::size_t>(at - text.data())] = ' ';
        tokens.push_back({at, n_space.n_characters > 1 ? 1 : n_bytes});
        at += n_bytes;
    }
}

void cut_spaces(Text text, Words& tokens) {
    if (!has_other_space(text)) return cut_at_spaces(text, tokens);
    const auto inside = without_border_space({text.data(), text.size()});
    const char *at = inside.data(), *end = at + inside.size(), *first = at;
    while (at < end) {
        if (!space_at(at, end)) {
            ++at;
            continue;
        }
        const auto [n_bytes, n_characters] = space_run(at, end);
        if (n_characters > 1 || *at == ' ') {
            tokens.push_back(between(first, at));
            first = at + n_bytes;
        }
        at += n_bytes;
    }
    if (first < end) tokens.push_back(between(first, end));
}

void cut_intl(Text text, CharacterTable characters, Words& tokens) {
    cut_by_13a(text, tokens, Kind::border, [characters](const char* at, const char* end) {
        const auto [code, n_bytes] = character_at(at, end);
        return Found{kind_intl(characters[code]), n_bytes};
    });
}

void cut_zh(Text text, Words& tokens) {
    const auto inside = without_border_space({text.data(), text.size()});
    const auto n_before = static_cast<std::size_t>(inside.data() - text.data());
    cut_by_13a(text.subspan(inside.empty() ? 0 : n_before, inside.size()), tokens, Kind::border,
               [](const char* at, const char* end) { return found_zh(at, end); });
}

void cut_unicode(Text text, CharacterTable characters, Words& tokens) {
    lower_ascii(text);
    enum { separating, joining, alone, emoji } before = separating;
    // What is open of the token before `at`: its bytes, moved together where invisible signs are left out.
    char *first = nullptr, *last = nullptr;
    bool is_joined = false, is_half_flag = false;
    char *at = text.data(), *const end = at + text.size();
    const auto close = [&] {
        if (first) tokens.push_back(between(first, last));
        first = nullptr;
    };
    const auto keep = [&](std::size_t n_bytes) {
        if (last != at) std::memmove(last, at, n_bytes);
        last += n_bytes;
    };
    for (std::size_t n_bytes = 0; at < end; at += n_bytes) {
        const auto found = character_at(at, end);
        const auto code = found.code;
        n_bytes = found.n_bytes;
        const auto major = characters[code] & major_bits;
        const bool is_skin_tone = code >= 0x1F3FB && code <= 0x1F3FF;
        if (major == mark || major == invisible || (is_skin_tone && before == emoji)) {
            if (first && major != invisible) keep(n_bytes);
            is_joined = code == 0x200D;
            continue;
        }
        auto kind = separating;
        if (major == letter || major == number)
            kind = (characters[code] & unspaced_bit) ? alone : joining;
        else if (major == pictograph)
            kind = emoji;
        else if ((major == symbol || major == punctuation) && between(at + n_bytes, end).starts_with("\uFE0F"))
            kind = emoji;
        const bool is_of_flag = code >= 0x1F1E6 && code <= 0x1F1FF;
        const bool is_part = is_joined || (is_half_flag && is_of_flag);
        const bool joins = kind == before && (kind == joining || (kind == emoji && is_part));
        if (!joins) {
            close();
            if (kind != separating) first = last = at;
        }
        if (kind != separating) keep(n_bytes);
        before = kind;
        is_half_flag = is_of_flag && !joins;
        is_joined = false;
    }
    close();
}

}  // namespace textgauge
