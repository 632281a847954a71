#include "meteor.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace textgauge {

namespace {

bool share(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i] == b[j]) return true;
        a[i] < b[j] ? ++i : ++j;
    }
    return false;
}

// All phrases of a text that the table has, by place and length.
void find_phrases(WordIds32 text, const MeteorWords& words, const Paraphrases& table,
                  std::vector<MeteorScratch::Phrase>& phrases) {
    phrases.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::uint32_t node = 0;
        for (std::size_t end = at; end < text.size(); ++end) {
            const auto word = words.in_table[text[end]];
            node = word == no_word ? 0 : table.child(node, word);
            if (node == 0) break;
            phrases.push_back({node, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at + 1)});
        }
    }
}

// The same phrases by node, then by place.
void sort_phrases(const std::vector<MeteorScratch::Phrase>& phrases, std::vector<MeteorScratch::Phrase>& sorted) {
    sorted = phrases;
    std::ranges::stable_sort(sorted, {}, &MeteorScratch::Phrase::node);
}

// Calls visit(phrase, other) for the phrases whose paraphrase the other text has.
template <class Visit>
void for_each_paraphrase(const std::vector<MeteorScratch::Phrase>& phrases,
                         const std::vector<MeteorScratch::Phrase>& others, const Paraphrases& table, Visit visit,
                         Stop& stop) {
    for (const auto& phrase : phrases) {
        const auto entries = table.of(phrase.node);
        for (const auto node : entries)
            for (auto other = std::ranges::lower_bound(others, node, {}, &MeteorScratch::Phrase::node);
                 other != others.end() && other->node == node; ++other)
                visit(phrase, *other);
        if (stop.asked(entries.size())) return;
    }
}

void find_matches(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, const Paraphrases& table,
                  const MeteorOptions& options, MeteorScratch& s, Stop& stop) {
    if (s.by_place.size() < reference.size()) s.by_place.resize(reference.size());
    for (std::size_t j = 0; j < reference.size(); ++j) s.by_place[j].clear();
    const bool are_equal = std::ranges::equal(hypothesis, reference);
    for (std::uint32_t matcher = 0; matcher < meteor_paraphrase; ++matcher) {
        if (!options.matchers[matcher] || (are_equal && matcher != meteor_exact)) continue;
        for (std::size_t j = 0; j < reference.size(); ++j) {
            const auto b = reference[j];
            for (std::size_t i = 0; i < hypothesis.size(); ++i) {
                const auto a = hypothesis[i];
                const bool matches = matcher == meteor_exact  ? a == b
                                     : matcher == meteor_stem ? a != b && words.stems[a] == words.stems[b]
                                                              : a != b && share(words.related_to(a), words.related_to(b));
                if (matches)
                    s.by_place[j].push_back({static_cast<std::uint32_t>(j), 1, static_cast<std::uint32_t>(i), 1, matcher});
            }
            if (stop.asked(hypothesis.size())) return;
        }
    }
    if (!options.matchers[meteor_paraphrase] || are_equal) return;
    find_phrases(reference, words, table, s.phrases);
    find_phrases(hypothesis, words, table, s.own_phrases);
    sort_phrases(s.phrases, s.sorted);
    sort_phrases(s.own_phrases, s.own_sorted);
    for_each_paraphrase(s.phrases, s.own_sorted, table, [&](const auto& phrase, const auto& own) {
        s.by_place[phrase.at].push_back({phrase.at, phrase.n, own.at, own.n, meteor_paraphrase});
    }, stop);
    for_each_paraphrase(s.own_phrases, s.sorted, table, [&](const auto& own, const auto& phrase) {
        s.by_place[phrase.at].push_back({phrase.at, phrase.n, own.at, own.n, meteor_paraphrase});
    }, stop);
}

// The words that a path has used, as bits.
struct Used {
    std::uint64_t* bits;

    bool has(std::size_t i) const { return bits[i / 64] >> (i % 64) & 1; }
    void add(std::size_t from, std::size_t n) {
        for (auto i = from; i < from + n; ++i) bits[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    bool has_any(std::size_t from, std::size_t n) const {
        for (auto i = from; i < from + n; ++i)
            if (has(i)) return true;
        return false;
    }
};

// Half credits are cut to whole numbers, on each side.
std::int64_t credit_of(const MeteorMatch& match) {
    return match.matcher == meteor_exact ? std::int64_t{match.n} + match.n_own : match.n / 2 + match.n_own / 2;
}

MeteorScratch::Path extended(MeteorScratch::Path path, const MeteorMatch& match) {
    path.credit += credit_of(match);
    path.chunks += !(path.end == match.at && path.own_end == match.own);
    path.end = match.at + match.n;
    path.own_end = match.own + match.n_own;
    return path;
}

// Whether a path is better than another behind word j of the reference, where chunks that have not ended do not count.
bool is_better(const MeteorScratch::Path& a, const MeteorScratch::Path& b, std::size_t j) {
    const auto ended = [j](const MeteorScratch::Path& path) {
        return path.chunks - (path.end != no_word && path.end > j);
    };
    if (a.credit != b.credit) return a.credit > b.credit;
    if (ended(a) != ended(b)) return ended(a) < ended(b);
    return a.distance < b.distance;
}

}  // namespace

std::uint32_t Paraphrases::child(std::uint32_t node, std::uint32_t word) const {
    if (std::size_t{node} + 1 >= first.size()) return 0;
    const std::size_t from = first[node], to = std::min<std::size_t>(first[node + 1], words.size());
    if (from >= to) return 0;
    const auto children = words.subspan(from, to - from);
    const auto at = std::ranges::lower_bound(children, word);
    if (at == children.end() || *at != word) return 0;
    return static_cast<std::uint32_t>(from + static_cast<std::size_t>(at - children.begin()));
}

std::span<const std::uint32_t> Paraphrases::of(std::uint32_t node) const {
    if (std::size_t{node} + 1 >= offsets.size()) return {};
    const std::size_t from = offsets[node], to = std::min<std::size_t>(offsets[node + 1], entries.size());
    return from < to ? entries.subspan(from, to - from) : std::span<const std::uint32_t>{};
}

void meteor15_alignment(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, const Paraphrases& table,
                        const MeteorOptions& options, MeteorScratch& s, Stop& stop) {
    s.alignment.clear();
    find_matches(hypothesis, reference, words, table, options, s, stop);
    const auto n_own = hypothesis.size(), n = reference.size();
    s.own_cover.assign(n_own, 0);
    s.cover.assign(n, 0);
    s.found.clear();
    s.first.assign(1, 0);
    for (std::size_t j = 0; j < n; ++j) {
        s.found.insert(s.found.end(), s.by_place[j].begin(), s.by_place[j].end());
        s.first.push_back(s.found.size());
    }
    for (const auto& match : s.found) {
        for (auto i = match.own; i < match.own + match.n_own; ++i) ++s.own_cover[i];
        for (auto j = match.at; j < match.at + match.n; ++j) ++s.cover[j];
    }
    // Matches that overlap no other are fixed.
    const auto blocks = (n_own + n) / 64 + 1;
    s.used.assign(blocks, 0);
    s.fixed.assign(n, no_word);
    for (std::size_t m = 0; m < s.found.size(); ++m) {
        const auto& match = s.found[m];
        const auto is_once = [](std::uint32_t count) { return count == 1; };
        if (!std::ranges::all_of(std::span(s.own_cover).subspan(match.own, match.n_own), is_once) ||
            !std::ranges::all_of(std::span(s.cover).subspan(match.at, match.n), is_once))
            continue;
        s.fixed[match.at] = static_cast<std::uint32_t>(m);
        Used{s.used.data()}.add(match.own, match.n_own);
        Used{s.used.data()}.add(n_own + match.at, match.n);
    }
    s.paths.assign(1, {});
    s.steps.clear();
    for (std::size_t j = 0; j < n; ++j) {
        s.next.clear();
        for (std::uint32_t p = 0; p < s.paths.size(); ++p) {
            const auto& path = s.paths[p];
            const Used used{s.used.data() + p * blocks};
            if (s.fixed[j] != no_word) {
                s.next.push_back({extended(path, s.found[s.fixed[j]]), p, s.fixed[j]});
                continue;
            }
            if (used.has(n_own + j)) {
                s.next.push_back({path, p, no_word});
                continue;
            }
            auto without = path;
            for (auto m = s.first[j]; m < s.first[j + 1]; ++m) {
                const auto& match = s.found[m];
                if (used.has_any(match.own, match.n_own) || used.has_any(n_own + match.at, match.n)) continue;
                auto with = extended(path, match);
                with.distance = without.distance;
                s.next.push_back({with, p, static_cast<std::uint32_t>(m)});
                without.distance += std::abs(static_cast<std::int64_t>(match.own) - static_cast<std::int64_t>(match.at));
            }
            s.next.push_back({without, p, no_word});
            if (stop.asked(s.first[j + 1] - s.first[j] + 1)) return;
        }
        // A chunk counts when it ends.
        std::ranges::stable_sort(s.next, [j](const MeteorScratch::Next& a, const MeteorScratch::Next& b) {
            return is_better(a.path, b.path, j);
        });
        if (s.next.size() > options.beam_size) s.next.resize(options.beam_size);
        s.used_next.resize(s.next.size() * blocks);
        s.paths.clear();
        for (std::size_t k = 0; k < s.next.size(); ++k) {
            auto [path, from, taken] = s.next[k];
            std::copy_n(s.used.begin() + static_cast<std::ptrdiff_t>(from * blocks), blocks,
                        s.used_next.begin() + static_cast<std::ptrdiff_t>(k * blocks));
            if (taken != no_word) {
                const auto& match = s.found[taken];
                const Used used{s.used_next.data() + k * blocks};
                Used{used}.add(match.own, match.n_own);
                Used{used}.add(n_own + match.at, match.n);
                s.steps.push_back({path.last, taken});
                path.last = static_cast<std::uint32_t>(s.steps.size() - 1);
            }
            s.paths.push_back(path);
        }
        s.used.swap(s.used_next);
        if (stop.asked(s.next.size() * blocks)) return;
    }
    // Behind the reference all chunks have ended; of equal paths the first counts.
    const auto best = std::ranges::min_element(s.paths, [n](const MeteorScratch::Path& a, const MeteorScratch::Path& b) {
        return is_better(a, b, n);
    });
    for (auto step = best->last; step != no_word; step = s.steps[step].before)
        s.alignment.push_back(s.found[s.steps[step].match]);
    std::ranges::reverse(s.alignment);
}

void meteor15_counts(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, const Paraphrases& table,
                     const MeteorOptions& options, std::span<std::int64_t> counts, MeteorScratch& s, Stop& stop) {
    meteor15_alignment(hypothesis, reference, words, table, options, s, stop);
    std::ranges::fill(counts, 0);
    for (const auto word : hypothesis) {
        counts[0] += words.lengths[word];
        if (words.functions[word]) counts[2] += words.lengths[word];
    }
    for (const auto word : reference) {
        counts[1] += words.lengths[word];
        if (words.functions[word]) counts[3] += words.lengths[word];
    }
    std::uint32_t end = no_word, own_end = no_word;
    for (const auto& match : s.alignment) {
        const auto place = 4 + 4 * match.matcher;
        for (const auto word : hypothesis.subspan(match.own, match.n_own))
            counts[place + 2 * (words.functions[word] != 0)] += words.lengths[word];
        for (const auto word : reference.subspan(match.at, match.n))
            counts[place + 1 + 2 * (words.functions[word] != 0)] += words.lengths[word];
        counts[20] += !(end == match.at && own_end == match.own);
        end = match.at + match.n;
        own_end = match.own + match.n_own;
        counts[21] += match.n_own;
        counts[22] += match.n;
    }
    const bool is_whole = counts[21] == static_cast<std::int64_t>(hypothesis.size()) &&
                          counts[22] == static_cast<std::int64_t>(reference.size());
    if (counts[20] == 1 && is_whole) counts[20] = 0;
}

void meteor_alignment(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, MeteorScratch& s,
                      Stop& stop) {
    const auto fill = [](std::vector<MeteorScratch::Left>& left, WordIds32 text) {
        left.clear();
        for (std::uint32_t place = 0; place < text.size(); ++place) left.push_back({text[place], place});
    };
    fill(s.own_left, hypothesis);
    fill(s.left, reference);
    // By the place in the hypothesis.
    s.alignment.assign(hypothesis.size(), MeteorMatch{});
    const auto take = [&](std::uint32_t matcher, auto alike_to) {
        for (auto i = s.own_left.size(); i-- > 0;) {
            const auto [own, own_place] = s.own_left[i];
            const auto is_alike = alike_to(own);
            for (auto j = s.left.size(); j-- > 0;) {
                if (!is_alike(s.left[j].word)) continue;
                s.alignment[own_place] = {s.left[j].place, 1, own_place, 1, matcher};
                s.own_left.erase(s.own_left.begin() + static_cast<std::ptrdiff_t>(i));
                s.left.erase(s.left.begin() + static_cast<std::ptrdiff_t>(j));
                break;
            }
            if (stop.asked(s.left.size() + 1)) return;
        }
    };
    const auto equal_to = [](auto own) { return [own](auto other) { return own == other; }; };
    take(meteor_exact, equal_to);
    for (auto* left : {&s.own_left, &s.left})
        for (auto& one : *left) one.word = words.stems[one.word];
    take(meteor_stem, equal_to);
    // Synonyms of the stem, on the side of the hypothesis alone.
    take(meteor_synonym, [&](auto own) {
        return [related = words.related_to(own)](auto other) { return std::ranges::binary_search(related, other); };
    });
    std::erase_if(s.alignment, [](const MeteorMatch& match) { return match.n == 0; });
}

void meteor_counts(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words,
                   std::span<std::int64_t> counts, MeteorScratch& s, Stop& stop) {
    meteor_alignment(hypothesis, reference, words, s, stop);
    std::uint32_t end = no_word, own_end = no_word;
    counts[0] = static_cast<std::int64_t>(s.alignment.size());
    counts[1] = 0;
    for (const auto& match : s.alignment) {
        counts[1] += !(end == match.at && own_end == match.own);
        end = match.at + 1;
        own_end = match.own + 1;
    }
    counts[2] = static_cast<std::int64_t>(hypothesis.size());
    counts[3] = static_cast<std::int64_t>(reference.size());
}

namespace {

// Numbers phrases as nodes of a tree, in order of appearance.
struct Tree {
    std::unordered_map<std::string_view, std::uint32_t> ids;
    std::unordered_map<std::uint64_t, std::uint32_t> children;  // by node and word
    std::vector<std::string_view> vocabulary;
    std::vector<std::uint32_t> parents{0}, words{0};

    std::uint32_t node_of(std::string_view phrase) {
        std::uint32_t node = 0;
        while (!phrase.empty()) {
            const auto end = std::min(phrase.find(' '), phrase.size());
            const auto word = phrase.substr(0, end);
            phrase.remove_prefix(std::min(end + 1, phrase.size()));
            if (word.empty()) continue;
            const auto [id, is_new] = ids.try_emplace(word, static_cast<std::uint32_t>(vocabulary.size()));
            if (is_new) vocabulary.push_back(word);
            const auto key = std::uint64_t{node} << 32 | id->second;
            const auto [child, is_new_node] = children.try_emplace(key, static_cast<std::uint32_t>(parents.size()));
            if (is_new_node) {
                parents.push_back(node);
                words.push_back(id->second);
            }
            node = child->second;
        }
        return node;
    }
};

std::string_view next_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

ParaphraseTable paraphrase_table(std::string_view text, Stop& stop) {
    Tree tree;
    tree.children.reserve(text.size() / 64);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::size_t line = 1; !text.empty(); line += 3) {
        const auto probability = next_line(text);
        if (probability.empty() || probability.find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
            ParaphraseTable refused;
            refused.bad_line = line;
            return refused;
        }
        const auto phrase = tree.node_of(next_line(text)), paraphrase = tree.node_of(next_line(text));
        if (phrase != 0 && paraphrase != 0) pairs.push_back({phrase, paraphrase});
        if (stop.asked(16)) return {};
    }
    // Parents come before their children: by depth, parent and word, children stand together.
    const auto n = tree.parents.size();
    std::vector<std::uint32_t> depth(n, 0), order(n), number(n, 0);
    for (std::size_t i = 1; i < n; ++i) depth[i] = depth[tree.parents[i]] + 1;
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t node) { return depth[node]; });
    for (std::size_t from = 1; from < n;) {
        auto to = from;
        while (to < n && depth[order[to]] == depth[order[from]]) ++to;
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(from), order.begin() + static_cast<std::ptrdiff_t>(to),
                  [&](std::uint32_t a, std::uint32_t b) {
                      return std::pair(number[tree.parents[a]], tree.words[a]) <
                             std::pair(number[tree.parents[b]], tree.words[b]);
                  });
        for (; from < to; ++from) number[order[from]] = static_cast<std::uint32_t>(from);
    }
    ParaphraseTable table;
    table.vocabulary = std::move(tree.vocabulary);
    table.words.resize(n);
    std::vector<std::uint32_t> n_children(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        table.words[number[i]] = tree.words[i];
        if (i > 0) ++n_children[number[tree.parents[i]]];
    }
    table.first.assign(n + 1, 1);
    for (std::size_t i = 0; i < n; ++i) table.first[i + 1] = table.first[i] + n_children[i];
    table.offsets.assign(n + 1, 0);
    for (const auto& [phrase, paraphrase] : pairs) ++table.offsets[number[phrase] + 1];
    std::partial_sum(table.offsets.begin(), table.offsets.end(), table.offsets.begin());
    table.entries.resize(pairs.size());
    auto open = table.offsets;
    for (const auto& [phrase, paraphrase] : pairs) table.entries[open[number[phrase]]++] = number[paraphrase];
    return table;
}

}  // namespace textgauge
