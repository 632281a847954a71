#include "bags.hpp"

#include <algorithm>

namespace textgauge {

namespace {

// The tokens of a text, or its kinds of tokens; `counts` keeps how often it has each.
std::int64_t count(Ids text, bool as_sets, std::vector<std::uint32_t>& counts) {
    std::int64_t n = 0;
    for (const auto id : text) {
        if (as_sets && counts[id] > 0) continue;
        ++counts[id];
        ++n;
    }
    return n;
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
    for (std::size_t r = 0; 4 * r < counts.size(); ++r) {
        const auto reference = tokens.text(first + 1 + r);
        const auto n_reference = count(reference, as_sets, left);
        std::int64_t n_matches = 0;
        for (const auto id : hypothesis) {
            if (left[id] == 0) continue;
            --left[id];
            ++n_matches;
        }
        clear(reference, left);
        const auto n_hypothesis = count(hypothesis, as_sets, left);
        clear(hypothesis, left);
        const bool are_equal = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end());
        const std::int64_t row[] = {n_matches, n_hypothesis, n_reference, are_equal};
        std::copy_n(row, 4, &counts[4 * r]);
        if (stop.asked(hypothesis.size() + reference.size())) return;
    }
}

}  // namespace textgauge
