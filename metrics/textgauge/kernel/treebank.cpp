#include "treebank.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "characters.hpp"
#include "platform.hpp"
#include "runs.hpp"

namespace textgauge {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Some bytes, most of them characters of ASCII.
class Marks {
public:
    constexpr explicit Marks(std::string_view marks) : n_(marks.size()) {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            has_[static_cast<unsigned char>(marks[i])] = true;
            marks_[i] = marks[i];
        }
    }
    constexpr explicit Marks(bool (*is)(unsigned char)) {
        for (std::size_t c = 0; c < has_.size(); ++c) has_[c] = is(static_cast<unsigned char>(c));
    }
    constexpr bool operator()(char c) const { return has_[static_cast<unsigned char>(c)]; }
    // The first place from `i` on that has one.
    std::size_t in(std::string_view text, std::size_t i) const {
        if (n_ == 1) return text.find(marks_[0], i);
        const auto n = text.size();
        if (n_ > 1)
            for (; i + lane_bytes <= n; i += lane_bytes)
                if (const auto bits = equal_bits(text.data() + i, {marks_.data(), n_}))
                    return i + static_cast<std::size_t>(std::countr_zero(bits));
        while (i < n && !(*this)(text[i])) ++i;
        return i;
    }

private:
    static constexpr std::size_t most = 16;

    std::array<bool, 256> has_{};
    std::array<char, most> marks_{};
    std::size_t n_ = 0;  // of marks_; 0 where a function says which they are
};
constexpr Marks is_ascii_space([](unsigned char c) { return c < 0x80 && is_space(c); });
constexpr Marks is_wide_byte([](unsigned char c) { return c >= 0x80; });
constexpr Marks apostrophe("'");

// What is known here of characters outside ASCII: Latin letters, and signs that are no part of words.
bool is_known_letter(std::uint32_t code) {
    return code >= 0xC0 && code <= 0x24F && code != 0xD7 && code != 0xF7 &&
           // Patterns without case take these for i and s.
           code != 0x130 && code != 0x131 && code != 0x17F;
}
bool is_known_sign(std::uint32_t code) {
    if (code < 0xC0)
        return code > 0xA0 && code != 0xAA && code != 0xB2 && code != 0xB3 && code != 0xB5 && code != 0xB9 &&
               code != 0xBA && !(code >= 0xBC && code <= 0xBE);
    return (code >= 0x2010 && code <= 0x2027) || (code >= 0x2030 && code <= 0x205E) || (code >= 0x20A0 && code <= 0x20BF);
}

// Whether the character that begins, or ends, at a place is one of words. Of the known ones only letters have these
// first bytes.
bool is_word_first(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (lower(c) >= 'a' && lower(c) <= 'z') || is_digit(c) || c == '_' || (byte >= 0xC3 && byte <= 0xC9);
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

// Replaces from left to right: rule(text, i, out) writes what stands for the characters at i and returns how many they
// are, or 0 where it does not match. It can match only where one of some marks stands `ahead` characters behind i.
//
// What stays is copied run by run; where nothing matches, nothing is.
template <class Rule>
void rewrite(TreebankScratch& s, const Marks& marks, std::size_t ahead, Rule rule) {
    s.other.clear();
    s.piece.clear();
    const std::string_view text = s.text;
    std::size_t kept = 0;  // the first character that is not in s.other yet
    for (std::size_t i = 0; (i = marks.in(text, i + ahead)) < text.size();) {
        i -= ahead;
        const std::size_t n = rule(text, i, s.piece);
        if (n == 0) {
            ++i;
            continue;
        }
        (s.other += text.substr(kept, i - kept)) += s.piece;
        s.piece.clear();
        kept = i += n;
    }
    if (kept == 0) return;
    s.other += text.substr(kept);
    s.text.swap(s.other);
}

// Spaces around every run, or every one, of some characters.
void pad(TreebankScratch& s, const Marks& is, std::size_t least = 1, std::size_t most = std::string::npos) {
    rewrite(s, is, 0, [&is, least, most](std::string_view text, std::size_t i, std::string& out) {
        std::size_t n = 0;
        while (n < most && i + n < text.size() && is(text[i + n])) ++n;
        if (n < least) return std::size_t{0};
        ((out += ' ') += text.substr(i, n)) += ' ';
        return n;
    });
}

// Spaces around each of some signs outside ASCII.
template <std::size_t n>
void pad_signs(TreebankScratch& s, const std::string_view (&signs)[n]) {
    rewrite(s, is_wide_byte, 0, [&signs](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        for (const auto sign : signs)
            if (text.substr(i, sign.size()) == sign) {
                ((out += ' ') += sign) += ' ';
                return sign.size();
            }
        return 0;
    });
}
constexpr std::string_view opening_signs[] = {"\xC2\xAB", "\xE2\x80\x9C", "\xE2\x80\x98", "\xE2\x80\x9E"};
constexpr std::string_view closing_signs[] = {"\xC2\xBB", "\xE2\x80\x9D", "\xE2\x80\x99"};

// The full stop at the end goes apart, where only closing brackets and quotes stand behind it.
//
// The first time these may be typographic, and spaces may stand between them.
void set_last_stop_apart(TreebankScratch& s, bool is_first_time) {
    const std::string_view text = s.text, closing = is_first_time ? "])}>\"' " : "])}>\"'";
    // How many bytes the closing sign before a place has, or 0.
    const auto closing_before = [&](std::size_t end) -> std::size_t {
        if (end > 0 && closing.find(text[end - 1]) != std::string_view::npos) return 1;
        if (is_first_time)
            for (const auto sign : closing_signs)
                if (text.substr(0, end).ends_with(sign)) return sign.size();
        return 0;
    };
    auto at = text.size();
    while (at > 0 && is_ascii_space(text[at - 1])) --at;
    auto behind = at;
    while (const auto n = closing_before(at)) at -= n;
    if (at < 2 || text[at - 1] != '.' || text[at - 2] == '.') return;
    if (is_first_time)
        while (behind < text.size() && text[behind] == ' ') ++behind;
    s.other.assign(text.substr(0, at - 1));
    s.other += is_first_time ? " . " : " .";
    (s.other += text.substr(at, behind - at)) += ' ';
    s.text.swap(s.other);
}

void open_quotes(TreebankScratch& s, bool is_wide) {
    if (is_wide) pad_signs(s, opening_signs);
    static constexpr Marks backtick("`"), before(" ([{<"), quotes("\"'");
    pad(s, backtick);
    if (s.text.starts_with('"')) s.text.replace(0, 1, "``");
    pad(s, backtick, 2, 2);
    rewrite(s, quotes, 1, [](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        if (!before(text[i])) return 0;
        const bool is_one = text[i + 1] == '"', is_two = text.substr(i + 1, 2) == "''";
        if (!is_one && !is_two) return 0;
        (out += text[i]) += " `` ";
        return is_one ? 2 : 3;
    });
}

// An apostrophe before a word of one letter, but those of contractions.
void part_apostrophes(TreebankScratch& s) {
    rewrite(s, apostrophe, 0, [](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        if (!is_word_at(text, i + 1)) return 0;
        if (std::string_view("mtsdn").find(lower(text[i + 1])) != std::string_view::npos) return 0;
        auto end = i + 2;
        while (end < text.size() && is_continuation(text[end])) ++end;
        if (is_word_at(text, end)) return 0;
        (out += "' ") += text.substr(i + 1, end - i - 1);
        return end - i;
    });
}

void part_commas(TreebankScratch& s) {
    static constexpr Marks marks(":,");
    rewrite(s, marks, 0, [](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        if (i + 1 == text.size() || is_digit(text[i + 1])) return 0;
        (((out += ' ') += text[i]) += ' ') += text[i + 1];
        return 2;
    });
    const auto n = s.text.size() - (s.text.ends_with('\n') ? 1 : 0);
    if (n > 0 && (s.text[n - 1] == ':' || s.text[n - 1] == ',')) {
        s.text.insert(n, 1, ' ');
        s.text.insert(n - 1, 1, ' ');
    }
}

// 's, 'm, 'd and ' before a space, then 'll, 're, 've and n't in letters of one case.
void part_clitics(TreebankScratch& s) {
    const auto is_before = [](std::string_view text, std::size_t i) { return text[i] != '\'' && text[i] != ' '; };
    rewrite(s, apostrophe, 1, [=](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        if (!is_before(text, i) || i + 2 >= text.size()) return 0;
        const std::size_t n = std::string_view("smd").find(lower(text[i + 2])) != std::string_view::npos ? 2 : 1;
        if (i + 1 + n >= text.size() || text[i + 1 + n] != ' ') return 0;
        (((out += text[i]) += ' ') += text.substr(i + 1, n)) += ' ';
        return n + 2;
    });
    static constexpr std::string_view endings[] = {"'ll", "'LL", "'re", "'RE", "'ve", "'VE", "n't", "N'T"};
    static constexpr Marks firsts("'nN");
    rewrite(s, firsts, 1, [=](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
        if (i + 4 >= text.size() || text[i + 4] != ' ' || !is_before(text, i)) return 0;
        const auto ending = text.substr(i + 1, 3);
        if (std::ranges::find(endings, ending) == std::ranges::end(endings)) return 0;
        (((out += text[i]) += ' ') += ending) += ' ';
        return 5;
    });
}

struct Contraction {
    std::string_view first, second;
};
constexpr Contraction contractions[] = {
    {"can", "not"}, {"d", "'ye"}, {"gim", "me"}, {"gon", "na"}, {"got", "ta"}, {"lem", "me"}, {"more", "'n"},
    {"wan", "na"},
};
constexpr Contraction after_space[] = {{" 't", "is"}, {" 't", "was"}};

// Where a contraction ends that begins at a place; 0 if none does.
std::size_t end_of(std::string_view text, std::size_t i, const Contraction& one) {
    const auto end = i + one.first.size() + one.second.size();
    if (!has_at(text, i, one.first) || !has_at(text, i + one.first.size(), one.second)) return 0;
    if (one.first == "wan") return end < text.size() && is_ascii_space(text[end]) ? end : 0;
    if (is_word_at(text, end)) return 0;
    if (one.first.front() != ' ' && is_word_before(text, i)) return 0;
    return end;
}

void part_contractions(TreebankScratch& s) {
    const auto part = [&s](const Contraction& one) {
        const char first[] = {one.first.front(), static_cast<char>(one.first.front() ^ 0x20)};
        const Marks marks(one.first.front() == ' ' ? one.first.substr(0, 1) : std::string_view(first, 2));
        rewrite(s, marks, 0, [&one](std::string_view text, std::size_t i, std::string& out) -> std::size_t {
            if (one.first == "wan" && is_word_before(text, i)) return 0;
            const auto end = end_of(text, i, one);
            if (end == 0) return 0;
            const auto is_spaced = one.first.front() == ' ';
            const auto own = text.substr(i + is_spaced, one.first.size() - is_spaced);
            (((out += ' ') += own) += ' ') += text.substr(i + one.first.size(), one.second.size());
            out += ' ';
            return end - i;
        });
    };
    for (const auto& one : contractions) part(one);
    for (const auto& one : after_space) part(one);
}

// One space for every run of white space.
void join_spaces(std::string& text) {
    std::size_t n = 0;
    bool is_behind_space = false;
    for (const char c : text) {
        const bool is_own = is_ascii_space(c);
        if (!(is_own && is_behind_space)) text[n++] = is_own ? ' ' : c;
        is_behind_space = is_own;
    }
    text.resize(n);
}

// What a text has, so that rules about other things are left out: characters, one bit for each group of them.
struct Present {
    enum Group : std::uint32_t {
        backtick = 1, double_quote = 2, apostrophe = 4, stop = 8, colon_or_comma = 16, sign = 32, end = 64, star = 128,
        bracket = 256, dash = 512, wide = 1024, control = 2048, letter_n = 4096, letter_m = 8192, letter_t = 16384,
    };

    std::uint32_t has = 0;
    // Whether a contraction may be in the text when its time comes: no rule before joins what stood apart.
    bool may_contract = false;

    explicit Present(std::string_view text) {
        constexpr std::uint32_t doubled = letter_n | letter_m | letter_t;
        std::uint32_t before = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto groups = groups_of[static_cast<unsigned char>(text[i])];
            has |= groups;
            if (((groups & before & doubled) | (groups & apostrophe)) != 0 && !may_contract)
                may_contract = is_contraction(text, i);
            before = groups;
        }
    }
    bool any(std::uint32_t groups) const { return (has & groups) != 0; }

private:
    // Whether a contraction has its second letter of two equal ones, or its apostrophe, at a place.
    static bool is_contraction(std::string_view text, std::size_t i) {
        const auto has_from = [&](std::size_t n_before, std::string_view word) {
            return i >= n_before && has_at(text, i - n_before, word);
        };
        if (text[i] == '\'') return has_from(1, "d'ye") || has_from(4, "more'n") || has_from(0, "'tis") || has_from(0, "'twas");
        return has_from(3, "cannot") || has_from(3, "gonna") || has_from(3, "wanna") || has_from(3, "gotta") ||
               has_from(3, "gimme") || has_from(3, "lemme");
    }

    static constexpr auto groups_of = [] {
        std::array<std::uint32_t, 256> groups{};
        const auto put = [&groups](std::string_view characters, std::uint32_t group) {
            for (const char c : characters) groups[static_cast<unsigned char>(c)] |= group;
        };
        put("`", backtick);
        put("\"", double_quote);
        put("'", apostrophe);
        put(".", stop);
        put(":,", colon_or_comma);
        put(";@#$%&", sign);
        put("?!", end);
        put("*", star);
        put("[](){}<>", bracket);
        put("-", dash);
        put("nN", letter_n);
        put("mM", letter_m);
        put("tT", letter_t);
        for (std::size_t c = 0; c < 0x20; ++c) groups[c] |= control;
        for (std::size_t c = 0x80; c < groups.size(); ++c) groups[c] |= wide;
        return groups;
    }();
};

}  // namespace

bool has_known_characters(std::string_view text) {
    if (is_ascii(text)) return true;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        if (is_ascii(*at)) {
            ++at;
            continue;
        }
        const auto [code, n_bytes] = character_at(at, end);
        if (!is_known_letter(code) && !is_known_sign(code)) return false;
        at += n_bytes;
    }
    return true;
}

void cut_treebank(std::string_view text, TreebankScratch& s, Words& words) {
    s.text.assign(text);
    const Present present(text);
    const bool is_wide = present.any(Present::wide), has_apostrophe = present.any(Present::apostrophe),
               has_stop = present.any(Present::stop);
    if (is_wide || present.any(Present::backtick | Present::double_quote | Present::apostrophe)) open_quotes(s, is_wide);
    if (has_apostrophe) part_apostrophes(s);
    if (has_stop) set_last_stop_apart(s, true);
    if (present.any(Present::colon_or_comma)) part_commas(s);
    static constexpr Marks stop("."), dash("-"), double_quote("\""), star("*"), signs(";@#$%&"), ends("?!"),
        brackets("[](){}<>");
    if (has_stop) pad(s, stop, 2);
    if (present.any(Present::sign)) pad(s, signs, 1, 1);
    if (has_stop) set_last_stop_apart(s, false);
    if (present.any(Present::end)) pad(s, ends, 1, 1);
    if (has_apostrophe)
        rewrite(s, apostrophe, 1, [](std::string_view t, std::size_t i, std::string& out) -> std::size_t {
            if (t[i] == '\'' || t.substr(i + 1, 2) != "' ") return 0;
            (out += t[i]) += " ' ";
            return 3;
        });
    if (present.any(Present::star)) pad(s, star, 1, 1);
    if (present.any(Present::bracket)) pad(s, brackets, 1, 1);
    if (present.any(Present::dash)) pad(s, dash, 2, 2);
    s.text.insert(0, 1, ' ');
    s.text += ' ';
    if (is_wide) pad_signs(s, closing_signs);
    if (has_apostrophe || present.any(Present::double_quote)) {
        pad(s, apostrophe, 2, 2);
        rewrite(s, double_quote, 0, [](std::string_view, std::size_t, std::string& out) -> std::size_t {
            out += " '' ";
            return 1;
        });
        join_spaces(s.text);
        part_clitics(s);
    }
    if (present.may_contract) part_contractions(s);
    const auto n = s.text.size();
    s.text.append(padding, '\0');
    const std::span own(s.text.data(), n);
    if (present.any(Present::control))
        std::ranges::replace_if(own, [](char c) { return is_ascii_space(c); }, ' ');
    each_run(own, ' ', [&](std::span<char> run) { words.emplace_back(run.data(), run.size()); });
}

std::uint32_t StemmedWords::id_of(std::string_view word) {
    const auto id = numbers_.find(word);
    if (id != WordIds::none) return id;
    words.push_back(kept_.keep(word));
    return numbers_.id_of(words.back());
}

void StemmedWords::add(const Words& text) {
    // Of many words the table is beyond the second cache.
    for (const auto word : text) numbers_.prefetch_place(word);
    for (const auto word : text) ids.push_back(id_of(word));
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
}

void StemmedWords::stem_all() {
    const auto n = words.size();
    StemScratch scratch;
    std::vector<char> letters;
    for (std::size_t w = 0; w < n; ++w) {
        const auto word = words[w];
        const auto* const end = irregular_forms().data() + irregular_forms().size();
        const auto* const found = std::find_if(irregular_forms().data(), end,
                                               [word](const auto& form) { return form.first == word; });
        letters.assign(word.begin(), word.end());
        std::size_t n_letters = 0;
        for (const char byte : word) n_letters += !is_continuation(byte);
        std::string_view own = word;
        if (found != end)
            own = found->second;
        else if (n_letters > 2)
            own = stem(letters, Stemmer::porter, scratch);
        letters.assign(own.begin(), own.end());
        letters.resize(own.size() + padding);
        stems.push_back(id_of({letters.data(), own.size()}));
    }
    // A stem of a stem is never asked for.
    for (auto w = n; w < words.size(); ++w) stems.push_back(static_cast<std::uint32_t>(w));
}

}  // namespace textgauge
