#include "character.hpp"

#include <algorithm>
#include <numeric>

#include "characters.hpp"

namespace textgauge {
namespace {

void add_words(std::string_view text, std::vector<std::string_view>& words) {
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        if (const auto n = space_at(at, end); n > 0) {
            at += n;
            continue;
        }
        const char* const first = at;
        while (at != end && space_at(at, end) == 0) at += character_at(at, end).n_bytes;
        words.emplace_back(first, static_cast<std::size_t>(at - first));
    }
}

std::size_t n_characters(std::string_view word) {
    return static_cast<std::size_t>(std::ranges::count_if(word, [](char byte) { return !is_continuation(byte); }));
}

// The words of a pair as kinds, whose order is that of the words: of UTF-8 it is that of code points.
void open_words(std::string_view hypothesis, std::string_view reference, CharacterScratch& scratch) {
    auto& words = scratch.words;
    words.clear();
    add_words(hypothesis, words);
    const auto n = words.size();
    add_words(reference, words);
    auto kinds = words;
    std::ranges::sort(kinds);
    const auto repeats = std::ranges::unique(kinds);
    kinds.erase(repeats.begin(), repeats.end());
    const auto kind_of = [&](std::string_view word) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(kinds, word) - kinds.begin());
    };
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(n);
    scratch.hypothesis.resize(n);
    scratch.reference.resize(words.size() - n);
    std::transform(words.begin(), middle, scratch.hypothesis.begin(), kind_of);
    std::transform(middle, words.end(), scratch.reference.begin(), kind_of);
    scratch.sizes.resize(kinds.size());
    std::ranges::transform(kinds, scratch.sizes.begin(), n_characters);
    words = std::move(kinds);
}

// The Levenshtein distance of a text to the one that `places` is open on, column by column, 64 cells in one word
// (Myers 1999; Hyyro 2003, figure 5): `rises` and `falls` are where a cell is one more, or one less, than that above.
std::size_t distance(Ids text, std::size_t n_reference, CharacterScratch& scratch) {
    if (n_reference == 0) return text.size();
    const auto n_words = words_of(n_reference);
    auto &rises = scratch.rises, &falls = scratch.falls;
    rises.assign(n_words, ~std::uint64_t{0});
    falls.assign(n_words, 0);
    const auto last = bit_of(n_reference - 1);
    auto cell = n_reference;
    for (const auto token : text) {
        const auto* const matches = scratch.places.row(token);
        std::uint64_t more = 1, less = 0;  // of the row above a word, from column to column
        for (std::size_t w = 0; w < n_words; ++w) {
            const auto found = matches[w] | less, both = found & rises[w];
            const auto same = (both + rises[w]) ^ rises[w];
            const auto flat = same | found, kept = matches[w] | falls[w];
            const auto grows = falls[w] | ~(flat | rises[w]), sinks = flat & rises[w];
            if (w + 1 == n_words) cell = cell + ((grows & last) != 0) - ((sinks & last) != 0);
            const auto grown = grows << 1 | more, sunk = sinks << 1 | less;
            more = grows >> (word_bits - 1);
            less = sinks >> (word_bits - 1);
            rises[w] = sunk | ~(kept | grown);
            falls[w] = grown & kept;
        }
    }
    return cell;
}

// How many words go on alike in both texts, from a place of each.
std::size_t n_equal(Ids left, Ids right) {
    return static_cast<std::size_t>(std::ranges::mismatch(left, right).in1 - left.begin());
}

// The words with a run of them moved to another place.
void move_run(Ids words, std::size_t start, std::size_t n, std::size_t place, std::vector<std::uint32_t>& moved) {
    moved.assign(words.begin(), words.end());
    const auto at = [&moved](std::size_t i) { return moved.begin() + static_cast<std::ptrdiff_t>(i); };
    place = std::min(place, words.size() - n);
    if (place < start)
        std::rotate(at(place), at(start), at(start + n));
    else
        std::rotate(at(start), at(start + n), at(place + n));
}

// Makes all shifts, in `scratch.shifted`; of savings that are equally large the one with the last words counts.
void shift(CharacterScratch& scratch, Stop& stop) {
    const Ids reference = scratch.reference;
    auto& words = scratch.shifted;
    words = scratch.hypothesis;
    if (reference.empty()) return;
    const auto opened = scratch.places.open(reference, scratch.words.size());
    const auto n_reference = static_cast<double>(reference.size());
    const auto rate_of = [&](Ids text) {
        return static_cast<double>(distance(text, reference.size(), scratch)) / n_reference;
    };
    auto rate = rate_of(words);
    while (rate > 0) {
        double saved = 0;
        bool has_best = false;
        for (std::size_t start = 0; start < words.size(); ++start)
            for (std::size_t place = 0; place < reference.size(); ++place) {
                if (words[start] != reference[place] || start == place) continue;
                if (stop.asked(words.size() * words_of(reference.size()))) return;
                const auto n = n_equal(Ids(words).subspan(start), reference.subspan(place));
                move_run(words, start, n, place, scratch.trial);
                const auto gain = rate - rate_of(scratch.trial);
                if (has_best && (gain < saved || (gain == saved && scratch.trial <= scratch.best))) continue;
                has_best = true;
                saved = gain;
                std::swap(scratch.best, scratch.trial);
            }
        if (!has_best || saved <= 0) return;
        std::swap(words, scratch.best);
        rate -= saved;
    }
}

// See the twin.
double shift_cost(Ids words, Ids before, std::span<const std::size_t> sizes) {
    double cost = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (before[i] == words[i]) continue;
        const auto rest = words.subspan(i + 1);
        const auto found = std::ranges::find(rest, before[i]);
        if (found == rest.end()) continue;
        const auto n = n_equal(before.subspan(i), Ids(found, rest.end()));
        std::size_t n_characters = 0;
        for (const auto word : before.subspan(i, n)) n_characters += sizes[word];
        cost += static_cast<double>(n_characters) / static_cast<double>(n);
        i += n - 1;
    }
    return cost;
}

// The characters of words with a space between two of them.
void join_words(Ids words, std::span<const std::string_view> texts, std::vector<std::uint32_t>& characters) {
    characters.clear();
    for (const auto word : words) {
        if (!characters.empty()) characters.push_back(' ');
        const auto text = texts[word];
        for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
            const auto character = character_at(at, end);
            characters.push_back(character.code);
            at += character.n_bytes;
        }
    }
}

std::size_t distance_of_characters(CharacterScratch& scratch) {
    auto &own = scratch.characters, &others = scratch.reference_characters, &codes = scratch.codes;
    join_words(scratch.shifted, scratch.words, own);
    join_words(scratch.reference, scratch.words, others);
    if (others.empty()) return own.size();
    codes.assign(own.begin(), own.end());
    codes.insert(codes.end(), others.begin(), others.end());
    std::ranges::sort(codes);
    const auto repeats = std::ranges::unique(codes);
    codes.erase(repeats.begin(), repeats.end());
    for (auto* const text : {&own, &others})
        for (auto& code : *text)
            code = static_cast<std::uint32_t>(std::ranges::lower_bound(codes, code) - codes.begin());
    const auto opened = scratch.places.open(others, codes.size());
    return distance(own, others.size(), scratch);
}

}  // namespace

void character_edits(std::string_view hypothesis, std::span<const std::string_view> references, std::span<double> rows,
                     CharacterScratch& scratch, Stop& stop) {
    for (std::size_t r = 0; r < references.size(); ++r) {
        if (stop.asked(hypothesis.size() * words_of(references[r].size() + 1))) return;
        open_words(hypothesis, references[r], scratch);
        shift(scratch, stop);
        const auto cost = shift_cost(scratch.shifted, scratch.hypothesis, scratch.sizes);
        rows[2 * r] = static_cast<double>(distance_of_characters(scratch)) + cost;
        rows[2 * r + 1] = static_cast<double>(scratch.characters.size());
    }
}

}  // namespace textgauge
