#include "contents.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "characters.hpp"
#include "platform.hpp"
#include "segments.hpp"

namespace textgauge {
namespace {

bool is_ink(char byte) { return static_cast<signed char>(byte) > 0x20; }

// Calls function(place) for the unusual characters of a text in turn, as `unusual_begins` has them.
template <class Function>
void each_unusual(std::string_view text, std::uint64_t (*unusual_begins)(std::string_view), Function function) {
    for (std::size_t next = 0; next < text.size(); next += block_bytes) {
        // The last block may overlap the one before.
        const auto first = std::min(next, std::max(text.size(), block_bytes) - block_bytes);
        auto bits = unusual_begins(text.substr(first, block_bytes)) & ~std::uint64_t{0} << (next - first);
        for (; bits != 0; bits &= bits - 1) function(text.data() + first + std::countr_zero(bits));
    }
}

// Whether a character other than white space ends at `end`.
bool ends_in_ink(const char* first, const char* end) {
    return end > first && (is_ink(end[-1]) || without_end_space({first, end}).size() == std::size_t(end - first));
}

// Beside the bits of `Sign`: white space that `str.split` sees and people who type a space do not.
constexpr std::uint16_t lone_space = 1 << 15;
// And what hardly ever stands behind a letter, but where UTF-8 was read as Latin-1 or Windows-1252.
constexpr std::uint16_t behind_misread = 1 << 14;

// The signs that one character is, by code point up to U+30FF; the few others are in `far_sign_of`.
constexpr std::uint32_t n_in_table = 0x3100;
constexpr auto signs_of_characters = [] {
    std::array<std::uint16_t, n_in_table> signs{};
    const auto put = [&signs](Sign sign, std::uint32_t first, std::uint32_t last) {
        for (auto code = first; code <= last; ++code) signs[code] = sign;
    };
    for (const std::uint32_t code : {0x120, 0x2581}) signs[code] = subword;
    for (const std::uint32_t code : {0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5}) signs[code] = zero_width;
    put(zero_width, 0x180B, 0x180F);
    put(zero_width, 0x200B, 0x200F);
    put(zero_width, 0x202A, 0x202E);
    put(zero_width, 0x2060, 0x206F);
    for (const std::uint32_t code : {0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000})
        signs[code] = other_space;
    put(other_space, 0x2000, 0x200A);
    for (const std::uint32_t code : {0xB4, 0x2BB, 0x2BC, 0x2018, 0x2019}) signs[code] = other_apostrophe;
    put(look_alike, 0x15E, 0x15F);
    put(look_alike, 0x162, 0x163);
    put(look_alike, 0x218, 0x21B);
    put(look_alike, 0x132, 0x133);
    put(look_alike, 0x1C4, 0x1CC);
    put(look_alike, 0x1F1, 0x1F3);
    put(look_alike, 0x2F00, 0x2FD5);
    for (const std::uint32_t code : {0x640, 0x643, 0x647, 0x649, 0x64A, 0x6A9, 0x6C1, 0x6CC}) signs[code] = look_alike;
    for (const std::uint32_t zero : {0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6,
                                     0xD66, 0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946,
                                     0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50})
        put(other_digit, zero, zero + 9);
    for (const std::uint32_t code : {0x9, 0xA, 0xD, 0xA0, 0x3000}) signs[code] |= lone_space;
    const auto put_behind = [&signs](std::uint32_t first, std::uint32_t last) {
        for (auto code = first; code <= last; ++code) signs[code] |= behind_misread;
    };
    put_behind(0x80, 0x84);
    put_behind(0x86, 0x9F);
    put_behind(0xA1, 0xAA);
    put_behind(0xAC, 0xAC);
    put_behind(0xAE, 0xAF);
    put_behind(0xB1, 0xB1);
    put_behind(0xB3, 0xB3);
    put_behind(0xB5, 0xB6);
    put_behind(0xB8, 0xB8);
    put_behind(0xBC, 0xBF);
    for (const std::uint32_t code : {0x178, 0x192, 0x2C6, 0x2DC, 0x20AC}) put_behind(code, code);
    return signs;
}();

// The digits 0 beyond the table, ascending, each with 9 more behind it.
constexpr std::array<std::uint32_t, 38> far_zeros{
    0xA620,  0xA8D0,  0xA900,  0xA9D0,  0xA9F0,  0xAA50,  0xABF0,  0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16A60,
    0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950, 0x1FBF0};

std::uint16_t far_sign_of(std::uint32_t code) {
    if (code < 0xFB00) {
        if (code < 0xA620) return code == 0x3164 ? zero_width : 0;
        if (code >= 0xAC00) return 0;
    } else if (code <= 0xFFED) {
        if (code <= 0xFB06 || (code >= 0xFB50 && code <= 0xFDFF) || (code >= 0xFE70 && code <= 0xFEFC)) return look_alike;
        if ((code >= 0xFE00 && code <= 0xFE0F) || code == 0xFEFF || code == 0xFFA0) return zero_width;
        if (code == 0xFF07) return other_apostrophe;
        return code == 0xFFED ? subword : 0;
    }
    if (code >= 0x1F000 && code < 0x1FBF0) return 0;  // emoji
    if (code >= 0xE0000) return code == 0xE0001 || (code >= 0xE0100 && code <= 0xE01EF) ? zero_width : 0;
    const auto behind = std::ranges::upper_bound(far_zeros, code);
    return behind != far_zeros.begin() && code - behind[-1] < 10 ? other_digit : 0;
}

// What stands for all characters whose first byte `begins_han_or_hangul`; see `plain.contents`.
constexpr std::uint32_t han_or_hangul = 0x4E00;

bool is_letter(char byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

// Whether the text from `at` on begins with one of these.
template <std::size_t n>
bool begins_with(std::string_view rest, const std::array<std::string_view, n>& words) {
    return std::ranges::any_of(words, [rest](std::string_view word) { return rest.starts_with(word); });
}

// Whether special tokens of models begin here, at an opening bracket.
bool is_special(std::string_view rest) {
    using namespace std::string_view_literals;
    constexpr std::array words{
        "</s>"sv, "<s>"sv, "<pad>"sv, "<eos>"sv, "<bos>"sv, "<sep>"sv, "<cls>"sv, "<PAD>"sv, "<EOS>"sv, "<BOS>"sv,
        "<SEP>"sv, "<CLS>"sv, "<think>"sv, "</think>"sv, "<thinking>"sv, "</thinking>"sv, "<start_of_turn>"sv,
        "<end_of_turn>"sv, "<end_of_utterance>"sv, "<extra_id_"sv, "<\xEF\xBD\x9C"sv, "<<SYS>>"sv, "<</SYS>>"sv, "[PAD]"sv,
        "[CLS]"sv, "[SEP]"sv, "[EOS]"sv, "[BOS]"sv, "[INST]"sv, "[/INST]"sv};
    if (begins_with(rest, words)) return true;
    if (!rest.starts_with("<|")) return false;
    constexpr std::size_t longest = 40;
    std::size_t i = 2;
    const auto is_inside = [](char byte) {
        return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_' || byte == '.';
    };
    while (i < rest.size() && i <= longest && is_inside(rest[i])) ++i;
    return i > 2 && rest.substr(i).starts_with("|>");
}

// Whether a character of HTML stands here by its name or number, at an ampersand.
bool is_entity(std::string_view rest) {
    constexpr std::size_t shortest = 2, longest = 10;
    std::size_t n = 0;
    while (n + 1 < rest.size() && n <= longest &&
           (is_letter(rest[n + 1]) || (rest[n + 1] >= '0' && rest[n + 1] <= '9') || rest[n + 1] == '#'))
        ++n;
    return n >= shortest && n <= longest && rest.substr(n + 1).starts_with(";");
}

// Whether a character stands here by what a string of a program has in its place, at a backslash.
TEXTGAUGE_SELDOM bool is_escape(std::string_view rest) {
    const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
    const auto has_digits = [&](std::size_t n, auto is_one) {
        return rest.size() >= 2 + n && std::ranges::all_of(rest.substr(2, n), is_one);
    };
    const auto is_hexadecimal = [&](char byte) { return is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f'); };
    if (rest.size() < 2) return false;
    switch (rest[1]) {
    case 'n': case '"': case '\'': case '/':
        return true;
    case 'r': case 't':
        return rest.size() == 2 || rest[2] < 'a' || rest[2] > 'z';
    case 'u':
        return has_digits(4, is_hexadecimal);
    case 'U':
        return rest.starts_with("\\U000") && has_digits(8, is_hexadecimal);
    case 'x':
        return has_digits(2, [&](char byte) { return is_digit(byte) || (byte >= 'a' && byte <= 'f'); });
    default:
        return false;
    }
}

// Whether a tag of HTML or XML begins here, at an opening bracket: one that ends an element, one of those that stand
// alone in HTML, or one with an attribute.
TEXTGAUGE_SELDOM bool is_tag(std::string_view rest) {
    using namespace std::string_view_literals;
    constexpr std::size_t longest = 40;
    constexpr std::array alone{"br"sv, "BR"sv, "hr"sv, "HR"sv, "li"sv, "LI"sv, "p"sv, "P"sv};
    // Special tokens, and marks of subwords.
    constexpr std::array others{"s"sv, "w"sv, "think"sv, "thinking"sv, "SYS"sv};
    const auto name_of = [](std::string_view part) {
        std::size_t n = 0;
        const auto is_inside = [](char byte) {
            return is_letter(byte) || (byte >= '0' && byte <= ':') || byte == '.' || byte == '_' || byte == '-';
        };
        while (n < part.size() && n <= longest && (n == 0 ? is_letter(part[0]) : is_inside(part[n]))) ++n;
        return part.substr(0, n <= longest ? n : 0);
    };
    const bool is_end = rest.starts_with("</");
    const auto name = name_of(rest.substr(is_end ? 2 : 1));
    if (name.empty()) return false;
    rest.remove_prefix((is_end ? 2 : 1) + name.size());
    if (is_end) return rest.starts_with('>') && std::ranges::find(others, name) == others.end();
    if (rest.starts_with(' ')) {
        rest.remove_prefix(1);
        if (const auto attribute = name_of(rest); !attribute.empty()) {
            rest.remove_prefix(attribute.size());
            return rest.starts_with("=\"") || rest.starts_with("='");
        }
    }
    if (std::ranges::find(alone, name) == alone.end()) return false;
    return rest.starts_with('>') || rest.starts_with("/>");
}

// Whether the character behind this is one of a character of UTF-8 that was read byte by byte, given its own code point
// that is `behind_misread`.
TEXTGAUGE_SELDOM bool is_mojibake(const char* first, const char* at, std::uint32_t code) {
    if (at - first < 2 || at[-2] != '\xC3') return false;
    const auto lead = 0xC0U + (static_cast<unsigned char>(at[-1]) & 0x3F);
    const auto is_one_of = [](std::uint32_t given, auto... codes) { return ((given == codes) || ...); };
    // Letters of Latin-1 that have another letter, a sign of money or a unit behind them in real text.
    if (code == 0x178) return is_one_of(lead, 0xC3U, 0xC4U, 0xC5U, 0xF0U);
    if (code == 0x20AC) return lead == 0xE2;
    if (is_one_of(code, 0xAAU, 0xAEU, 0xB3U)) return lead == 0xC3;
    // The sign of multiplication and that of a diameter have numbers behind them.
    if (is_one_of(lead, 0xD7U, 0xD8U)) return !is_one_of(code, 0xB1U, 0xBCU, 0xBDU, 0xBEU);
    return (lead >= 0xC2 && lead <= 0xC5) || (lead >= 0xCE && lead <= 0xD1) || lead == 0xD9 ||
           (lead >= 0xE0 && lead <= 0xED) || lead == 0xEF || lead == 0xF0;
}

// Whether a control character stands here for a backslash and a letter, as in a string of Python that is not raw.
bool is_backslash(std::string_view rest) {
    using namespace std::string_view_literals;
    constexpr std::array words{"\text{"sv, "\textbf{"sv, "\textit{"sv, "\textrm{"sv, "\texttt{"sv, "\textsf{"sv,
                               "\times"sv, "\theta"sv, "\tfrac"sv, "\tilde{"sv, "\triangle"sv, "\right"sv, "\rangle"sv,
                               "\nabla"sv, "\notin"sv};
    constexpr std::array whole{"\rho"sv, "\neq"sv};
    const char byte = rest.front();
    if (byte == '\a' || byte == '\b' || byte == '\v' || byte == '\f') return rest.size() > 1 && is_letter(rest[1]);
    return begins_with(rest, words) ||
           (begins_with(rest, whole) && (rest.size() == 3 || !is_letter(rest[3])));
}

// Whether a character of ASCII begins a sign: `first` is the beginning of the text.
std::uint16_t sign_at(const char* first, const char* at, const char* end) {
    const std::string_view rest(at, end);
    const auto is_behind_ink = [=] { return ends_in_ink(first, at); };
    switch (*at) {
    case '@':
        if (rest.size() > 2 && at[2] == '@' && std::string_view("-,./:").find(at[1]) != std::string_view::npos)
            return !is_behind_ink() && (rest.size() == 3 || space_at(at + 3, end)) ? subword : 0;
        return rest.starts_with("@@") && is_behind_ink() && (rest.size() == 2 || space_at(at + 2, end)) ? subword : 0;
    case '#':
        return rest.starts_with("##") && !is_behind_ink() && rest.size() > 2 && (is_letter(at[2]) || !is_ascii(at[2]))
                   ? subword : 0;
    case '<':
        if (rest.starts_with("</w>")) return subword;
        [[fallthrough]];
    case '[':
        if (is_special(rest)) return special;
        return *at == '<' && is_tag(rest) ? tag : 0;
    case '\\':
        return is_escape(rest) ? escape : 0;
    case '&':
        return is_entity(rest) ? entity : 0;
    case '`':
        return at > first && is_letter(at[-1]) && rest.size() > 1 && is_letter(at[1]) ? other_apostrophe : 0;
    default:
        return is_backslash(rest) ? lost_backslash : 0;
    }
}

// Whether the first four words of a text have one character each.
bool is_spelled(std::string_view text) {
    constexpr int n_words = 4;
    const char *at = text.data(), *end = at + text.size();
    for (int i = 0; i < n_words; ++i) {
        if (at == end || space_at(at, end)) return false;
        at += character_at(at, end).n_bytes;
        if (at == end) return i == n_words - 1;
        if (!space_at(at, end)) return false;
        while (at < end && space_at(at, end)) at += space_at(at, end);
    }
    return true;
}

}  // namespace

// Code points, of which most texts have few: 256 bits for each page of which there is one.
class CodePoints {
public:
    void add(std::uint32_t code) {
        if (code / n_page != last_) {
            last_ = code / n_page;
            place_ = place_of(last_);
        }
        pages_[place_][code % n_page / 64] |= std::uint64_t{1} << (code % 64);
    }

    // Calls function(code) for each, ascending.
    template <class Function>
    void each(Function function) const {
        std::vector<std::pair<std::uint32_t, std::size_t>> places;
        for (std::size_t place = 0; place < numbers_.size(); ++place) places.emplace_back(numbers_[place], place);
        std::ranges::sort(places);
        for (const auto& [number, place] : places)
            for (std::uint32_t i = 0; i < n_page / 64; ++i)
                for (auto bits = pages_[place][i]; bits != 0; bits &= bits - 1)
                    function(number * n_page + 64 * i + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }

private:
    static constexpr std::uint32_t n_page = 256, none = 0xFFFFFFFF;
    // The pages of most texts are so few that a look at all of them is shorter than the way to a table.
    static constexpr std::size_t n_few = 8;

    // The place of a page, which gets one if it has none.
    std::size_t place_of(std::uint32_t number) {
        if (places_.empty()) {
            const auto found = std::ranges::find(numbers_, number);
            if (found != numbers_.end()) return static_cast<std::size_t>(found - numbers_.begin());
            if (numbers_.size() == n_few) {
                places_.resize(n_code_points / n_page);
                for (std::size_t place = 0; place < n_few; ++place)
                    places_[numbers_[place]] = static_cast<std::uint16_t>(place + 1);
            }
        }
        if (!places_.empty() && places_[number] != 0) return places_[number] - std::size_t{1};
        pages_.emplace_back();
        numbers_.push_back(number);
        if (!places_.empty()) places_[number] = static_cast<std::uint16_t>(pages_.size());
        return pages_.size() - 1;
    }

    std::uint32_t last_ = none;  // the page asked for last, at `place_`
    std::size_t place_ = 0;
    std::vector<std::uint32_t> numbers_;  // of the pages that there are, by place
    std::vector<std::array<std::uint64_t, n_page / 64>> pages_;
    std::vector<std::uint16_t> places_;   // by page, 1 more than its place, or 0; empty while pages are few
};

struct ContentsFinder::State {
    Contents found;
    CodePoints seen;

    void add_text(std::string_view text, std::size_t row) {
        const char *first = text.data(), *end = first + text.size(), *behind_cyrillic = first;
        bool has_lone = false;
        std::uint16_t signs = is_spelled(text) ? spelled : 0;
        if (!text.empty() && !(is_ink(text.front()) && is_ink(text.back())) &&
            without_border_space(text).size() != text.size())
            signs |= border_space;
        each_unusual(text, unusual_begins_, [&](const char* at) {
            if (is_ascii(*at)) signs |= sign_at(first, at, end);
            if (static_cast<unsigned char>(*at) >= 0x20 && is_ascii(*at)) return;
            if (begins_han_or_hangul(*at)) return seen.add(han_or_hangul);
            const auto [code, n_bytes] = character_at(at, end);
            const char* const next = at + n_bytes;
            // A Cyrillic letter beside a Latin one in a word; none is a sign by itself. Most stand between others of their
            // kind.
            if (code - 0x400U < 0x100U) {
                const bool is_behind = at != behind_cyrillic && at > first && is_letter(at[-1]);
                if (is_behind || (next < end && is_ascii(*next) && is_letter(*next))) signs |= look_alike;
                behind_cyrillic = next;
            }
            if (code / 64 < usual_.size() && usual_[code / 64] >> (code % 64) & 1) return;
            seen.add(code);
            const auto own = code < n_in_table ? signs_of_characters[code] : far_sign_of(code);
            if (own == 0 && code < n_in_table) {
                usual_.resize(n_in_table / 64);
                usual_[code / 64] |= std::uint64_t{1} << (code % 64);
            } else {
                signs |= own & ~(lone_space | behind_misread);
                if (own & behind_misread && is_mojibake(first, at, code)) signs |= mojibake;
            }
            if (own & lone_space) has_lone = has_lone || (next < end && space_at(next, end) == 0 && ends_in_ink(first, at));
        });
        if (signs != 0) found.signs.push_back(static_cast<std::int64_t>(row) << 16 | signs);
        for (unsigned bits = signs; bits != 0; bits &= bits - 1) ++found.n_of_signs[std::countr_zero(bits)];
        found.n_lone_spaces += has_lone;
        found.n_spaced_stops += text.ends_with(" .");
        if (text.size() <= longest_word) found.n_words += is_word(without_border_space(text));
        found.n_brackets += starts_with_bracket(text);
    }

    static bool is_word(std::string_view text) {
        // Of most texts that is enough.
        if (text.empty() || text.find(' ') != text.npos) return false;
        const char *at = text.data(), *end = at + text.size();
        while (at < end && space_at(at, end) == 0) at += character_at(at, end).n_bytes;
        return at == end;
    }

    static bool starts_with_bracket(std::string_view text) {
        while (!text.empty()) {
            const auto n = space_at(text.data(), text.data() + text.size());
            if (n == 0) return text.front() == '[';
            text.remove_prefix(n);
        }
        return false;
    }

    OddTexts (*odd_texts)(std::span<const std::string_view>) = odd_texts_finder();

private:
    std::uint64_t (*unusual_begins_)(std::string_view) = unusual_begins_finder();
    // A bit for each character of the table that was seen, and is no sign; empty before the first one.
    std::vector<std::uint64_t> usual_;
};

std::int64_t unsplit_texts(const Texts& texts) {
    constexpr std::string_view closing = "\"')]}", opening = "\"'([";
    const auto goes_on = [=](const char* at, const char* end) {
        while (at < end && closing.find(*at) != closing.npos) ++at;
        const char* const behind = at;
        while (at < end) {
            const auto n = space_at(at, end);
            if (n == 0) break;
            at += n;
        }
        if (at == behind) return false;
        while (at < end) {
            const auto [code, n_bytes] = character_at(at, end);
            const bool is_opening = code < 0x80 ? opening.find(*at) != opening.npos
                                                : code == 0xAB || code == 0x2018 || code == 0x201C;
            if (!is_opening)
                return (code >= 'A' && code <= 'Z') || (code >= 0xC0 && code <= 0xDE && code != 0xD7);
            at += n_bytes;
        }
        return false;
    };
    return std::ranges::count_if(texts.views, [&](std::string_view text) {
        for (auto at = text.find('.'); at != text.npos; at = text.find('.', at + 1))
            if (goes_on(text.data() + at + 1, text.data() + text.size())) return true;
        return false;
    });
}

ContentsFinder::ContentsFinder() : state_(std::make_unique<State>()) {}
ContentsFinder::~ContentsFinder() = default;
ContentsFinder::ContentsFinder(ContentsFinder&&) noexcept = default;

void ContentsFinder::look(const Texts& texts, std::size_t first, std::size_t last) {
    auto& found = state_->found;
    for (; first < last; first += OddTexts::most) {
        const auto odd = state_->odd_texts(std::span(texts.views).subspan(first, last - first));
        found.n_words += odd.n_words;
        found.n_spaced_stops += odd.n_spaced_stops;
        for (const auto row : std::span(odd.rows).first(odd.n_rows)) state_->add_text(texts[first + row], first + row);
    }
}

Contents ContentsFinder::joined(std::span<ContentsFinder> finders) {
    if (finders.empty()) return {};
    auto& all = finders.front().state_->found;
    auto& seen = finders.front().state_->seen;
    for (const auto& finder : finders.subspan(1)) {
        const auto& part = *finder.state_;
        all.n_lone_spaces += part.found.n_lone_spaces;
        all.n_spaced_stops += part.found.n_spaced_stops;
        all.n_words += part.found.n_words;
        all.n_brackets += part.found.n_brackets;
        all.signs.insert(all.signs.end(), part.found.signs.begin(), part.found.signs.end());
        for (std::size_t i = 0; i < n_signs; ++i) all.n_of_signs[i] += part.found.n_of_signs[i];
        part.seen.each([&](std::uint32_t code) { seen.add(code); });
    }
    seen.each([&](std::uint32_t code) { all.characters.push_back(code); });
    return std::move(all);
}

std::pair<Contents, Contents> contents(const Texts& hypotheses, const Texts& references, int n_threads) {
    // Several parts for each thread, so that none waits long for the others.
    const auto n_parts = n_threads > 1 ? 4 * static_cast<std::size_t>(n_threads) : 1;
    std::vector<ContentsFinder> finders(2 * n_parts);
    const auto look = [&](std::size_t place) {
        const auto& texts = place < n_parts ? hypotheses : references;
        const auto part = place % n_parts;
        finders[place].look(texts, part * texts.size() / n_parts, (part + 1) * texts.size() / n_parts);
    };
    struct None {};
    if (n_threads > 1) {
        for_each_segment<None>(finders.size(), n_threads, [&](None&, std::size_t place, Stop&) { look(place); });
    } else {
        look(0);
        look(1);
    }
    const std::span all(finders);
    return {ContentsFinder::joined(all.first(n_parts)), ContentsFinder::joined(all.subspan(n_parts))};
}

}  // namespace textgauge
