// CIDEr: n-grams weighted by how rare they are among the references of images (Vedantam, Zitnick and Parikh 2015).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "segments.hpp"
#include "texts.hpp"

namespace textgauge {

inline constexpr std::size_t cider_orders = 4;

// How many documents, all references of an image, have each n-gram of one to four words.
//
// An n-gram is numbered as the number of its first n - 1 words and of its last word: exact, without a hash as key.
class DocumentFrequencies {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    // Words are what stands between white space; document d has the texts offsets[d] to offsets[d + 1].
    void add(const Texts& texts, std::span<const std::int64_t> offsets);
    // An n-gram by its words, one space between two. `n` is in how many documents it is.
    void add_ngram(std::string_view words, std::uint64_t n);

    std::uint32_t word(std::string_view bytes) const;
    std::uint32_t ngram(std::size_t order, std::uint32_t before, std::uint32_t word) const;  // order from 0
    std::vector<std::string> ngrams() const;  // in the order of their numbers

    std::uint64_t n_documents = 0;
    std::vector<std::uint64_t> frequencies;  // by number of n-gram

private:
    std::uint32_t word_id(std::string_view bytes);
    std::uint32_t ngram_id(std::size_t order, std::uint32_t before, std::uint32_t word);

    std::deque<std::string> bytes_;  // of words
    std::unordered_map<std::string_view, std::uint32_t> words_;
    std::array<std::unordered_map<std::uint64_t, std::uint32_t>, cider_orders> ngrams_;
    std::vector<std::uint32_t> last_;             // by n-gram, the last document that had it, from 1
    std::vector<std::array<std::uint32_t, 3>> parts_;  // by n-gram: order, the n-gram before, the last word
};

enum class CiderVariant { d, plain, r };

// Scores of segments, from 0 to 10: the mean over references and orders of cosines, times ten.
//
// `repetition` has for CIDEr-R a number for each pair, and is empty else.
std::vector<double> cider_scores(const DocumentFrequencies& frequencies, const Texts& hypotheses,
                                 const Texts& references, std::span<const std::int64_t> offsets, CiderVariant variant,
                                 double sigma, std::span<const double> repetition, int n_threads);

}  // namespace textgauge
