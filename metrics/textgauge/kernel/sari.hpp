// SARI: what a rewritten text keeps, deletes and adds (Xu et al. 2016), in the versions of four tools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Whose shares of a segment; see `plain/sari.py`.
enum class SariRule { hub, xu, tensor2tensor, n };

inline constexpr std::size_t n_sari_shares = 12, n_sari_counts = 36;

struct SariScratch {
    // How often an n-gram is in the source, the hypothesis, all references; how many references have it.
    struct Counts {
        std::uint32_t source, hypothesis, references, n_references, last;
    };
    std::vector<std::vector<std::uint32_t>> ngrams;  // by text, of the order
    std::vector<Counts> counts;                      // by n-gram, those of the source first
    PairTable table;
};

// Keep, deletion and addition of the orders 1 to 4, shape (12,), of a segment: hypothesis, source, references.
void sari_shares(const Tokens& tokens, std::size_t segment, SariRule rule, std::span<double> shares,
                 SariScratch& scratch, Stop& stop);

// For each of the three the right n-grams, the hypothesis's, the references', of the orders 1 to 4: shape (36,).
void sari_counts(const Tokens& tokens, std::size_t segment, std::span<std::int64_t> counts, SariScratch& scratch,
                 Stop& stop);

}  // namespace textgauge
