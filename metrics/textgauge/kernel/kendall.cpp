#include "kendall.hpp"

#include <algorithm>
#include <numeric>

namespace textgauge {
namespace {

// Sums of weights by rank (Fenwick 1994): the tree has a place more than ranks.
void add(std::span<std::int64_t> tree, std::size_t rank, std::int64_t weight) {
    for (auto at = rank + 1; at < tree.size(); at += at & (0 - at)) tree[at] += weight;
}

// The weight of all ranks below one.
std::int64_t below(std::span<const std::int64_t> tree, std::size_t rank) {
    std::int64_t sum = 0;
    for (auto at = rank; at > 0; at &= at - 1) sum += tree[at];
    return sum;
}

}  // namespace

Ranked ranked(std::span<const std::int64_t> first, std::span<const std::int64_t> second,
              std::span<const std::int64_t> segment_of, std::size_t n_segments) {
    std::vector<std::size_t> order(first.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return first[a] < first[b]; });
    Ranked found{{}, {}, {}, 0, n_segments};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto at = order[i];
        if (i == 0 || first[at] != first[order[i - 1]]) found.group_offsets.push_back(i);
        found.second.push_back(static_cast<std::uint32_t>(second[at]));
        found.segment_of.push_back(static_cast<std::uint32_t>(segment_of[at]));
        found.n_second = std::max(found.n_second, static_cast<std::size_t>(second[at]) + 1);
    }
    found.group_offsets.push_back(order.size());
    return found;
}

// Knight's order (1966): a pair is seen at its larger first rank, when the tree has all smaller ones.
void kendall_sums(const Ranked& ranked, std::span<const std::int64_t> weights, std::span<std::int64_t> sums,
                  KendallScratch& scratch, Stop& stop) {
    auto& tree = scratch.tree;
    tree.assign(ranked.n_second + 1, 0);
    scratch.weight_of.assign(ranked.n_second, 0);
    std::int64_t concordant = 0, total = 0, tied_first = 0, tied_second = 0;
    for (std::size_t group = 0; group + 1 < ranked.group_offsets.size(); ++group) {
        const auto begin = ranked.group_offsets[group], end = ranked.group_offsets[group + 1];
        if (stop.asked(16 * (end - begin))) return;
        for (auto i = begin; i < end; ++i) {
            const auto weight = weights[ranked.segment_of[i]];
            if (weight == 0) continue;
            const std::size_t rank = ranked.second[i];
            concordant += weight * (below(tree, rank) + below(tree, rank + 1) - total);
        }
        std::int64_t of_group = 0;
        for (auto i = begin; i < end; ++i) {
            const auto weight = weights[ranked.segment_of[i]];
            if (weight == 0) continue;
            add(tree, ranked.second[i], weight);
            scratch.weight_of[ranked.second[i]] += weight;
            of_group += weight;
        }
        total += of_group;
        tied_first += of_group * of_group;
    }
    for (const auto weight : scratch.weight_of) tied_second += weight * weight;
    sums[0] = concordant;
    sums[1] = (total * total - tied_first) / 2;
    sums[2] = (total * total - tied_second) / 2;
}

}  // namespace textgauge
