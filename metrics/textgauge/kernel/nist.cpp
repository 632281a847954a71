#include "nist.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace textgauge {

NgramInformation::NgramInformation(const Cutter& cutter, const Texts& references, std::size_t max_order, Stop& stop)
    : cutter_(cutter), orders_(max_order) {
    std::vector<std::vector<std::uint32_t>> texts(references.size());
    CutScratch scratch;
    std::size_t n_words = 0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        if (stop.asked(references[t].size())) return;
        scratch.arena.clear();
        cut_text(cutter_, references[t], references[t].size(), scratch);
        for (const auto token : scratch.tokens) {
            auto id = words_.find(token);
            if (id == WordIds::none) id = words_.id_of(kept_.keep(token));
            texts[t].push_back(id);
        }
        n_words += texts[t].size();
    }
    // How often each n-gram of the order before occurs: "no word" as often as there are words.
    std::vector<std::uint64_t> before, counts(1, n_words);
    auto ngrams = texts;
    for (auto& text : ngrams) std::ranges::fill(text, 0);
    for (auto& [numbers, bits] : orders_) {
        std::swap(before, counts);
        counts.clear();
        numbers.open(before.size() + 1, words_.size() + 1, n_words);
        for (std::size_t t = 0; t < texts.size(); ++t) {
            auto& own = ngrams[t];
            const auto order = texts[t].size() - own.size();
            for (std::size_t k = 0; k < own.size(); ++k) {
                const auto shorter = own[k];
                own[k] = numbers.insert(shorter, texts[t][k + order]);
                if (own[k] < counts.size()) {
                    ++counts[own[k]];
                } else {
                    counts.push_back(1);
                    bits.push_back(shorter);
                }
            }
            if (stop.asked(8 * own.size())) return;
            if (!own.empty()) own.pop_back();
        }
        // As `math.log(x, 2)`: std::log2 would be other in the last bit.
        for (std::size_t i = 0; i < bits.size(); ++i)
            bits[i] = std::log(static_cast<double>(before[static_cast<std::size_t>(bits[i])]) /
                               static_cast<double>(counts[i])) / std::log(2.0);
    }
}

void NgramInformation::cut(std::string_view text, std::vector<std::uint32_t>& words, CutScratch& scratch) const {
    scratch.arena.clear();
    cut_text(cutter_, text, text.size(), scratch);
    words.clear();
    for (const auto token : scratch.tokens) words.push_back(words_.find(token));
}

void NgramInformation::advance(std::size_t order, std::span<const std::uint32_t> words,
                               std::vector<std::uint32_t>& ngrams) const {
    if (order == 0)
        ngrams.assign(words.size(), 0);
    else if (!ngrams.empty())
        ngrams.pop_back();
    for (std::size_t k = 0; k < ngrams.size(); ++k) {
        const auto last = words[k + order];
        if (ngrams[k] != none) ngrams[k] = last == none ? none : orders_[order].numbers.find(ngrams[k], last);
    }
}

// The information of what the hypothesis, whose n-grams are counted, shares with counted others.
double NgramInformation::shared(std::size_t order, std::span<const std::uint32_t> others,
                                const NistScratch& scratch) const {
    double sum = 0;
    for (const auto ngram : scratch.firsts) {
        const auto n = std::min(scratch.counts[ngram], others[ngram]);
        if (n > 0) sum += orders_[order].bits[ngram] * n;
    }
    return sum;
}

void NgramInformation::row(std::string_view hypothesis, std::span<const std::string_view> references, bool is_union,
                           std::span<double> row, NistScratch& scratch, Stop& stop) const {
    const auto n_texts = references.size() + 1, n_orders = max_order();
    auto &texts = scratch.texts, &ngrams = scratch.ngrams;
    texts.resize(std::max(texts.size(), n_texts));
    ngrams.resize(std::max(ngrams.size(), n_texts));
    for (std::size_t t = 0; t < n_texts; ++t) cut(t == 0 ? hypothesis : references[t - 1], texts[t], scratch.cut);
    const auto n_own = texts[0].size();
    double n_reference = 0;
    for (std::size_t order = 0; order < n_orders; ++order) {
        const auto n_kinds = orders_[order].bits.size();
        for (auto* const counts : {&scratch.counts, &scratch.others, &scratch.most})
            if (counts->size() < n_kinds) counts->resize(n_kinds);
        for (std::size_t t = 0; t < n_texts; ++t) advance(order, texts[t], ngrams[t]);
        scratch.firsts.clear();
        for (const auto ngram : ngrams[0])
            if (ngram != none && scratch.counts[ngram]++ == 0) scratch.firsts.push_back(ngram);
        const auto total = n_own > order ? static_cast<double>(n_own - order) : 0.0;
        double best = 0, best_share = -1, best_length = 0;
        for (std::size_t t = 1; t < n_texts; ++t) {
            for (const auto ngram : ngrams[t])
                if (ngram != none) {
                    const auto n = ++scratch.others[ngram];
                    if (is_union) scratch.most[ngram] = std::max(scratch.most[ngram], n);
                }
            if (!is_union) {
                const auto sum = shared(order, scratch.others, scratch);
                const auto share = total > 0 ? sum / total : 0, length = static_cast<double>(texts[t].size());
                if (std::tuple(share, sum, length) > std::tuple(best_share, best, best_length)) {
                    best_share = share;
                    best = sum;
                    best_length = length;
                }
            }
            for (const auto ngram : ngrams[t])
                if (ngram != none) scratch.others[ngram] = 0;
        }
        if (is_union) best = shared(order, scratch.most, scratch);
        for (std::size_t t = 0; t < n_texts; ++t)
            for (const auto ngram : ngrams[t])
                if (ngram != none) (t == 0 ? scratch.counts : scratch.most)[ngram] = 0;
        row[order] = best;
        row[n_orders + order] = total;
        n_reference += best_length;
        if (stop.asked(8 * n_own)) return;
    }
    if (is_union) {
        for (std::size_t t = 1; t < n_texts; ++t) n_reference += static_cast<double>(texts[t].size());
        n_reference /= static_cast<double>(std::max(references.size(), std::size_t{1}));
    }
    row[2 * n_orders] = static_cast<double>(n_own * (is_union ? 1 : n_orders));
    row[2 * n_orders + 1] = n_reference;
}

}  // namespace textgauge
