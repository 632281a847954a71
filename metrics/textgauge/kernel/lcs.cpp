#include "lcs.hpp"

#include <array>
#include <cmath>

namespace textgauge {

namespace {

using Starts = std::span<const SharedNgrams::Start>;

// Words of rows up to which every token of a text gets one, and words of states that are held at once.
constexpr std::size_t most_row_words = std::size_t{1} << 15;
constexpr std::size_t most_state_words = std::size_t{1} << 19;
// The state of so many words stays in registers.
constexpr std::size_t strip_words = 8;

// The LCS of a strip of one text with another text: returns how many tokens of the strip it grows
// by. `rows`, shape (n_kinds, n_words), has the places of kinds of tokens in the strip; `carries`
// has what each token of the other text takes over from the strips before, and gets what it hands on.
template <std::size_t n_words>
std::int64_t strip_length(const std::uint64_t* rows, Starts other, std::uint8_t* carries, Stop& stop) {
    std::array<std::uint64_t, n_words> state;
    state.fill(~std::uint64_t{0});
    for (std::size_t j = 0; j < other.size(); ++j) {
        const auto* matches = rows + other[j].ngram * n_words;
        std::uint64_t carry = carries[j];
        for (std::size_t w = 0; w < n_words; ++w) {
            const auto matched = state[w] & matches[w];
            const auto sum = state[w] + matched, grown = sum + carry;
            carry = (sum < matched) | (grown < sum);
            state[w] = grown | (state[w] ^ matched);
        }
        carries[j] = static_cast<std::uint8_t>(carry);
        if ((j & 4095) == 0 && stop.asked(4096 * n_words)) return 0;
    }
    std::int64_t length = 0;
    for (const auto word : state) length += std::popcount(~word);
    return length;
}

using StripLength = std::int64_t (*)(const std::uint64_t*, Starts, std::uint8_t*, Stop&);
constexpr std::array<StripLength, strip_words> strip_lengths{
    strip_length<1>, strip_length<2>, strip_length<3>, strip_length<4>,
    strip_length<5>, strip_length<6>, strip_length<7>, strip_length<8>,
};

// The places of a part of a text, by kind of token: rows of bits, shape (n_kinds, n_words), of a table that has
// zeros before and after.
class Strip {
public:
    static constexpr std::size_t most_tokens = strip_words * word_bits;

    // The strip of `text` from `first` on.
    Strip(Starts text, std::size_t first, std::size_t n_kinds, std::vector<std::uint64_t>& rows)
        : strip_(text.subspan(first, std::min(most_tokens, text.size() - first))), n_words_(words_of(strip_.size())), rows_(rows) {
        if (rows.size() < n_kinds * n_words_) rows.resize(n_kinds * n_words_);
        for (std::size_t i = 0; i < strip_.size(); ++i) word(i) |= bit_of(i);
    }
    ~Strip() {
        for (std::size_t i = 0; i < strip_.size(); ++i) word(i) = 0;
    }
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;

    const std::uint64_t* rows() const { return rows_.data(); }
    std::int64_t length(Starts other, std::uint8_t* carries, Stop& stop) const {
        return strip_lengths[n_words_ - 1](rows(), other, carries, stop);
    }

private:
    std::uint64_t& word(std::size_t i) { return rows_[strip_[i].ngram * n_words_ + i / word_bits]; }

    Starts strip_;
    std::size_t n_words_;
    std::vector<std::uint64_t>& rows_;
};

// Of a text of at most 64 tokens with another one, from what `Masks::places` gives.
std::int64_t short_lcs_length(std::span<const std::uint64_t> matched) {
    auto state = ~std::uint64_t{0};
    for (const auto places : matched) {
        const auto grown = state & places;
        state = (state + grown) | (state ^ grown);
    }
    return std::popcount(~state);
}

// Of a text of at most 64 tokens, whose places `rows` has by kind, with another one.
std::int32_t short_length(const std::uint64_t* rows, Starts other) {
    auto state = ~std::uint64_t{0};
    for (const auto start : other) {
        const auto grown = state & rows[start.ngram];
        state = (state + grown) | (state ^ grown);
    }
    return std::popcount(~state);
}

// Of two texts of any length, from where they have the tokens that both have: only these can be on
// a common subsequence. Memory grows with the texts, not with their product.
std::int64_t shared_lcs_length(const SharedNgrams& shared, LcsScratch& scratch, Stop& stop) {
    auto bits = shared.starts(0), other = shared.starts(1);
    const auto n_kinds = shared.n_ngrams();
    if (words_of(bits.size()) * other.size() > words_of(other.size()) * bits.size()) std::swap(bits, other);
    scratch.carries.assign(other.size(), 0);
    std::int64_t length = 0;
    for (std::size_t first = 0; first < bits.size() && !stop.asked(1); first += Strip::most_tokens)
        length += Strip(bits, first, n_kinds, scratch.rows).length(other, scratch.carries.data(), stop);
    return length;
}

}  // namespace

Opened<Places> Places::open(Ids text, std::size_t n_ids) {
    text_ = text;
    n_words_ = words_of(text.size());
    if (row_of_.size() < n_ids) row_of_.resize(n_ids);
    Opened<Places> opened(this);
    if ((text.size() + 1) * n_words_ > most_row_words) {
        list(text);
        return opened;
    }
    std::uint32_t n_rows = 1;
    for (const auto id : text)
        if (row_of_[id] == 0) row_of_[id] = n_rows++;
    rows_.assign(n_rows * n_words_, 0);
    for (std::size_t i = 0; i < text.size(); ++i) rows_[row_of_[text[i]] * n_words_ + i / word_bits] |= bit_of(i);
    first_listed_ = n_rows;
    return opened;
}

// Gives rows to the tokens at more places than a row has words, and lists to the others.
void Places::list(Ids text) {
    std::vector<std::uint32_t> kinds;
    std::vector<std::size_t> counts;
    for (const auto id : text) {
        if (row_of_[id] == 0) {
            kinds.push_back(id);
            counts.push_back(0);
            row_of_[id] = static_cast<std::uint32_t>(kinds.size());
        }
        ++counts[row_of_[id] - 1];
    }
    const auto has_row = [&](std::size_t count) { return count > n_words_; };
    first_listed_ = 1 + static_cast<std::uint32_t>(std::count_if(counts.begin(), counts.end(), has_row));
    rows_.assign(first_listed_ * n_words_, 0);
    written_.assign(n_words_, 0);
    in_written_ = {};
    opens_.assign(1, 0);
    std::uint32_t n_rows = 1;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (has_row(counts[kind])) {
            row_of_[kinds[kind]] = n_rows++;
        } else {
            row_of_[kinds[kind]] = first_listed_ + static_cast<std::uint32_t>(opens_.size()) - 1;
            opens_.push_back(opens_.back() + counts[kind]);
        }
    }
    places_.resize(opens_.back());
    auto ends = opens_;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto row = row_of_[text[i]];
        if (row < first_listed_)
            rows_[row * n_words_ + i / word_bits] |= bit_of(i);
        else
            places_[ends[row - first_listed_]++] = static_cast<std::uint32_t>(i);
    }
}

const std::uint64_t* Places::listed(std::uint32_t row) {
    for (const auto place : in_written_) written_[place / word_bits] = 0;
    in_written_ = places(row);
    for (const auto place : in_written_) written_[place / word_bits] |= bit_of(place);
    return written_.data();
}

void Places::close() {
    for (const auto id : text_) row_of_[id] = 0;
}

void Places::add_to(std::span<std::uint64_t> bits, std::uint32_t id) const {
    const auto row = row_of_[id];
    if (row >= first_listed_) {
        for (const auto place : places(row)) bits[place / word_bits] |= bit_of(place);
        return;
    }
    for (std::size_t w = 0; w < n_words_; ++w) bits[w] |= rows_[row * n_words_ + w];
}

std::size_t LcsWalk::stride() const {
    const auto n = common.size();
    if (n * places.n_words() <= most_state_words) return std::max<std::size_t>(n, 1);
    return static_cast<std::size_t>(std::sqrt(static_cast<double>(n))) + 1;
}

void LcsWalk::keep_states(std::size_t stride, Stop& stop) {
    const auto n_words = places.n_words();
    kept.assign(n_words, ~std::uint64_t{0});
    if (stride >= common.size()) return;
    std::vector<std::uint64_t> state = kept;
    for (std::size_t k = 0; k < common.size() && !stop.asked(n_words); ++k) {
        if (k > 0 && k % stride == 0) kept.insert(kept.end(), state.begin(), state.end());
        lcs_step(state.data(), places.row(token(k)), state.data(), n_words);
    }
}

void LcsWalk::fill_states(const std::uint64_t* before, std::size_t first, std::size_t last, Stop& stop) {
    const auto n_words = places.n_words();
    if (states.size() < (last - first) * n_words) states.resize((last - first) * n_words);
    auto* after = states.data();
    for (auto k = first; k < last && !stop.asked(n_words); ++k) {
        lcs_step(before, places.row(token(k)), after, n_words);
        before = after;
        after += n_words;
    }
}

std::int64_t lcs_and_ngrams(Ids hypothesis, Ids reference, std::size_t n_ids, bool wants_lcs,
                            std::span<std::int64_t> ngrams, LcsScratch& scratch, Stop& stop) {
    auto& shared = scratch.ngrams.shared;
    std::int64_t length = 0;
    // Of two texts it does not matter which one has the bits.
    auto bits = hypothesis, other = reference;
    if (bits.size() > word_bits) std::swap(bits, other);
    if (bits.size() <= word_bits) {
        const auto places = scratch.ngrams.masks.places(bits, other, n_ids);
        if (wants_lcs) length = short_lcs_length(places);
        if (!ngrams.empty()) short_ngram_matches(places, ngrams, scratch.ngrams);
        return length;
    }
    const Ids both[] = {hypothesis, reference};
    shared.open(both, n_ids);
    if (wants_lcs) length = shared_lcs_length(shared, scratch, stop);
    if (!ngrams.empty()) shared_ngram_matches(shared, ngrams, stop);
    return length;
}

LcsIndex::LcsIndex(const Tokens& tokens) {
    constexpr auto none = PairTable::none, several = PairTable::none - 1;
    // Ids are below the number of tokens.
    std::vector<std::uint32_t> owner_of(tokens.n_tokens(0), none);
    for (std::size_t t = 0; t < tokens.n_texts(); ++t)
        for (const auto id : tokens.text(t)) {
            auto& owner = owner_of[id];
            owner = owner == none || owner == t ? static_cast<std::uint32_t>(t) : several;
        }
    std::vector<std::uint32_t> number_of(owner_of.size(), none);
    for (std::size_t t = 0; t < tokens.n_texts(); ++t) {
        const auto ids = tokens.text(t);
        lengths_.push_back(static_cast<std::int32_t>(ids.size()));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (owner_of[ids[i]] != several) continue;
            auto& number = number_of[ids[i]];
            if (number == none) number = static_cast<std::uint32_t>(n_kinds_++);
            starts_.push_back({static_cast<std::uint32_t>(i), number});
        }
        opens_.push_back(starts_.size());
    }
}

void LcsIndex::lengths(std::size_t row, std::size_t first, std::span<std::int32_t> lengths, LcsScratch& scratch,
                       Stop& stop) const {
    const auto bits = text(row);
    scratch.carries.assign(opens_[first + lengths.size()] - opens_[first], 0);
    std::fill(lengths.begin(), lengths.end(), 0);
    for (std::size_t open = 0; open < bits.size(); open += Strip::most_tokens) {
        const Strip strip(bits, open, n_kinds_, scratch.rows);
        for (std::size_t j = 0; j < lengths.size() && !stop.asked(16); ++j) {
            if (bits.size() <= word_bits) {
                lengths[j] = short_length(strip.rows(), text(first + j));
                continue;
            }
            auto* const carries = scratch.carries.data() + opens_[first + j] - opens_[first];
            lengths[j] += static_cast<std::int32_t>(strip.length(text(first + j), carries, stop));
        }
    }
    if (row >= first && row - first < lengths.size()) lengths[row - first] = lengths_[row];
}

std::vector<std::int64_t> lcs_path(Ids hypothesis, Ids reference, std::size_t n_ids, LcsScratch& scratch,
                                   Stop& stop) {
    if (reference.empty()) return {};
    auto& common = scratch.common;
    common.clear();
    const auto opened = scratch.places.open(reference, n_ids);
    for (std::size_t j = 0; j < hypothesis.size(); ++j)
        if (scratch.places.has(hypothesis[j])) common.push_back(static_cast<std::uint32_t>(j));
    LcsWalk walk{hypothesis, common, scratch.places, scratch.states, scratch.kept};
    std::vector<std::int64_t> path;
    const auto add = [&](std::int64_t j, std::size_t i, bool is_match) {
        if (is_match) path.insert(path.end(), {static_cast<std::int64_t>(i), j});
    };
    walk.back(add, stop);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace textgauge
