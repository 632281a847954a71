#include "sari.hpp"

#include <algorithm>

namespace textgauge {
namespace {

constexpr std::size_t n_orders = 4;
using Counts = SariScratch::Counts;

// Calls visit(order, n) for every order, from 0 on, with all its n-grams in `scratch.counts` and n references that
// have any. A text without tokens has one of its own if `fills`.
template <class Visit>
void each_order(const Tokens& tokens, std::size_t segment, bool fills, SariScratch& scratch, Stop& stop,
                Visit visit) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_texts = static_cast<std::size_t>(tokens.segments[segment + 1]) - first;
    // The source is numbered first, so that sums go along its n-grams as they come.
    const auto text_of = [&](std::size_t t) { return tokens.text(first + (t < 2 ? 1 - t : t)); };
    const auto n_ids = tokens.n_tokens(segment) + 1;
    auto& ngrams = scratch.ngrams;
    ngrams.resize(std::max(ngrams.size(), n_texts));
    std::size_t n_all = 0, n_kinds = n_ids;
    for (std::size_t t = 0; t < n_texts; ++t) {
        const auto text = text_of(t);
        ngrams[t].assign(text.begin(), text.end());
        if (fills && text.empty()) ngrams[t].push_back(static_cast<std::uint32_t>(n_ids - 1));
        n_all += ngrams[t].size();
    }
    for (std::size_t order = 0; order < n_orders && !stop.asked(8 * n_all + 8); ++order) {
        scratch.counts.clear();
        scratch.table.open(n_kinds, order == 0 ? 1 : n_ids, n_all);
        std::size_t n_references = 0;
        for (std::size_t t = 0; t < n_texts; ++t) {
            auto& own = ngrams[t];
            const auto text = text_of(t);
            if (order > 0 && !own.empty()) own.pop_back();
            for (std::size_t k = 0; k < own.size(); ++k) {
                own[k] = scratch.table.insert(own[k], order == 0 ? 0 : text[k + order]);
                if (own[k] == scratch.counts.size()) scratch.counts.push_back({});
                auto& counts = scratch.counts[own[k]];
                counts.source += t == 0;
                counts.hypothesis += t == 1;
                if (t < 2) continue;
                ++counts.references;
                counts.n_references += counts.last != t;
                counts.last = static_cast<std::uint32_t>(t);
            }
            n_references += t >= 2 && !own.empty();
        }
        n_kinds = scratch.counts.size() + 1;
        visit(order, n_references);
    }
}

std::size_t n_references_of(const Tokens& tokens, std::size_t segment) {
    return static_cast<std::size_t>(tokens.segments[segment + 1] - tokens.segments[segment]) - 2;
}

double f1(double precision, double recall) {
    return precision > 0 || recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

// What an n-gram adds to the counts; those of source and hypothesis are taken once for every reference.
struct NgramKind {
    std::uint64_t kept, wanted, kept_rightly, gone, unwanted, gone_rightly;
    bool is_added, is_new;

    NgramKind(const Counts& c, std::size_t n_references) {
        const auto source = c.source * n_references, hypothesis = c.hypothesis * n_references;
        const std::uint64_t references = c.references;
        const auto beyond = [](std::uint64_t n, std::uint64_t less) { return n > less ? n - less : 0; };
        kept = std::min(source, hypothesis);
        wanted = std::min(source, references);
        kept_rightly = std::min(kept, references);
        gone = source - kept;
        unwanted = source - wanted;
        gone_rightly = beyond(gone, references);
        is_added = c.source == 0 && c.hypothesis > 0;
        is_new = c.source == 0 && c.references > 0;
    }
};

struct SariShares {
    double keep, remove, add;
};

SariShares shares_of(std::span<const Counts> counts, std::size_t n_references, SariRule rule) {
    double kept = 0, wanted = 0, gone = 0;
    std::uint64_t n_kept = 0, n_wanted = 0, n_gone = 0, n_added = 0, n_new = 0, added_rightly = 0;
    std::uint64_t kept_rightly = 0, all_wanted = 0;
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return static_cast<double>(part) / static_cast<double>(whole);
    };
    for (const auto& c : counts) {
        const NgramKind kind(c, n_references);
        n_kept += kind.kept > 0;
        n_wanted += kind.wanted > 0;
        n_gone += kind.gone > 0;
        kept_rightly += kind.kept_rightly;
        all_wanted += kind.wanted;
        if (kind.kept_rightly > 0) {
            kept += share(kind.kept_rightly, kind.kept);
            wanted += share(kind.kept_rightly, kind.wanted);
        }
        if (kind.gone_rightly > 0) gone += share(kind.gone_rightly, kind.gone);
        n_added += kind.is_added;
        n_new += kind.is_new;
        added_rightly += kind.is_added && kind.is_new;
    }
    const auto of_nothing = rule == SariRule::hub ? 1.0 : 0.0;
    const auto mean = [of_nothing](double sum, std::uint64_t n) {
        return n > 0 ? sum / static_cast<double>(n) : of_nothing;
    };
    const auto recall = rule == SariRule::hub ? mean(static_cast<double>(kept_rightly), all_wanted)
                                              : mean(wanted, n_wanted);
    const auto right = static_cast<double>(added_rightly);
    return {f1(mean(kept, n_kept), recall), mean(gone, n_gone), f1(mean(right, n_added), mean(right, n_new))};
}

// Every n-gram once per text; `n_references` of them have any of this order.
SariShares shares_of_sets(std::span<const Counts> counts, std::size_t n_references) {
    const std::uint64_t n = std::max(n_references, std::size_t{1});
    std::uint64_t n_kept = 0, n_gone = 0, n_added = 0, n_new = 0, added_rightly = 0;
    std::uint64_t kept_rightly = 0, wanted = 0, gone_rightly = 0;
    for (const auto& c : counts) {
        const bool in_source = c.source > 0, in_hypothesis = c.hypothesis > 0;
        if (in_source) wanted += c.n_references;
        if (in_source && in_hypothesis) ++n_kept, kept_rightly += c.n_references;
        if (in_source && !in_hypothesis) ++n_gone, gone_rightly += n - c.n_references;
        n_added += in_hypothesis && !in_source;
        n_new += c.n_references > 0 && !in_source;
        added_rightly += in_hypothesis && !in_source && c.n_references > 0;
    }
    const auto part = [n](std::uint64_t sum) { return static_cast<double>(sum) / static_cast<double>(n); };
    const auto share = [](double sum, std::uint64_t of) { return of > 0 ? sum / static_cast<double>(of) : 1.0; };
    const auto recall = wanted > 0 ? part(kept_rightly) / part(wanted) : 1.0;
    const auto right = static_cast<double>(added_rightly);
    return {f1(share(part(kept_rightly), n_kept), recall), share(part(gone_rightly), n_gone),
            f1(share(right, n_added), share(right, n_new))};
}

}  // namespace

void sari_shares(const Tokens& tokens, std::size_t segment, SariRule rule, std::span<double> shares,
                 SariScratch& scratch, Stop& stop) {
    const bool are_sets = rule == SariRule::tensor2tensor;
    each_order(tokens, segment, !are_sets, scratch, stop, [&](std::size_t order, std::size_t n_with_any) {
        const auto found = are_sets ? shares_of_sets(scratch.counts, n_with_any)
                                    : shares_of(scratch.counts, n_references_of(tokens, segment), rule);
        shares[order] = found.keep;
        shares[n_orders + order] = found.remove;
        shares[2 * n_orders + order] = found.add;
    });
}

void sari_counts(const Tokens& tokens, std::size_t segment, std::span<std::int64_t> counts, SariScratch& scratch,
                 Stop& stop) {
    each_order(tokens, segment, false, scratch, stop, [&](std::size_t order, std::size_t) {
        for (const auto& c : scratch.counts) {
            const NgramKind kind(c, n_references_of(tokens, segment));
            const std::uint64_t by_part[] = {
                kind.kept_rightly, kind.kept, kind.wanted,
                std::min(kind.gone, kind.unwanted), kind.gone, kind.unwanted,
                kind.is_added && kind.is_new, kind.is_added, kind.is_new};
            for (std::size_t part = 0; part < 9; ++part)
                counts[n_orders * part + order] += static_cast<std::int64_t>(by_part[part]);
        }
    });
}

}  // namespace textgauge
