#include "treebank.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "characters.hpp"
#include "platform.hpp"

namespace textgauge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Patterns without case take the first three for i and s; which small letter the last one has, depends on its place.
bool is_like_no_other(std::uint32_t code) { return code == 0x130 || code == 0x131 || code == 0x17F || code == 0x3A3; }
// Signs that are no part of words.
bool is_known_sign(std::uint32_t code) {
    if (code < 0xC0)
        return code > 0xA0 && code != 0xAA && code != 0xB2 && code != 0xB3 && code != 0xB5 && code != 0xB9 &&
               code != 0xBA && !(code >= 0xBC && code <= 0xBE);
    return (code >= 0x200B && code <= 0x2027) || (code >= 0x2030 && code <= 0x205E) || (code >= 0x20A0 && code <= 0x20BF);
}

// Whether the character that begins, or ends, at a place is one of words. Of the known ones only letters have these
// first bytes: those of two bytes but the signs.
bool is_word_first(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (lower(c) >= 'a' && lower(c) <= 'z') || is_digit(c) || c == '_' || (byte >= 0xC3 && byte <= 0xDF);
}
bool is_word_at(std::string_view text, std::size_t i) { return i < text.size() && is_word_first(text[i]); }
bool is_word_before(std::string_view text, std::size_t i) {
    if (i == 0) return false;
    do --i;
    while (i > 0 && is_continuation(text[i]));
    return is_word_first(text[i]);
}

// Whether a text has a lower-case word at a place, in letters of any case.
bool has_at(std::string_view text, std::size_t at, std::string_view word) {
    return text.size() - at >= word.size() &&
           std::ranges::equal(text.substr(at, word.size()), word, {}, [](char c) { return lower(c); });
}

constexpr std::string_view opening_signs[] = {"\xC2\xAB", "\xE2\x80\x9C", "\xE2\x80\x98", "\xE2\x80\x9E"};
constexpr std::string_view closing_signs[] = {"\xC2\xBB", "\xE2\x80\x9D", "\xE2\x80\x99"};

// The sign that begins, or ends, at a place; empty if none does.
template <std::size_t n>
std::string_view sign_at(std::string_view text, std::size_t i, const std::string_view (&signs)[n]) {
    for (const auto sign : signs)
        if (text.substr(i, sign.size()) == sign) return sign;
    return {};
}
template <std::size_t n>
std::string_view sign_before(std::string_view text, std::size_t i, const std::string_view (&signs)[n]) {
    for (const auto sign : signs)
        if (text.substr(0, i).ends_with(sign)) return sign;
    return {};
}

// Whether a quote at a place, " or '', opens: behind a space, a bracket, or a mark that the rules before set apart.
bool is_opening(std::string_view text, std::size_t i) {
    if (i == 0) return text[0] == '"';
    const char before = text[i - 1];
    if (std::string_view(" ([{<`").find(before) != std::string_view::npos) return true;
    return is_ascii(before) ? i == 1 && before == '"' : !sign_before(text, i, opening_signs).empty();
}

// The place of the full stop that ends the text: only closing brackets and quotes stand behind it. 0 if there is none.
std::size_t last_stop_of(std::string_view text) {
    auto at = text.size();
    while (at > 0 && is_ascii(text[at - 1]) && is_space(static_cast<unsigned char>(text[at - 1]))) --at;
    while (at > 0) {
        const char last = text[at - 1];
        if (!is_ascii(last)) {
            const auto sign = sign_before(text, at, closing_signs);
            if (sign.empty()) return 0;
            at -= sign.size();
            continue;
        }
        if (std::string_view("])}>\"' ").find(last) == std::string_view::npos) break;
        // The rules before made other characters of opening quotes.
        if (last == '"' && is_opening(text, at - 1)) return 0;
        if (last == '\'' && at > 1 && text[at - 2] == '\'' && is_opening(text, at - 2)) return 0;
        --at;
    }
    return at > 1 && text[at - 1] == '.' && text[at - 2] != '.' ? at - 1 : 0;
}

struct Contraction {
    std::string_view first, second;
    bool is_behind_space = false;
};
// In the order of the rules.
constexpr Contraction contractions[] = {
    {"can", "not"}, {"d", "'ye"}, {"gim", "me"}, {"gon", "na"}, {"got", "ta"}, {"lem", "me"}, {"more", "'n"},
    {"wan", "na"}, {"'t", "is", true}, {"'t", "was", true},
};

// Where a contraction ends that begins at a place of a word; 0 if none does. `cuts` are the places where the rules
// before it put spaces, ascending.
std::size_t end_of(std::string_view word, std::size_t i, const Contraction& one, std::span<const std::size_t> cuts) {
    if (!has_at(word, i, one.first) || !has_at(word, i + one.first.size(), one.second)) return 0;
    const auto end = i + one.first.size() + one.second.size();
    if (one.is_behind_space) {
        if (i > 0 && !std::ranges::binary_search(cuts, i)) return 0;
    } else if (is_word_before(word, i)) {
        return 0;
    }
    // Behind "wanna" must be a space; no rule before it puts one there.
    const bool ends = one.first == "wan" ? end == word.size() : !is_word_at(word, end);
    return ends ? end : 0;
}

// Whether a contraction has its second letter of two equal ones, or its apostrophe, at a place.
bool may_contract(std::string_view text, std::size_t i) {
    const auto has_from = [&](std::size_t n_before, std::string_view word) {
        return i >= n_before && has_at(text, i - n_before, word);
    };
    if (text[i] == '\'') return has_from(1, "d'ye") || has_from(4, "more'n") || has_from(0, "'tis") || has_from(0, "'twas");
    return has_from(3, "cannot") || has_from(3, "gonna") || has_from(3, "wanna") || has_from(3, "gotta") ||
           has_from(3, "gimme") || has_from(3, "lemme");
}

// Bytes that are more than a part of a word, by what the rules do about them.
enum class Mark : std::uint8_t {
    none, space, stop, comma, single, late_single, dash, double_quote, apostrophe, backtick, sign,
};
constexpr auto mark_of = [] {
    std::array<Mark, 256> marks{};
    const auto put = [&marks](std::string_view characters, Mark mark) {
        for (const char c : characters) marks[static_cast<unsigned char>(c)] = mark;
    };
    for (std::size_t c = 0; c < 0x80; ++c)
        if (is_space(static_cast<std::uint32_t>(c))) marks[c] = Mark::space;
    put(".", Mark::stop);
    put(":,", Mark::comma);
    put(";@#$%&?!", Mark::single);
    put("*[](){}<>", Mark::late_single);
    put("-", Mark::dash);
    put("\"", Mark::double_quote);
    put("'", Mark::apostrophe);
    put("`", Mark::backtick);
    put("\xC2\xE2", Mark::sign);
    return marks;
}();

// Words that are none of the text, with `padding` behind them.
constexpr std::array<char, 2 + padding> opening_quote{'`', '`'}, closing_quote{'\'', '\''};

// Cuts one text, from left to right: no rule looks farther than the ends of the word around a mark, but that of the
// last full stop. A rule that inserts a space ends a word; which of the rules did it matters to apostrophes alone.
class TreebankCutter {
public:
    // `lowered` is the text in lower case, byte by byte, with `padding` behind it.
    TreebankCutter(std::string_view text, const char* lowered, std::vector<std::size_t>& cuts, Words& words)
        : text_(text), lowered_(lowered, text.size()), words_(words), cuts_(cuts), last_stop_(last_stop_of(text)) {}

    void cut() {
        std::uint64_t is_behind[3]{};  // whether the last byte of the block before is an n, m or t
        for (std::size_t first = 0; first < text_.size(); first += block_bytes) {
            const char* block = lowered_.data() + first;
            const auto n_bytes = std::min(block_bytes, text_.size() - first);
            const auto inside = ~std::uint64_t{0} >> (block_bytes - n_bytes);
            for (int k = 0; k < 3; ++k) {
                const auto letters = ~unequal_bits(block, "nmt"[k]);
                auto doubled = letters & (letters << 1 | is_behind[k]) & inside;
                is_behind[k] = letters >> (block_bytes - 1);
                for (; doubled != 0 && !may_contract_; doubled &= doubled - 1)
                    may_contract_ = may_contract(lowered_, first + static_cast<std::size_t>(std::countr_zero(doubled)));
            }
            for (auto marks = ~small_or_digit_bits(block) & inside; marks != 0; marks &= marks - 1)
                visit(first + static_cast<std::size_t>(std::countr_zero(marks)));
        }
        end_word(text_.size(), false);
    }

private:
    void visit(std::size_t i) {
        const auto mark = mark_of[static_cast<unsigned char>(text_[i])];
        if (mark == Mark::none || i < start_) return;
        switch (mark) {
            case Mark::space:
                end_word(i, text_[i] == ' ');
                start_ = i + 1;
                return;
            case Mark::single: return add_apart(i, 1, true);
            case Mark::late_single: return add_apart(i, 1, false);
            case Mark::stop: return visit_stop(i);
            case Mark::comma: return visit_comma(i);
            case Mark::dash:
                if (has(i + 1, '-')) add_apart(i, 2, false);
                return;
            case Mark::double_quote: return add_quote(i, 1);
            case Mark::backtick:
                for (; has(i, '`') && has(i + 1, '`'); i += 2) add_apart(i, 2, true);
                if (has(i, '`')) add_apart(i, 1, true);
                return;
            case Mark::apostrophe: return visit_apostrophe(i);
            case Mark::sign:
                if (const auto opening = sign_at(text_, i, opening_signs); !opening.empty())
                    add_apart(i, opening.size(), true);
                else if (const auto closing = sign_at(text_, i, closing_signs); !closing.empty())
                    add_apart(i, closing.size(), false);
                return;
            case Mark::none: return;
        }
    }

    void visit_stop(std::size_t i) {
        auto end = i + 1;
        while (has(end, '.')) ++end;
        if (end - i > 1 || (i == last_stop_ && i > 0)) add_apart(i, end - i, true);
    }

    // A comma or colon before what is no digit takes the character behind it along, which is then not looked at.
    void visit_comma(std::size_t i) {
        const auto n = text_.size();
        const bool is_last = i + 1 == n || (i + 2 == n && text_[i + 1] == '\n');
        if (i + 1 < n && i != taken_along_ && !is_digit(text_[i + 1])) {
            add_apart(i, 1, true);
            taken_along_ = i + 1;
        } else if (is_last) {
            add_apart(i, 1, true);
        }
    }

    void visit_apostrophe(std::size_t i) {
        if (has(i + 1, '\'')) return add_quote(i, 2);
        has_apostrophe_ = true;
        may_contract_ = may_contract_ || may_contract(lowered_, i);
        // Before a word of one letter it is apart, but that of contractions.
        if (!is_word_at(text_, i + 1) || std::string_view("mtsdn").find(lowered_[i + 1]) != std::string_view::npos) return;
        auto end = i + 2;
        while (end < text_.size() && is_continuation(text_[end])) ++end;
        if (is_word_at(text_, end)) return;
        end_word(i + 1, true);
        start_ = i + 1;
    }

    bool has(std::size_t i, char c) const { return i < text_.size() && text_[i] == c; }

    // Some bytes of the text are a word of their own.
    void add_apart(std::size_t i, std::size_t n, bool is_early) {
        end_word(i, is_early);
        words_.push_back(lowered_.substr(i, n));
        start_ = i + n;
    }

    // A quote of some bytes is a word of two, by its side.
    void add_quote(std::size_t i, std::size_t n) {
        end_word(i, false);
        words_.emplace_back(is_opening(text_, i) ? opening_quote.data() : closing_quote.data(), 2);
        start_ = i + n;
    }

    // What stands between the last mark and this one; whether a space came there before the rule of apostrophes at
    // the end of words.
    void end_word(std::size_t end, bool is_early) {
        if (end <= start_) return;
        if (has_apostrophe_)
            end_clitics(end, is_early);
        else
            add(start_, end);
    }

    void end_clitics(std::size_t end, bool is_early) {
        has_apostrophe_ = false;
        std::size_t ends[4], n = 0;
        const auto part = [&](std::size_t n_bytes) {
            ends[n++] = end;
            end -= n_bytes;
        };
        if (is_early && text_[end - 1] == '\'' && end - 1 > start_) part(1);
        if (const auto n_bytes = clitic_of_one(end); n_bytes != 0) part(n_bytes);
        if (has_clitic_of_two(end)) part(3);
        ends[n++] = end;
        for (auto from = start_; n-- > 0; from = ends[n]) add(from, ends[n]);
    }

    // 's, 'm, 'd and ' at the end of a word.
    std::size_t clitic_of_one(std::size_t end) const {
        const auto n = end - start_;
        if (n > 1 && text_[end - 1] == '\'') return 1;
        const bool has_two = n > 2 && text_[end - 2] == '\'' &&
                             std::string_view("smd").find(lowered_[end - 1]) != std::string_view::npos;
        return has_two ? 2 : 0;
    }
    // Then 'll, 're, 've and n't, in letters of one case.
    bool has_clitic_of_two(std::size_t end) const {
        static constexpr std::string_view endings[] = {"'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"};
        return end - start_ > 3 && text_[end - 4] != '\'' &&
               std::ranges::find(endings, text_.substr(end - 3, 3)) != std::ranges::end(endings);
    }

    void add(std::size_t from, std::size_t to) {
        const auto word = lowered_.substr(from, to - from);
        if (may_contract_)
            add_contracted(word);
        else
            words_.push_back(word);
    }

    void add_contracted(std::string_view word) {
        cuts_.clear();
        for (const auto& one : contractions) {
            const auto n = cuts_.size();
            for (std::size_t i = 0; i < word.size();) {
                const auto end = end_of(word, i, one, std::span(cuts_).first(n));
                if (end != 0) cuts_.insert(cuts_.end(), {i, i + one.first.size(), end});
                i = std::max(i + 1, end);
            }
            if (cuts_.size() > n) std::ranges::sort(cuts_);
        }
        cuts_.push_back(word.size());
        std::size_t from = 0;
        for (const auto to : cuts_) {
            if (to > from) words_.push_back(word.substr(from, to - from));
            from = to;
        }
    }

    std::string_view text_, lowered_;
    Words& words_;
    std::vector<std::size_t>& cuts_;
    std::size_t last_stop_;
    std::size_t start_ = 0;  // of the word that has not ended; behind all that was read
    std::size_t taken_along_ = std::string_view::npos;  // by a comma
    bool has_apostrophe_ = false;  // the word that has not ended
    bool may_contract_ = false;    // the text, as far as it was read
};

// Known letters outside ASCII to lower case, which has as many bytes; false where a character is not known.
bool lower_wide(std::string& text, const LowerLetters& lower_of) {
    char *at = text.data(), *const end = at + text.size();
    while (at < end) {
        if (is_ascii(*at)) {
            ++at;
            continue;
        }
        const auto [code, n_bytes] = character_at(at, end);
        if (code >= first_wide_letter && code < end_of_wide_letters) {
            const auto lower = lower_of[code - first_wide_letter];
            if (lower == 0) return false;
            at[0] = static_cast<char>(0xC0 | lower >> 6);
            at[1] = static_cast<char>(0x80 | (lower & 0x3F));
        } else if (!is_known_sign(code)) {
            return false;
        }
        at += n_bytes;
    }
    return true;
}

}  // namespace

LowerLetters lower_letters(std::uint32_t (*lower)(std::uint32_t)) {
    LowerLetters lower_of{};
    for (std::size_t i = 0; i < lower_of.size(); ++i) {
        const auto code = first_wide_letter + static_cast<std::uint32_t>(i);
        const auto small = is_like_no_other(code) ? 0 : lower(code);
        if (small >= 0x80 && small < 0x800) lower_of[i] = static_cast<std::uint16_t>(small);
    }
    return lower_of;
}

bool cut_treebank(std::string_view text, const LowerLetters& lower_of, TreebankScratch& s, Words& words) {
    s.text.assign(text);
    lower_ascii(s.text);
    if (!is_ascii(text) && !lower_wide(s.text, lower_of)) return false;
    s.text.append(padding, '\0');
    TreebankCutter(text, s.text.data(), s.cuts, words).cut();
    return true;
}

void NumberedWords::add(const Words& text) {
    const auto n_ids = ids.size();
    ids.resize(n_ids + text.size());
    numbers_.add(text, ids.data() + n_ids);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto id = ids[n_ids + i];
        if (id < words.size()) continue;
        words.push_back(kept_.keep(text[i]));
        numbers_.move(id, words.back());
    }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
}

}  // namespace textgauge
