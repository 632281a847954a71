#include "skip_bigrams.hpp"

#include <algorithm>

#include "guards.hpp"

namespace textgauge {

namespace {

// Numbers the kinds of tokens that both texts have; others get `none`. Returns how many there are.
std::size_t number_kinds(Ids hypothesis, Ids reference, std::size_t n_ids, SkipBigramScratch& scratch) {
    auto& kind_of = scratch.kind_of;
    Cells seen(scratch.seen, reference, n_ids);
    if (kind_of.size() < n_ids) kind_of.resize(n_ids);
    for (const auto id : reference) {
        seen[id] = 1;
        kind_of[id] = SharedKinds::none;
    }
    std::uint32_t n_kinds = 0;
    for (const auto id : hypothesis) {
        if (seen[id] == 0) kind_of[id] = SharedKinds::none;
        if (seen[id] == 1) {
            seen[id] = 2;
            kind_of[id] = n_kinds++;
        }
    }
    return n_kinds;
}

std::int64_t pair_matches(Ids hypothesis, Ids reference, std::uint32_t gap, std::size_t n_ids,
                          SkipBigramScratch& scratch, Stop& stop) {
    const auto n_kinds = number_kinds(hypothesis, reference, n_ids, scratch);
    scratch.hypothesis.open(hypothesis, scratch.kind_of, n_kinds);
    scratch.reference.open(reference, scratch.kind_of, n_kinds);
    if (scratch.counts.size() < n_kinds) scratch.counts.resize(n_kinds);
    auto& counts = scratch.counts;
    std::uint64_t matches = 0;
    for (std::size_t left = 0; left < n_kinds; ++left) {
        std::size_t n_steps = 1;
        scratch.hypothesis.for_each_right(left, gap, [&](std::uint32_t right, std::uint64_t n) {
            counts[right] += n;
            ++n_steps;
        });
        scratch.reference.for_each_right(left, gap, [&](std::uint32_t right, std::uint64_t n) {
            const auto taken = std::min(counts[right], n);
            counts[right] -= taken;
            matches += taken;
            ++n_steps;
        });
        scratch.hypothesis.for_each_right(left, gap, [&](std::uint32_t right, std::uint64_t) { counts[right] = 0; });
        if (stop.asked(n_steps)) break;
    }
    return static_cast<std::int64_t>(matches);
}

}  // namespace

void SharedKinds::open(Ids text, std::span<const std::uint32_t> kind_of, std::size_t n_kinds) {
    kinds_.clear();
    places_.clear();
    opens_.assign(n_kinds + 1, 0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto kind = kind_of[text[i]];
        if (kind == none) continue;
        kinds_.push_back(kind);
        places_.push_back(static_cast<std::uint32_t>(i));
        ++opens_[kind];
    }
    // Ends first; filling from the last token on turns them into beginnings.
    for (std::size_t kind = 1; kind <= n_kinds; ++kind) opens_[kind] += opens_[kind - 1];
    of_kind_.resize(kinds_.size());
    for (auto i = kinds_.size(); i-- > 0;) of_kind_[--opens_[kinds_[i]]] = static_cast<std::uint32_t>(i);
}

void skip_bigram_matches(const Tokens& tokens, std::size_t segment, std::int64_t gap, std::span<std::int64_t> matches,
                         SkipBigramScratch& scratch, Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto widest = static_cast<std::int64_t>(SharedKinds::none);
    const auto allowed = static_cast<std::uint32_t>(gap < 0 ? widest : std::min(gap, widest));
    for (std::size_t r = 0; r < matches.size() && !stop.asked(1); ++r)
        matches[r] = pair_matches(tokens.text(first), tokens.text(first + 1 + r), allowed, tokens.n_tokens(segment),
                                  scratch, stop);
}

}  // namespace textgauge
