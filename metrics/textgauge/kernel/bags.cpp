#include "bags.hpp"

#include <algorithm>

#include "guards.hpp"

namespace textgauge {

namespace {

// Each kind of token of a text once.
Ids kinds_of(Ids text, std::size_t n_ids, std::vector<std::uint32_t>& cells, std::vector<std::uint32_t>& kinds) {
    Cells seen(cells, text, n_ids);
    kinds.clear();
    for (const auto id : text)
        if (seen[id]++ == 0) kinds.push_back(id);
    return kinds;
}

}  // namespace

void bag_matches(const Tokens& tokens, std::size_t segment, bool as_sets, std::span<std::int64_t> counts,
                 BagScratch& scratch, Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_ids = tokens.n_tokens(segment);
    const auto hypothesis = tokens.text(first);
    const auto of_hypothesis = as_sets
        ? kinds_of(hypothesis, n_ids, scratch.left, scratch.hypothesis_kinds) : hypothesis;
    for (std::size_t r = 0; 4 * r < counts.size() && !stop.asked(hypothesis.size()); ++r) {
        const auto reference = tokens.text(first + 1 + r);
        const auto of_reference = as_sets
            ? kinds_of(reference, n_ids, scratch.left, scratch.reference_kinds) : reference;
        Cells left(scratch.left, of_reference, n_ids);
        std::int64_t n_matches = 0;
        for (const auto id : of_reference) ++left[id];
        for (const auto id : of_hypothesis) {
            const bool is_match = left[id] != 0;
            left[id] -= is_match;
            n_matches += is_match;
        }
        auto* const row = &counts[4 * r];
        row[0] = n_matches;
        row[1] = static_cast<std::int64_t>(of_hypothesis.size());
        row[2] = static_cast<std::int64_t>(of_reference.size());
        row[3] = std::ranges::equal(hypothesis, reference);
    }
}

}  // namespace textgauge
