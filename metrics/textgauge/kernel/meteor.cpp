#include "meteor.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace textgauge {

namespace {

using Phrase = MeteorScratch::Phrase;

// All phrases of a text that the table has.
void find_phrases(WordIds32 text, const MeteorWords& words, const Paraphrases& table, MeteorScratch::Phrases& phrases) {
    phrases.by_place.clear();
    phrases.nodes.clear();
    for (std::size_t at = 0; at < text.size(); ++at) {
        auto node = words.nodes[text[at]];
        for (auto end = at + 1; node != 0; ++end) {
            phrases.by_place.push_back({node, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end - at)});
            phrases.nodes.add(node);
            const auto word = end < text.size() ? words.in_table[text[end]] : no_word;
            node = word == no_word ? 0 : table.child(node, word);
        }
    }
    phrases.by_node = phrases.by_place;
    std::ranges::sort(phrases.by_node, {}, [](const Phrase& phrase) { return std::pair(phrase.node, phrase.at); });
}

// Calls visit(phrase, other) for the phrases whose paraphrase the other text has.
template <class Visit>
void for_each_paraphrase(const MeteorScratch::Phrases& phrases, const MeteorScratch::Phrases& others,
                         const Paraphrases& table, Visit visit, Stop& stop) {
    for (const auto& phrase : phrases.by_place) {
        const auto entries = table.of(phrase.node);
        for (const auto node : entries) {
            if (!others.nodes.may_have(node)) continue;
            for (auto other = std::ranges::lower_bound(others.by_node, node, {}, &Phrase::node);
                 other != others.by_node.end() && other->node == node; ++other)
                visit(phrase, *other);
        }
        if (stop.asked(entries.size())) return;
    }
}

// Matches of one word each; those of a place of the reference by place in the hypothesis.
void find_synonyms(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, MeteorScratch& s, Stop& stop) {
    s.synsets.clear();
    for (const auto word : hypothesis)
        for (const auto synset : words.related_to(word)) s.synsets.add(synset);
    s.synsets_of.clear();
    for (std::uint32_t j = 0; j < reference.size(); ++j)
        for (const auto synset : words.related_to(reference[j]))
            if (s.synsets.may_have(synset)) s.synsets_of.push_back({synset, j});
    std::ranges::sort(s.synsets_of);
    s.synsets.clear();
    for (const auto& [synset, place] : s.synsets_of) s.synsets.add(synset);
    for (std::uint32_t i = 0; i < hypothesis.size(); ++i) {
        const auto related = words.related_to(hypothesis[i]);
        std::size_t n_steps = related.size();
        for (const auto synset : related) {
            if (!s.synsets.may_have(synset)) continue;
            for (auto at = std::ranges::lower_bound(s.synsets_of, std::pair(synset, std::uint32_t{0}));
                 at != s.synsets_of.end() && at->first == synset; ++at, ++n_steps) {
                const auto j = at->second;
                auto& found = s.by_place[j];
                const bool is_known = !found.empty() && found.back().matcher == meteor_synonym && found.back().own == i;
                if (hypothesis[i] != reference[j] && !is_known) found.push_back({j, 1, i, 1, meteor_synonym});
            }
        }
        if (stop.asked(n_steps)) return;
    }
}

void find_matches(WordIds32 hypothesis, WordIds32 reference, const MeteorWords& words, const Paraphrases& table,
                  const MeteorOptions& options, MeteorScratch& s, Stop& stop) {
    if (s.by_place.size() < reference.size()) s.by_place.resize(reference.size());
    for (std::size_t j = 0; j < reference.size(); ++j) s.by_place[j].clear();
    const bool are_equal = std::ranges::equal(hypothesis, reference);
    const auto match = [&s](std::size_t j, std::size_t i, std::uint32_t matcher) {
        s.by_place[j].push_back({static_cast<std::uint32_t>(j), 1, static_cast<std::uint32_t>(i), 1, matcher});
    };
    for (std::size_t j = 0; j < reference.size() && options.matchers[meteor_exact]; ++j) {
        for (std::size_t i = 0; i < hypothesis.size(); ++i)
            if (hypothesis[i] == reference[j]) match(j, i, meteor_exact);
        if (stop.asked(hypothesis.size())) return;
    }
    if (are_equal) return;
    s.own_stems.clear();
    for (const auto word : hypothesis) s.own_stems.push_back(words.stems[word]);
    for (std::size_t j = 0; j < reference.size() && options.matchers[meteor_stem]; ++j) {
        const auto stem = words.stems[reference[j]];
        for (std::size_t i = 0; i < hypothesis.size(); ++i)
            if (s.own_stems[i] == stem && hypothesis[i] != reference[j]) match(j, i, meteor_stem);
        if (stop.asked(hypothesis.size())) return;
    }
    if (options.matchers[meteor_synonym]) find_synonyms(hypothesis, reference, words, s, stop);
    if (!options.matchers[meteor_paraphrase]) return;
    find_phrases(reference, words, table, s.phrases);
    // The references of a hypothesis follow each other.
    if (s.own_text.data() != hypothesis.data() || s.own_text.size() != hypothesis.size()) {
        find_phrases(hypothesis, words, table, s.own_phrases);
        s.own_text = hypothesis;
    }
    for_each_paraphrase(s.phrases, s.own_phrases, table, [&](const auto& phrase, const auto& own) {
        s.by_place[phrase.at].push_back({phrase.at, phrase.n, own.at, own.n, meteor_paraphrase});
    }, stop);
    for_each_paraphrase(s.own_phrases, s.phrases, table, [&](const auto& own, const auto& phrase) {
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

// The chunks of a path that have ended before word j of the reference.
std::int64_t ended_chunks(const MeteorScratch::Path& path, std::size_t j) {
    return path.chunks - (path.end != no_word && path.end > j);
}

// Whether a path is better than another, by its credit, chunks that have ended, and distance.
bool is_better(const MeteorScratch::Path& a, std::int64_t ended_a, const MeteorScratch::Path& b, std::int64_t ended_b) {
    if (a.credit != b.credit) return a.credit > b.credit;
    return ended_a != ended_b ? ended_a < ended_b : a.distance < b.distance;
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

std::vector<std::uint32_t> word_nodes(const MeteorWords& words, const Paraphrases& table) {
    std::vector<std::uint32_t> nodes;
    for (const auto word : words.in_table) nodes.push_back(word == no_word ? 0 : table.child(0, word));
    return nodes;
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
        // A chunk counts when it ends.
        const auto add_next = [&s, j](const MeteorScratch::Path& path, std::uint32_t from, std::uint32_t match) {
            s.next.push_back({path, ended_chunks(path, j), from, match});
        };
        for (std::uint32_t p = 0; p < s.paths.size(); ++p) {
            const auto& path = s.paths[p];
            const Used used{s.used.data() + p * blocks};
            if (s.fixed[j] != no_word) {
                add_next(extended(path, s.found[s.fixed[j]]), p, s.fixed[j]);
                continue;
            }
            if (used.has(n_own + j)) {
                add_next(path, p, no_word);
                continue;
            }
            auto without = path;
            for (auto m = s.first[j]; m < s.first[j + 1]; ++m) {
                const auto& match = s.found[m];
                if (used.has_any(match.own, match.n_own) || used.has_any(n_own + match.at, match.n)) continue;
                auto with = extended(path, match);
                with.distance = without.distance;
                add_next(with, p, static_cast<std::uint32_t>(m));
                without.distance += std::abs(static_cast<std::int64_t>(match.own) - static_cast<std::int64_t>(match.at));
            }
            add_next(without, p, no_word);
            if (stop.asked(s.first[j + 1] - s.first[j] + 1)) return;
        }
        s.order.resize(s.next.size());
        std::iota(s.order.begin(), s.order.end(), 0);
        // Of equal ones the first comes first.
        std::ranges::sort(s.order, [&s](std::uint32_t a, std::uint32_t b) {
            const auto &one = s.next[a], &other = s.next[b];
            if (is_better(one.path, one.ended, other.path, other.ended)) return true;
            return a < b && !is_better(other.path, other.ended, one.path, one.ended);
        });
        if (s.order.size() > options.beam_size) s.order.resize(options.beam_size);
        s.used_next.resize(s.order.size() * blocks);
        s.paths.clear();
        for (std::size_t k = 0; k < s.order.size(); ++k) {
            auto [path, ended, from, taken] = s.next[s.order[k]];
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
        if (stop.asked(s.order.size() * blocks)) return;
    }
    // Behind the reference all chunks have ended; of equal paths the first counts.
    const auto best = std::ranges::min_element(s.paths, [n](const MeteorScratch::Path& a, const MeteorScratch::Path& b) {
        return is_better(a, ended_chunks(a, n), b, ended_chunks(b, n));
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
    constexpr auto none = no_word;
    // By the place in the hypothesis.
    s.alignment.assign(hypothesis.size(), MeteorMatch{});
    // Places of the reference without a match, by word: of equal ones the last, from there to the one before it.
    if (s.last.size() < words.stems.size()) s.last.resize(words.stems.size(), none);
    s.before.resize(reference.size());
    const auto put = [&s](std::uint32_t word, std::uint32_t place) {
        s.before[place] = s.last[word];
        s.last[word] = place;
    };
    const auto take = [&s](std::uint32_t word, std::uint32_t own, std::uint32_t matcher) {
        const auto place = s.last[word];
        s.alignment[own] = {place, 1, own, 1, matcher};
        s.last[word] = s.before[place];
        s.before[place] = MeteorScratch::taken;
    };
    s.own_left.clear();
    for (std::uint32_t place = 0; place < reference.size(); ++place) put(reference[place], place);
    for (auto own = static_cast<std::uint32_t>(hypothesis.size()); own-- > 0;) {
        const auto word = hypothesis[own];
        s.last[word] != none ? take(word, own, meteor_exact) : s.own_left.push_back(own);
    }
    for (const auto word : reference) s.last[word] = none;
    if (stop.asked(hypothesis.size() + reference.size())) return;
    for (std::uint32_t place = 0; place < reference.size(); ++place)
        if (s.before[place] != MeteorScratch::taken) put(words.stems[reference[place]], place);
    std::erase_if(s.own_left, [&](std::uint32_t own) {
        const auto stem = words.stems[hypothesis[own]];
        const bool is_found = s.last[stem] != none;
        if (is_found) take(stem, own, meteor_stem);
        return is_found;
    });
    // Synonyms of the stem, on the side of the hypothesis alone: the last place of the reference that has one.
    for (const auto own : s.own_left) {
        auto found = none;
        const auto related = words.related_to(words.stems[hypothesis[own]]);
        for (const auto stem : related)
            if (s.last[stem] != none && (found == none || s.last[stem] > s.last[found])) found = stem;
        if (found != none) take(found, own, meteor_synonym);
        if (stop.asked(related.size() + 1)) break;
    }
    for (const auto word : reference) s.last[words.stems[word]] = none;
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
