#include "porter.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "characters.hpp"

namespace textgauge {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

constexpr Rule irregular[] = {
    {"sky", "sky"},         {"skies", "sky"},         {"dying", "die"},     {"lying", "lie"},
    {"tying", "tie"},       {"news", "news"},         {"innings", "inning"}, {"inning", "inning"},
    {"outings", "outing"},  {"outing", "outing"},     {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},       {"proceed", "proceed"},   {"exceed", "exceed"}, {"succeed", "succeed"},
};

// Rules by the last letter but one of their suffixes. The first suffix of a list that a word has
// is the one that counts; suffixes that are ends of each other stay in the order of the list.
template <std::size_t n>
struct RuleList {
    std::array<Rule, n> rules{};
    std::array<std::uint8_t, 27> first{};  // first[i] is the first rule of letter i of the alphabet

    constexpr explicit RuleList(const Rule (&listed)[n]) {
        std::size_t n_listed = 0;
        for (int i = 0; i < 26; ++i) {
            first[i] = static_cast<std::uint8_t>(n_listed);
            for (const auto& rule : listed)
                if (rule.first[rule.first.size() - 2] == 'a' + i) rules[n_listed++] = rule;
        }
        first[26] = n;
    }
};

constexpr RuleList step_2({
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},       {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
});
constexpr RuleList step_3({
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
});
constexpr RuleList step_4({
    {"al", ""},    {"ance", ""}, {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""}, {"ant", ""},
    {"ement", ""}, {"ou", ""},   {"ism", ""},  {"ate", ""}, {"iti", ""}, {"ous", ""},  {"ive", ""},  {"ize", ""},
});
constexpr Rule ment{"ment", ""}, ent{"ent", ""};

// What the letters up to some place tell: whether the last is a consonant, whether there is a vowel,
// and the measure m of [C](VC)^m[V], of which the rules ask no more than whether it is 0, 1 or above.
enum State : std::uint8_t { consonant_bit = 1, vowel_bit = 2, measure_unit = 4, two_measures = 8, n_states = 16 };
enum LetterKind : std::uint8_t { consonant, vowel, y, n_letter_kinds };

constexpr auto letter_kinds = [] {
    std::array<LetterKind, 256> kinds{};
    for (const char letter : {'a', 'e', 'i', 'o', 'u'}) kinds[static_cast<unsigned char>(letter)] = vowel;
    kinds['y'] = y;
    return kinds;
}();

// The state after one more letter; a y is a consonant at the start and behind a vowel.
constexpr auto next_state = [] {
    std::array<std::array<std::uint8_t, n_letter_kinds>, n_states> next{};
    for (std::uint8_t state = 0; state < n_states; ++state)
        for (std::uint8_t kind = 0; kind < n_letter_kinds; ++kind) {
            const bool was_consonant = state & consonant_bit, was_vowel = !was_consonant && (state & vowel_bit);
            std::uint8_t after = state & ~consonant_bit;
            if (kind == vowel || (kind == y && was_consonant))
                after |= vowel_bit;
            else
                after = static_cast<std::uint8_t>((after | consonant_bit)
                    + (was_vowel && state < two_measures ? measure_unit : 0));
            next[state][kind] = after;
        }
    return next;
}();

std::uint8_t state_after(std::uint8_t state, char letter) {
    return next_state[state][letter_kinds[static_cast<unsigned char>(letter)]];
}

// A word that loses and changes its end; states[n] is that of its first n letters.
struct Word {
    char* letters;
    std::size_t length;
    std::uint8_t* states;

    bool ends(std::string_view suffix) const {
        // Most suffixes are told from a word's end by one of two letters, without a call.
        if (length < suffix.size() || letters[length - 1] != suffix.back()) return false;
        const char* first = letters + length - suffix.size();
        return *first == suffix.front() && std::memcmp(first, suffix.data(), suffix.size()) == 0;
    }
    // The states without the last letters; `n` is at most the length.
    int measure_before(std::size_t n) const { return states[length - n] / measure_unit; }
    bool has_vowel_before(std::size_t n) const { return states[length - n] & vowel_bit; }
    bool is_consonant(std::size_t from_end) const { return states[length - from_end + 1] & consonant_bit; }

    void replace(std::size_t n, std::string_view by) {
        length -= n;
        for (const char letter : by) {
            states[length + 1] = state_after(states[length], letter);
            letters[length++] = letter;
        }
    }
    bool ends_double() const {
        return length > 1 && letters[length - 1] == letters[length - 2] && is_consonant(1);
    }
    // Consonant, vowel, consonant other than w, x, y.
    bool ends_cvc() const {
        if (length < 3 || !is_consonant(1) || is_consonant(2) || !is_consonant(3)) return false;
        const char last = letters[length - 1];
        return last != 'w' && last != 'x' && last != 'y';
    }
};

// What calls for an -e at the end. nltk takes a vowel and a consonant alone for such a word too.
bool is_short(const Word& word, Stemmer form) {
    if (form == Stemmer::porter && word.length == 2) return !word.is_consonant(2) && word.is_consonant(1);
    return word.ends_cvc();
}

bool apply(Word& word, const Rule& rule, int above) {
    const auto& [suffix, by] = rule;
    if (!word.ends(suffix)) return false;
    if (word.measure_before(suffix.size()) > above) word.replace(suffix.size(), by);
    return true;
}

template <std::size_t n>
bool apply_first(Word& word, const RuleList<n>& list, int above) {
    if (word.length < 2) return false;
    const auto letter = static_cast<unsigned char>(word.letters[word.length - 2] - 'a');
    if (letter >= 26) return false;
    for (auto i = list.first[letter]; i < list.first[letter + 1]; ++i)
        if (apply(word, list.rules[i], above)) return true;
    return false;
}

void step_1a(Word& word, Stemmer form) {
    if (word.ends("sses")) {
        word.length -= 2;
    } else if (word.ends("ies")) {
        word.length -= form == Stemmer::porter && word.length == 4 ? 1 : 2;
    } else if (word.ends("s") && !word.ends("ss")) {
        word.length -= 1;
    }
}

void step_1b(Word& word, Stemmer form) {
    if (form == Stemmer::porter && word.ends("ied")) {
        word.length -= word.length == 4 ? 1 : 2;
        return;
    }
    if (word.ends("eed")) {
        if (word.measure_before(3) > 0) word.length -= 1;
        return;
    }
    const std::size_t n = word.ends("ed") ? 2 : word.ends("ing") ? 3 : 0;
    if (n == 0 || !word.has_vowel_before(n)) return;
    word.length -= n;
    if (word.ends("at") || word.ends("bl") || word.ends("iz")) {
        word.replace(0, "e");
    } else if (word.ends_double()) {
        const char last = word.letters[word.length - 1];
        if (last != 'l' && last != 's' && last != 'z') word.length -= 1;
    } else if (word.measure_before(0) == 1 && is_short(word, form)) {
        word.replace(0, "e");
    }
}

void step_1c(Word& word, Stemmer form) {
    if (!word.ends("y")) return;
    const bool changes = form == Stemmer::porter ? word.length > 2 && word.is_consonant(2) : word.has_vowel_before(1);
    if (changes) word.replace(1, "i");
}

void step_2_of(Word& word, Stemmer form) {
    if (form == Stemmer::porter) {
        if (word.ends("alli") && word.measure_before(4) > 0) word.length -= 2;
        if (apply_first(word, step_2, 0) || apply(word, {"fulli", "ful"}, 0)) return;
        // nltk measures the l as well.
        if (word.ends("logi") && word.measure_before(3) > 0) word.length -= 1;
    } else if (!apply_first(word, step_2, 0)) {
        apply(word, {"logi", "log"}, 0);
    }
}

void step_4_of(Word& word, Stemmer form) {
    const auto drop_ion = [&word] {
        const bool has_letter = word.ends("sion") || word.ends("tion");
        if (has_letter && word.measure_before(3) > 1) word.length -= 3;
    };
    if (form == Stemmer::porter) {
        if (word.ends("ion"))
            drop_ion();
        else if (!apply_first(word, step_4, 1) && !apply(word, ment, 1))
            apply(word, ent, 1);
        return;
    }
    // Up to three suffixes, one after the other.
    apply_first(word, step_4, 1);
    apply(word, ment, 1);
    if (!apply(word, ent, 1)) drop_ion();
}

void step_5(Word& word, Stemmer form) {
    if (word.ends("e")) {
        const Word before{word.letters, word.length - 1, word.states};
        const auto measure = before.measure_before(0);
        if (measure > 1 || (measure == 1 && !is_short(before, form))) word.length -= 1;
    }
    if (word.ends("ll") && word.measure_before(1) > 1) word.length -= 1;
}

// The stem's length, of letters of one byte each.
std::size_t stem_letters(std::span<char> letters, Stemmer form, std::vector<std::uint8_t>& states) {
    if (states.size() <= letters.size()) states.resize(letters.size() + 1);
    states[0] = 0;
    for (std::size_t i = 0; i < letters.size(); ++i) states[i + 1] = state_after(states[i], letters[i]);
    Word word{letters.data(), letters.size(), states.data()};
    step_1a(word, form);
    step_1b(word, form);
    step_1c(word, form);
    step_2_of(word, form);
    apply_first(word, step_3, 0);
    step_4_of(word, form);
    step_5(word, form);
    return word.length;
}

// Stems a word with characters outside ASCII. The rules ask of them only whether two neighbours
// are equal, so each becomes one of two bytes: its neighbour's if they are equal, else the other.
std::string_view stem_wide(std::span<char> word, Stemmer form, StemScratch& scratch) {
    scratch.letters.clear();
    const char *at = word.data(), *end = at + word.size();
    std::uint32_t last = 0;
    char stand_in = '\x80';
    while (at < end) {
        const auto [code, n_bytes] = character_at(at, end);
        if (code != last) stand_in ^= 1;
        last = code;
        scratch.letters.push_back(n_bytes == 1 ? *at : stand_in);
        at += n_bytes;
    }
    const auto n_letters = stem_letters(scratch.letters, form, scratch.states);
    // Rules only drop characters outside ASCII; what they put at the end has one byte each.
    char* to = word.data();
    at = word.data();
    for (std::size_t i = 0; i < n_letters; ++i) {
        const auto n_bytes = is_ascii(scratch.letters[i]) ? 1 : character_at(at, end).n_bytes;
        if (n_bytes == 1) *to = scratch.letters[i];
        to += n_bytes;
        at = to;
    }
    return {word.data(), static_cast<std::size_t>(to - word.data())};
}

}  // namespace

std::string_view stem(std::span<char> word, Stemmer stemmer, StemScratch& scratch) {
    if (!is_ascii(std::string_view(word.data(), word.size()))) return stem_wide(word, stemmer, scratch);
    return {word.data(), stem_letters(word, stemmer, scratch.states)};
}

std::span<const Rule> irregular_forms() { return irregular; }

std::string_view nltk_stem(std::string_view word, std::vector<char>& letters, StemScratch& scratch) {
    const auto* const found = std::ranges::find(irregular, word, &Rule::first);
    if (found != std::ranges::end(irregular)) return found->second;
    letters.assign(word.begin(), word.end());
    const auto n_letters = std::ranges::count_if(word, [](char byte) { return !is_continuation(byte); });
    return n_letters > 2 ? stem(letters, Stemmer::porter, scratch) : std::string_view(letters.data(), letters.size());
}

}  // namespace textgauge
