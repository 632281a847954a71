// Longest common subsequences, many cells of the table in one word (Hyyro 2004, figure 1).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "guards.hpp"
#include "ngrams.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// The places of tokens in a text of any length, as rows of bits.
//
// All tokens of a text that is not long have a row; of a longer one only those that stand at more
// places than a row has words: at most 64, so that memory stays linear. Of the others the places
// are listed, and `row` writes them into one row when asked.
class Places {
public:
    // `n_ids` is above all ids that will be asked for. The text must stay while it is open.
    [[nodiscard]] Opened<Places> open(Ids text, std::size_t n_ids);

    std::size_t n_words() const { return n_words_; }
    bool has(std::uint32_t id) const { return row_of_[id] != 0; }
    // Shape (n_words,); zeros for a token that the text does not have. It holds until the next call.
    const std::uint64_t* row(std::uint32_t id) {
        const auto row = row_of_[id];
        return row < first_listed_ ? &rows_[row * n_words_] : listed(row);
    }
    // Sets the places of a token in `bits`, shape (n_words,).
    void add_to(std::span<std::uint64_t> bits, std::uint32_t id) const;

private:
    friend Close;

    void close();
    void list(Ids text);
    const std::uint64_t* listed(std::uint32_t row);
    std::span<const std::uint32_t> places(std::uint32_t row) const {
        const auto kind = row - first_listed_;
        return std::span(places_).subspan(opens_[kind], opens_[kind + 1] - opens_[kind]);
    }

    Ids text_;
    std::size_t n_words_ = 0;
    std::vector<std::uint32_t> row_of_;      // by id; 0 for tokens that the text does not have
    std::vector<std::uint64_t> rows_;        // row 0 holds zeros
    std::uint32_t first_listed_ = 0;         // the rows from here on are lists of places
    std::vector<std::size_t> opens_;         // shape (n_listed + 1,), into places_
    std::vector<std::uint32_t> places_;
    std::vector<std::uint64_t> written_;     // shape (n_words,)
    std::span<const std::uint32_t> in_written_;
};

// After one more token: a bit is 0 where the LCS of the texts so far grows by the token of that bit.
inline void lcs_step(const std::uint64_t* before, const std::uint64_t* matches, std::uint64_t* after,
                     std::size_t n_words, bool carry = false) {
    for (std::size_t w = 0; w < n_words; ++w) {
        const auto state = before[w], matched = state & matches[w];
        const auto sum = state + matched, grown = sum + carry;
        carry = (sum < state) | (grown < sum);
        after[w] = grown | (state ^ matched);
    }
}

struct LcsScratch {
    NgramScratch ngrams;
    Places places;
    std::vector<std::uint32_t> common;        // places of the tokens that both texts have
    std::vector<std::uint64_t> rows;          // of a strip: zeros while there is none
    std::vector<std::uint8_t> carries;
    std::vector<std::uint64_t> states, kept;  // rows of bits
};

// The length of the LCS of two texts, and their n-gram matches of every order up to ngrams.size(), zeros
// before: the tokens that both have are found once. `n_ids` is above all ids of both.
std::int64_t lcs_and_ngrams(Ids hypothesis, Ids reference, std::size_t n_ids, bool wants_lcs,
                            std::span<std::int64_t> ngrams, LcsScratch& scratch, Stop& stop);

// The tokens that several texts of a group have, for the LCS of any two of them.
class LcsIndex {
public:
    // The tokens are all of one segment.
    explicit LcsIndex(const Tokens& tokens);

    std::size_t n_texts() const { return opens_.size() - 1; }
    // The lengths of the LCS of a text with those from `first` on, which may include itself.
    void lengths(std::size_t row, std::size_t first, std::span<std::int32_t> lengths, LcsScratch& scratch,
                 Stop& stop) const;

private:
    std::span<const SharedNgrams::Start> text(std::size_t t) const {
        return std::span(starts_).subspan(opens_[t], opens_[t + 1] - opens_[t]);
    }

    std::size_t n_kinds_ = 0;
    std::vector<std::int32_t> lengths_;        // of whole texts
    std::vector<std::size_t> opens_{0};        // shape (n_texts + 1,), into starts_
    std::vector<SharedNgrams::Start> starts_;  // tokens, whose numbers are of those that two texts have
};

// One LCS of two texts as `rouge_score` finds it, as pairs of places from the first to the last.
std::vector<std::int64_t> lcs_path(Ids hypothesis, Ids reference, std::size_t n_ids, LcsScratch& scratch, Stop& stop);

// What a walk back through the table of two texts needs.
//
// `places` is open on the reference, and `common` lists the places of the hypothesis's tokens that
// the reference has: no other token changes a state.
struct LcsWalk {
    Ids hypothesis;
    std::span<const std::uint32_t> common;
    Places& places;
    std::vector<std::uint64_t>& states;  // scratch
    std::vector<std::uint64_t>& kept;    // scratch

    std::uint32_t token(std::size_t k) const { return hypothesis[common[k]]; }
    // Whether the hypothesis goes on with a token that the reference does not have.
    bool has_gap(std::size_t k) const {
        return common[k] + 1 != (k + 1 < common.size() ? common[k + 1] : hypothesis.size());
    }
    // How many states are held at once: all of them, or, of long texts, about the square root of
    // their number, and as many from which the others can be made a second time.
    std::size_t stride() const;
    // Keeps the state before every stride-th token in `kept`.
    void keep_states(std::size_t stride, Stop& stop);
    // Fills row k of `states` with the state after token first + k, up to `last`.
    void fill_states(const std::uint64_t* before, std::size_t first, std::size_t last, Stop& stop);

    // Goes through one LCS from its last token to its first: calls visit(hypothesis place, reference
    // place, whether both are a match of the LCS) at each stop.
    //
    // The tie-breaking is that of `rouge_score` (`rouge_scorer._backtrack_norec`): from the end of
    // both texts a match is taken; else the hypothesis's token is dropped where the LCS has grown
    // at this reference token, else the reference's.
    template <class Visit>
    void back(Visit visit, Stop& stop) {
        const auto n_words = places.n_words(), n = common.size(), stride = this->stride();
        keep_states(stride, stop);
        auto last = static_cast<std::int64_t>(word_bits * n_words) - 1;
        for (auto block = kept.size() / n_words; block-- > 0 && !stop.asked(stride);) {
            const auto first = block * stride;
            fill_states(&kept[block * n_words], first, std::min(first + stride, n), stop);
            for (auto k = std::min(first + stride, n); k-- > first;) {
                const auto* matches = places.row(token(k));
                last = next_stop(&states[(k - first) * n_words], matches, has_gap(k), last);
                if (last < 0) return;
                const bool is_match = (matches[last / word_bits] & bit_of(last)) != 0;
                visit(common[k], static_cast<std::size_t>(last), is_match);
                last -= is_match;
                if (last < 0) return;
            }
        }
    }

private:
    // The highest bit up to `last` where the LCS has grown or, behind no gap, a match is; or -1.
    static std::int64_t next_stop(const std::uint64_t* state, const std::uint64_t* matches, bool has_gap,
                                  std::int64_t last) {
        auto w = last / word_bits;
        const auto stops = [&] { return ~state[w] | (has_gap ? 0 : matches[w]); };
        auto word = stops() & ~std::uint64_t{0} >> (word_bits - 1 - last % word_bits);
        while (word == 0) {
            if (w-- == 0) return -1;
            word = stops();
        }
        return word_bits * w + std::bit_width(word) - 1;
    }
};

}  // namespace textgauge
