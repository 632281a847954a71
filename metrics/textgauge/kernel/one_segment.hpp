// One hypothesis and its references by themselves: counted without columns and arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "pairs.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// What counting one segment after the other needs; the stems that it remembers are those of one cutter.
struct OneScratch {
    CutScratch cut;
    Tokens tokens;
    PairScratch pairs;
};

// Lends its scratch to one caller at a time; whoever comes meanwhile, or with long texts, makes one.
class OneSegment {
public:
    // The cutter must stay.
    explicit OneSegment(const Cutter& cutter) : cutter_(cutter) {}

    // Texts of fewer bytes together are counted at once, without a look for signals.
    static constexpr std::size_t n_few_bytes = std::size_t{1} << 14;

    // `pair_counts` of one segment: the hypothesis, then its references. Shape (n_references, n_units, 3).
    std::vector<std::int64_t> pair_counts(std::span<const std::string_view> texts, std::span<const std::int32_t> units);
    // `ngram_matches` of one segment, shape (max_order,), then the tokens of every text, shape (n_texts,).
    std::vector<std::int64_t> ngram_matches(std::span<const std::string_view> texts, std::size_t max_order);

private:
    template <class Work>
    void with_scratch(std::span<const std::string_view> texts, Work work);
    void cut(std::span<const std::string_view> texts, bool has_sentences, OneScratch& scratch) const;

    const Cutter& cutter_;
    OneScratch scratch_;
    std::mutex mutex_;
};

std::size_t n_bytes_of(std::span<const std::string_view> texts);

}  // namespace textgauge
