// Character n-grams: chrF (Popovic 2015) and chrF++ (Popovic 2017), counted as sacreBLEU's `chrf.py` does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "characters.hpp"
#include "ngrams.hpp"
#include "segments.hpp"
#include "texts.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// Characters with dense ids, in order of insertion: a table of pages, of which only those in use are there.
class CharacterIds {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::uint32_t id_of(std::uint32_t code) {
        auto& id = cell(code);
        if (id == none) {
            id = static_cast<std::uint32_t>(codes_.size());
            codes_.push_back(code);
        }
        return id;
    }
    // The id of a character, or the number of characters.
    std::uint32_t find(std::uint32_t code) const {
        const auto page = page_of_[code / page_size];
        const auto id = page == 0 ? none : cells_[(page - 1) * page_size + code % page_size];
        return id == none ? static_cast<std::uint32_t>(codes_.size()) : id;
    }
    std::size_t size() const { return codes_.size(); }
    void clear() {
        for (const auto code : codes_) cell(code) = none;
        codes_.clear();
    }

private:
    static constexpr std::uint32_t page_size = 256;

    std::uint32_t& cell(std::uint32_t code) {
        auto& page = page_of_[code / page_size];
        if (page == 0) {
            cells_.resize(cells_.size() + page_size, none);
            page = static_cast<std::uint16_t>(cells_.size() / page_size);
        }
        return cells_[(page - 1) * page_size + code % page_size];
    }

    std::array<std::uint16_t, n_code_points / page_size> page_of_{};  // its number in cells_ + 1
    std::vector<std::uint32_t> cells_;
    std::vector<std::uint32_t> codes_;
};

struct ChrfOptions {
    std::size_t char_order, word_order;
    bool whitespace;

    std::size_t n_orders() const { return char_order + word_order; }
};

struct ChrfScratch {
    CharacterIds characters;                              // of the hypothesis
    WordIds words;                                        // of the hypothesis
    std::vector<char> bytes;                              // copies of texts: words must have padding behind them
    IdVector hypothesis, hypothesis_words, reference, reference_words;
    SharedNgrams shared;
};

// All characters of texts as tokens of one segment, and their words; see `for_each_word`.
Tokens character_tokens(const Texts& texts, bool whitespace, Stop& stop);
Tokens word_tokens(const Texts& texts, Stop& stop);

// A hypothesis with each of its references, into shape (n_references, 3, char_order + word_order): the hypothesis's
// n-grams of every order of characters, then of words (0 if the reference has none), the reference's, the matches.
void character_matches(std::string_view hypothesis, std::span<const std::string_view> references,
                       const ChrfOptions& options, std::span<std::int64_t> counts, ChrfScratch& scratch, Stop& stop);

}  // namespace textgauge
