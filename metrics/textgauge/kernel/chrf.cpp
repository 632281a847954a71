#include "chrf.hpp"

#include <algorithm>

namespace textgauge {

namespace {

// Calls visit(code) for the characters of a text, without its white space if that does not count.
template <class Visit>
void for_each_character(std::string_view text, bool whitespace, Visit visit) {
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        const auto character = is_ascii(*at) ? Character{static_cast<std::uint32_t>(*at), 1} : character_at(at, end);
        if (whitespace || !is_space(character.code)) visit(character.code);
        at += character.n_bytes;
    }
}

// `is_space` of a character of ASCII, without a branch.
bool is_ascii_space(std::uint32_t code) {
    return static_cast<bool>(unsigned{code == 0x20} | unsigned{code - 0x09 < 5} | unsigned{code - 0x1C < 4});
}

// Sets ids to id_of(code) for the characters of a text that count. Where words end is hard to guess, so that white space
// gets an id, too, and the next character takes its place.
template <class IdOf>
void set_ids(IdVector& ids, std::string_view text, bool whitespace, IdOf id_of) {
    ids.resize(text.size());
    std::uint32_t* next = ids.data();
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        if (is_ascii(*at)) {
            const auto code = static_cast<std::uint32_t>(*at++);
            *next = id_of(code);
            next += std::size_t{whitespace} | std::size_t{!is_ascii_space(code)};
        } else {
            const auto character = character_at(at, end);
            at += character.n_bytes;
            *next = id_of(character.code);
            next += whitespace || !is_space(character.code);
        }
    }
    ids.resize(static_cast<std::size_t>(next - ids.data()));
}

// string.punctuation
bool is_punctuation(char byte) {
    return (byte >= '!' && byte <= '/') || (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
           (byte >= '{' && byte <= '~');
}

// Calls visit(word) for what stands between white space; a mark of punctuation at the end of a
// longer word, or else one at its start, is a word of its own.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        if (const auto n = space_at(at, end); n > 0) {
            at += n;
            continue;
        }
        const char* const first = at;
        while (at != end && space_at(at, end) == 0) at += character_at(at, end).n_bytes;
        const std::string_view word(first, static_cast<std::size_t>(at - first));
        if (word.size() > 1 && is_punctuation(word.back())) {
            visit(word.substr(0, word.size() - 1));
            visit(word.substr(word.size() - 1));
        } else if (word.size() > 1 && is_punctuation(word.front())) {
            visit(word.substr(0, 1));
            visit(word.substr(1));
        } else {
            visit(word);
        }
    }
}

// Hypothesis n-grams, reference n-grams and matches of some orders: counts[0], counts[n_all], counts[2 * n_all] are
// those of the first one.
void count_orders(Ids hypothesis, Ids reference, std::size_t n_ids, std::size_t n_orders, std::int64_t* counts,
                  std::size_t n_all, SharedNgrams& shared, Stop& stop) {
    const auto n_ngrams = [](Ids text, std::size_t order) {
        return static_cast<std::int64_t>(text.size() < order ? 0 : text.size() - order + 1);
    };
    const Ids both[] = {hypothesis, reference};
    for (std::size_t order = 1; order <= n_orders; ++order, ++counts) {
        counts[n_all] = n_ngrams(reference, order);
        counts[0] = counts[n_all] == 0 ? 0 : n_ngrams(hypothesis, order);
        if (order == 1)
            shared.open(both, n_ids);
        else if (shared.matches() > 0)
            shared.advance();
        counts[2 * n_all] = shared.matches();
        if (stop.asked(8 * (hypothesis.size() + reference.size()))) return;
    }
}

// A copy of a text in `bytes` from `open` on; there is room for it.
std::string_view copied(std::string_view text, std::vector<char>& bytes, std::size_t open) {
    const auto at = std::copy(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(open));
    std::fill_n(at, padding, '\0');
    return {bytes.data() + open, text.size()};
}

void open_hypothesis(std::string_view text, std::size_t longest_reference, const ChrfOptions& options,
                     ChrfScratch& scratch) {
    scratch.characters.clear();
    set_ids(scratch.hypothesis, text, options.whitespace,
            [&](std::uint32_t code) { return scratch.characters.id_of(code); });
    if (options.word_order == 0) return;
    scratch.words.clear();
    scratch.hypothesis_words.clear();
    const auto n_bytes = text.size() + longest_reference + 2 * padding;
    if (scratch.bytes.size() < n_bytes) scratch.bytes.resize(n_bytes);
    for_each_word(copied(text, scratch.bytes, 0), [&](std::string_view word) {
        scratch.hypothesis_words.push_back(scratch.words.id_of(word));
    });
}

void count_reference(std::string_view hypothesis, std::string_view text, const ChrfOptions& options,
                     std::span<std::int64_t> counts, ChrfScratch& scratch, Stop& stop) {
    const auto n_all = options.n_orders();
    set_ids(scratch.reference, text, options.whitespace,
            [&](std::uint32_t code) { return scratch.characters.find(code); });
    count_orders(scratch.hypothesis, scratch.reference, scratch.characters.size() + 1, options.char_order,
                 counts.data(), n_all, scratch.shared, stop);
    if (options.word_order == 0) return;
    const auto n_words = static_cast<std::uint32_t>(scratch.words.size());
    scratch.reference_words.clear();
    for_each_word(copied(text, scratch.bytes, hypothesis.size() + padding), [&](std::string_view word) {
        scratch.reference_words.push_back(std::min(scratch.words.find(word), n_words));
    });
    count_orders(scratch.hypothesis_words, scratch.reference_words, n_words + 1, options.word_order,
                 counts.data() + options.char_order, n_all, scratch.shared, stop);
}

// Of one segment that has all texts; without texts there is none.
void close_segment(Tokens& tokens) {
    tokens.segments = {0};
    if (tokens.n_texts() > 0) tokens.segments.push_back(static_cast<std::int64_t>(tokens.n_texts()));
}

}  // namespace

Tokens character_tokens(const Texts& texts, bool whitespace, Stop& stop) {
    Tokens tokens;
    CharacterIds characters;
    tokens.offsets.push_back(0);
    for (const auto text : texts.views) {
        for_each_character(text, whitespace, [&](std::uint32_t code) { tokens.ids.push_back(characters.id_of(code)); });
        tokens.offsets.push_back(static_cast<std::int64_t>(tokens.ids.size()));
        if (stop.asked(text.size())) break;
    }
    close_segment(tokens);
    return tokens;
}

Tokens word_tokens(const Texts& texts, Stop& stop) {
    // The words of all texts must stay, with the bytes that are read behind each.
    std::vector<char> bytes;
    std::size_t n_bytes = 0;
    for (const auto text : texts.views) n_bytes += text.size() + padding;
    bytes.resize(n_bytes);
    Tokens tokens;
    WordIds words;
    tokens.offsets.push_back(0);
    std::size_t open = 0;
    for (const auto text : texts.views) {
        const auto add = [&](std::string_view word) { tokens.ids.push_back(words.id_of(word)); };
        for_each_word(copied(text, bytes, open), add);
        tokens.offsets.push_back(static_cast<std::int64_t>(tokens.ids.size()));
        open += text.size() + padding;
        if (stop.asked(text.size())) break;
    }
    close_segment(tokens);
    return tokens;
}

void character_matches(std::string_view hypothesis, std::span<const std::string_view> references,
                       const ChrfOptions& options, std::span<std::int64_t> counts, ChrfScratch& scratch, Stop& stop) {
    std::size_t longest = 0;
    for (const auto reference : references) longest = std::max(longest, reference.size());
    open_hypothesis(hypothesis, longest, options, scratch);
    const auto n_columns = 3 * options.n_orders();
    for (std::size_t r = 0; r < references.size(); ++r) {
        count_reference(hypothesis, references[r], options, counts.subspan(r * n_columns, n_columns), scratch, stop);
        if (stop.asked(hypothesis.size() + references[r].size())) return;
    }
}

}  // namespace textgauge
