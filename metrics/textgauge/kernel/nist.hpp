// N-grams weighted by the information that they carry (Doddington 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cutter.hpp"
#include "ngrams.hpp"
#include "segments.hpp"
#include "texts.hpp"
#include "word_ids.hpp"

namespace textgauge {

struct NistScratch {
    CutScratch cut;
    std::vector<std::vector<std::uint32_t>> texts;   // words of each text of a segment
    std::vector<std::vector<std::uint32_t>> ngrams;  // of the order, those of the hypothesis first
    std::vector<std::uint32_t> counts, others, most; // by n-gram, zeros between uses; `most` of any one reference
    std::vector<std::uint32_t> firsts;               // n-grams of the hypothesis as they first occur
};

// How much information each n-gram of some reference texts carries; see `plain/nist.py`.
class NgramInformation {
public:
    // The cutter must stay.
    NgramInformation(const Cutter& cutter, const Texts& references, std::size_t max_order, Stop& stop);

    std::size_t max_order() const { return orders_.size(); }
    // Into shape (2 * max_order + 2,): information and n-grams of every order, then two lengths.
    void row(std::string_view hypothesis, std::span<const std::string_view> references, bool is_union,
             std::span<double> row, NistScratch& scratch, Stop& stop) const;

private:
    // The n-grams of an order, each with the number of its first n-1 tokens and its last one; of order 1 they are the
    // words themselves.
    struct Order {
        PairTable numbers;
        std::vector<double> bits;  // by number
    };
    static constexpr std::uint32_t none = PairTable::none;

    void cut(std::string_view text, std::vector<std::uint32_t>& words, CutScratch& scratch) const;
    // From n-grams of an order, which start at each word of a text, to those of the next.
    void advance(std::size_t order, std::span<const std::uint32_t> words, std::vector<std::uint32_t>& ngrams) const;
    double shared(std::size_t order, std::span<const std::uint32_t> others, const NistScratch& scratch) const;

    const Cutter& cutter_;
    KeptWords kept_;
    WordIds words_;
    std::vector<Order> orders_;
};

}  // namespace textgauge
