// Edit distances of ordered trees with texts in their nodes (Zhang and Shasha 1989).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// Trees one after the other, each with its nodes in postorder.
struct Trees {
    std::vector<std::uint32_t> labels;
    // The first leaf below a node, or the node itself, counted from the first node of its tree.
    std::vector<std::uint32_t> left;
    // Which content a node has.
    std::vector<std::uint32_t> contents;
    std::vector<std::int64_t> offsets;
    // The tokens of all contents, one after the other, with ids below `n_ids`.
    std::vector<std::uint32_t> tokens;
    std::vector<std::int64_t> content_offsets;
    std::size_t n_ids = 0;

    Ids content(std::uint32_t c) const {
        const auto first = static_cast<std::size_t>(content_offsets[c]);
        return Ids(tokens).subspan(first, static_cast<std::size_t>(content_offsets[c + 1]) - first);
    }
};

// The nodes of one tree.
struct Tree {
    std::span<const std::uint32_t> labels, left, contents;

    Tree(const Trees& trees, std::size_t tree);
    std::size_t size() const { return labels.size(); }
};

struct TreeScratch {
    // Distances of subtrees, shape (n_nodes, n_nodes), and rows of distances of forests.
    std::vector<double> distances;
    std::vector<std::vector<double>> rows;
    std::vector<std::size_t> row_of, unused;
    // By token the place of its bits, by place the bits of a content.
    std::vector<std::uint32_t> places;
    std::vector<std::uint64_t> bits, more, less;
};

// The least sum of edits that make one tree the other: 1 for a node that is left out, put in, or of another label; for
// another content the edits per length of the longer one. -1 where more than `most_pairs` distances of subtrees, or 64
// times as many of forests, would be computed.
double tree_distance(const Trees& trees, std::size_t one, std::size_t other, std::size_t most_pairs,
                     TreeScratch& scratch, Stop& stop);

// The nodes of both trees that these edits keep or change, in order; none beyond the same limits.
std::vector<std::array<std::int64_t, 2>> tree_mapping(const Trees& trees, std::size_t one, std::size_t other,
                                                      std::size_t most_pairs, TreeScratch& scratch, Stop& stop);

}  // namespace textgauge
