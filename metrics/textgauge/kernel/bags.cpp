#include "bags.hpp"

#include <algorithm>

namespace textgauge {

namespace {

// The tokens of a text, or its kinds of tokens; `counts` keeps how often it has each.
std::int64_t count(Ids text, bool as_sets, std::vector<std::uint32_t>& counts) {
    if (!as_sets) {
        for (const auto id : text) ++counts[id];
        return static_cast<std::int64_t>(text.size());
    }
    std::int64_t n_kinds = 0;
    for (const auto id : text) {
        n_kinds += counts[id] == 0;
        counts[id] = 1;
    }
    return n_kinds;
}

void clear(Ids text, std::vector<std::uint32_t>& counts) {
    for (const auto id : text) counts[id] = 0;
}

}  // namespace

void bag_matches(const Tokens& tokens, std::size_t segment, bool as_sets, std::span<std::int64_t> counts,
                 BagScratch& scratch, Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto hypothesis = tokens.text(first);
    auto& left = scratch.counts;
    if (left.size() < tokens.n_tokens(segment)) left.resize(tokens.n_tokens(segment));
    auto n_hypothesis = static_cast<std::int64_t>(hypothesis.size());
    if (as_sets) {
        n_hypothesis = count(hypothesis, as_sets, left);
        clear(hypothesis, left);
    }
    for (std::size_t r = 0; 4 * r < counts.size(); ++r) {
        const auto reference = tokens.text(first + 1 + r);
        const auto n_reference = count(reference, as_sets, left);
        std::int64_t n_matches = 0;
        for (const auto id : hypothesis) {
            // Without a branch: whether the next token matches is hard to guess.
            const auto is_match = std::uint32_t{left[id] != 0};
            left[id] -= is_match;
            n_matches += is_match;
        }
        clear(reference, left);
        const bool are_equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
        const std::int64_t row[] = {n_matches, n_hypothesis, n_reference, are_equal};
        std::copy_n(row, 4, &counts[4 * r]);
        if (stop.asked(hypothesis.size() + reference.size())) return;
    }
}

}  // namespace textgauge
