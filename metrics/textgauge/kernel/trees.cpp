#include "trees.hpp"

#include <algorithm>
#include <array>

#include "bits.hpp"

namespace textgauge {
namespace {

constexpr std::size_t most_forests_per_pair = 64;

// The edits of a content from others, all of its cells of a column of the table in words (Myers 1999, Hyyro 2003).
class ContentEdits {
public:
    ContentEdits(Ids content, std::size_t n_ids, TreeScratch& scratch)
        : content_(content), n_words_(words_of(content.size())), scratch_(scratch) {
        auto& places = scratch.places;
        auto& bits = scratch.bits;
        if (places.size() < n_ids) places.resize(n_ids);
        // Tokens that it lacks have the first place.
        bits.assign(n_words_, 0);
        for (std::size_t i = 0; i < content.size(); ++i) {
            auto& place = places[content[i]];
            if (place == 0) {
                place = static_cast<std::uint32_t>(bits.size() / n_words_);
                bits.resize(bits.size() + n_words_);
            }
            bits[place * n_words_ + i / word_bits] |= bit_of(i);
        }
    }
    ~ContentEdits() {
        for (const auto id : content_) scratch_.places[id] = 0;
    }
    ContentEdits(const ContentEdits&) = delete;
    ContentEdits& operator=(const ContentEdits&) = delete;

    double per_length(Ids other, Stop& stop) const {
        const auto longer = std::max(content_.size(), other.size());
        return longer ? static_cast<double>(edits(other, stop)) / static_cast<double>(longer) : 0.0;
    }

private:
    std::size_t edits(Ids other, Stop& stop) const {
        if (content_.empty()) return other.size();
        auto &more = scratch_.more, &less = scratch_.less;
        more.assign(n_words_, ~std::uint64_t{0});
        less.assign(n_words_, 0);
        auto found = content_.size();
        const auto last = bit_of(content_.size() - 1);
        for (const auto id : other) {
            if (stop.asked(n_words_)) return found;
            const auto* const matches = &scratch_.bits[scratch_.places[id] * n_words_];
            std::uint64_t more_carry = 1, less_carry = 0;
            for (std::size_t w = 0; w < n_words_; ++w) {
                const auto equal = matches[w] | less_carry;
                const auto diagonal = (((equal & more[w]) + more[w]) ^ more[w]) | equal | less[w];
                const auto rises = less[w] | ~(diagonal | more[w]), falls = diagonal & more[w];
                if (w + 1 == n_words_) {
                    found += (rises & last) != 0;
                    found -= (falls & last) != 0;
                }
                const auto rises_by = rises << 1 | more_carry, falls_by = falls << 1 | less_carry;
                more_carry = rises >> (word_bits - 1);
                less_carry = falls >> (word_bits - 1);
                more[w] = falls_by | ~(diagonal | rises_by);
                less[w] = rises_by & diagonal;
            }
        }
        return found;
    }

    Ids content_;
    std::size_t n_words_;
    TreeScratch& scratch_;
};

// What it costs to make a node another one.
void fill_costs(const Trees& trees, const Tree& one, const Tree& other, TreeScratch& scratch, Stop& stop) {
    const auto n = other.size();
    scratch.distances.resize(one.size() * n);
    // The first node with the same label and content has the same row.
    std::vector<std::size_t> order(one.size());
    for (std::size_t u = 0; u < order.size(); ++u) order[u] = u;
    const auto key = [&](std::size_t u) { return std::pair(one.contents[u], one.labels[u]); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto u = order[k];
        auto* const row = &scratch.distances[u * n];
        if (k && key(u) == key(order[k - 1])) {
            std::copy_n(&scratch.distances[order[k - 1] * n], n, row);
            continue;
        }
        if (stop.asked(n)) return;
        const ContentEdits edits(trees.content(one.contents[u]), trees.n_ids, scratch);
        for (std::size_t v = 0; v < n; ++v) {
            const auto is_same = one.contents[u] == other.contents[v];
            row[v] = one.labels[u] != other.labels[v] ? 1.0
                     : is_same                        ? 0.0
                                                      : edits.per_length(trees.content(other.contents[v]), stop);
        }
    }
}

// The last node of each path of first children, in order.
std::vector<std::size_t> path_ends(const Tree& tree) {
    std::vector<std::size_t> end(tree.size()), ends;
    for (std::size_t u = 0; u < tree.size(); ++u) end[tree.left[u]] = u;
    for (std::size_t u = 0; u < tree.size(); ++u)
        if (end[tree.left[u]] == u) ends.push_back(u);
    return ends;
}

double n_forests(const Tree& tree, std::span<const std::size_t> ends) {
    double sum = 0;
    for (const auto u : ends) sum += static_cast<double>(u - tree.left[u] + 1);
    return sum;
}

// Rows of distances of forests, which are given back once no later row needs them.
class ForestRows {
public:
    ForestRows(TreeScratch& scratch, std::size_t n_rows, std::size_t n_columns)
        : scratch_(scratch), n_columns_(n_columns) {
        scratch.row_of.resize(n_rows);
        scratch.unused.clear();
        for (std::size_t r = scratch.rows.size(); r-- > 0;) scratch.unused.push_back(r);
    }
    double* make(std::size_t x) {
        if (scratch_.unused.empty()) {
            scratch_.unused.push_back(scratch_.rows.size());
            scratch_.rows.emplace_back();
        }
        auto& row = scratch_.rows[scratch_.row_of[x] = scratch_.unused.back()];
        scratch_.unused.pop_back();
        if (row.size() < n_columns_) row.resize(n_columns_);
        return row.data();
    }
    const double* at(std::size_t x) const { return scratch_.rows[scratch_.row_of[x]].data(); }
    void give_back(std::size_t x) { scratch_.unused.push_back(scratch_.row_of[x]); }

private:
    TreeScratch& scratch_;
    std::size_t n_columns_;
};

// The distances of the subtrees that begin with the first leaves of i and j, from those that begin behind them.
void fill_forests(const Tree& one, const Tree& other, std::size_t i, std::size_t j,
                  std::span<const std::size_t> end_of, TreeScratch& scratch, Stop& stop) {
    const std::size_t p = one.left[i], q = other.left[j], n = j - q + 2, width = other.size();
    ForestRows rows(scratch, i - p + 2, n);
    auto* const empty = rows.make(0);
    for (std::size_t y = 0; y < n; ++y) empty[y] = static_cast<double>(y);
    for (auto u = p; u <= i && !stop.asked(n); ++u) {
        const auto x = u - p + 1, base_of = one.left[u] - p;
        auto* const row = rows.make(x);
        const auto *const before = rows.at(x - 1), *const base = rows.at(base_of);
        auto* const distances = &scratch.distances[u * width + q];
        const auto* const left = &other.left[q];
        auto last = row[0] = before[0] + 1;
        for (std::size_t y = 1; y < n; ++y) {
            const auto least = std::min(before[y], last) + 1;
            const std::size_t begin = left[y - 1] - q;
            if (base_of == 0 && begin == 0) {
                last = std::min(least, before[y - 1] + distances[y - 1]);
                distances[y - 1] = last;
            } else {
                last = std::min(least, base[begin] + distances[y - 1]);
            }
            row[y] = last;
        }
        // The row before the first leaf of a path is needed until its end.
        const auto first = one.left[u];
        if (first != u || end_of[u] == u) rows.give_back(x - 1);
        if (first != u && end_of[first] == u) rows.give_back(first - p);
    }
}

void fill_distances(const Trees& trees, const Tree& one, const Tree& other, TreeScratch& scratch, Stop& stop) {
    fill_costs(trees, one, other, scratch, stop);
    std::vector<std::size_t> end_of(one.size());
    for (std::size_t u = 0; u < one.size(); ++u) end_of[one.left[u]] = u;
    const auto ends = path_ends(other);
    for (const auto i : path_ends(one))
        for (const auto j : ends) {
            if (stop.asked(0)) return;
            fill_forests(one, other, i, j, end_of, scratch, stop);
        }
}

bool is_too_large(const Tree& one, const Tree& other, std::size_t most_pairs) {
    const auto most = static_cast<double>(most_pairs);
    const auto pairs = static_cast<double>(one.size()) * static_cast<double>(other.size());
    return pairs > most || n_forests(one, path_ends(one)) * n_forests(other, path_ends(other)) >
                               most * static_cast<double>(most_forests_per_pair);
}

}  // namespace

Tree::Tree(const Trees& trees, std::size_t tree) {
    const auto first = static_cast<std::size_t>(trees.offsets[tree]);
    const auto n = static_cast<std::size_t>(trees.offsets[tree + 1]) - first;
    labels = std::span(trees.labels).subspan(first, n);
    left = std::span(trees.left).subspan(first, n);
    contents = std::span(trees.contents).subspan(first, n);
}

double tree_distance(const Trees& trees, std::size_t first, std::size_t second, std::size_t most_pairs,
                     TreeScratch& scratch, Stop& stop) {
    const Tree one(trees, first), other(trees, second);
    if (one.size() == 0 || other.size() == 0) return static_cast<double>(one.size() + other.size());
    if (is_too_large(one, other, most_pairs)) return -1;
    fill_distances(trees, one, other, scratch, stop);
    return scratch.distances.back();
}

std::vector<std::array<std::int64_t, 2>> tree_mapping(const Trees& trees, std::size_t first, std::size_t second,
                                                      std::size_t most_pairs, TreeScratch& scratch, Stop& stop) {
    const Tree one(trees, first), other(trees, second);
    std::vector<std::array<std::int64_t, 2>> found;
    if (one.size() == 0 || other.size() == 0 || is_too_large(one, other, most_pairs)) return found;
    fill_distances(trees, one, other, scratch, stop);
    const auto width = other.size();
    std::vector<double> table;
    std::vector<std::pair<std::size_t, std::size_t>> open{{one.size() - 1, other.size() - 1}};
    while (!open.empty()) {
        const auto [i, j] = open.back();
        open.pop_back();
        const std::size_t p = one.left[i], q = other.left[j], n = j - q + 2;
        table.resize((i - p + 2) * n);
        const auto at = [&](std::size_t x, std::size_t y) -> double& { return table[x * n + y]; };
        const auto subtrees = [&](std::size_t x, std::size_t y) {
            return at(one.left[p + x - 1] - p, other.left[q + y - 1] - q) +
                   scratch.distances[(p + x - 1) * width + q + y - 1];
        };
        const auto is_path = [&](std::size_t x, std::size_t y) {
            return one.left[p + x - 1] == p && other.left[q + y - 1] == q;
        };
        for (std::size_t y = 0; y < n; ++y) at(0, y) = static_cast<double>(y);
        for (std::size_t x = 1; x < i - p + 2; ++x) {
            if (stop.asked(n)) return found;
            at(x, 0) = at(x - 1, 0) + 1;
            for (std::size_t y = 1; y < n; ++y)
                at(x, y) = is_path(x, y) ? scratch.distances[(p + x - 1) * width + q + y - 1]
                                         : std::min({at(x - 1, y) + 1, at(x, y - 1) + 1, subtrees(x, y)});
        }
        auto x = i - p + 1, y = j - q + 1;
        while (x && y) {
            const auto u = p + x - 1, v = q + y - 1;
            if (at(x, y) == at(x - 1, y) + 1) {
                --x;
            } else if (at(x, y) == at(x, y - 1) + 1) {
                --y;
            } else if (is_path(x, y)) {
                found.push_back({static_cast<std::int64_t>(u), static_cast<std::int64_t>(v)});
                --x, --y;
            } else {
                open.emplace_back(u, v);
                x = one.left[u] - p;
                y = other.left[v] - q;
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace textgauge
