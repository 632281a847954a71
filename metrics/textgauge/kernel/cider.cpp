#include "cider.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace textgauge {
namespace {

template <class Function>
void each_word(std::string_view text, Function function) {
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        if (const auto n = space_at(at, end)) {
            at += n;
            continue;
        }
        const char* first = at;
        do ++at;
        while (at < end && !space_at(at, end));
        function(std::string_view(first, static_cast<std::size_t>(at - first)));
    }
}

std::uint64_t key_of(std::uint32_t before, std::uint32_t word) { return std::uint64_t{before} << 32 | word; }

// The different n-grams of one order of a text, in the order in which the text meets them, as the tool adds them up.
struct Vector {
    std::vector<std::uint32_t> ids;  // ascending places in `sorted`
    std::vector<double> weights;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> sorted;  // number of the n-gram, its place
    double norm = 0;

    double weight_of(std::uint32_t id) const {
        const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair{id, std::uint32_t{0}});
        return found != sorted.end() && found->first == id ? weights[found->second] : 0.0;
    }
};

struct Caption {
    std::array<Vector, cider_orders> orders;
    double length = 0;  // in bigrams
};

// What one thread needs. N-grams that no reference of the table has are numbered from its size on, segment by segment.
struct CiderScratch {
    std::unordered_map<std::string, std::uint32_t> words;
    std::array<std::unordered_map<std::uint64_t, std::uint32_t>, cider_orders> ngrams;
    std::vector<std::uint32_t> ids, before, numbers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> met;
    Caption hypothesis, reference;
    std::uint32_t n_words = 0, n_ngrams = 0;

    void clear(const DocumentFrequencies& table) {
        words.clear();
        for (auto& known : ngrams) known.clear();
        // Numbers of words of its own begin behind those of all tables.
        n_words = 0x80000000;
        n_ngrams = static_cast<std::uint32_t>(table.frequencies.size());
    }
    std::uint32_t word(const DocumentFrequencies& table, std::string_view bytes) {
        const auto known = table.word(bytes);
        if (known != DocumentFrequencies::none) return known;
        const auto [found, is_new] = words.try_emplace(std::string(bytes), n_words);
        n_words += is_new;
        return found->second;
    }
    std::uint32_t ngram(const DocumentFrequencies& table, std::size_t order, std::uint32_t first, std::uint32_t last) {
        const auto known = table.ngram(order, first, last);
        if (known != DocumentFrequencies::none) return known;
        const auto [found, is_new] = ngrams[order].try_emplace(key_of(first, last), n_ngrams);
        n_ngrams += is_new;
        return found->second;
    }
};

// Counts the numbers of one order, weighs them, and adds the squares in the order of first occurrence.
void weigh(const DocumentFrequencies& table, double log_documents, CiderScratch& scratch, Vector& vector) {
    auto& met = scratch.met;
    met.clear();
    for (std::uint32_t place = 0; place < scratch.numbers.size(); ++place) met.emplace_back(scratch.numbers[place], place);
    std::sort(met.begin(), met.end());
    // Runs of one number become (first place, number, count), then go back into the order of places.
    std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> runs;
    for (std::size_t k = 0; k < met.size();) {
        std::size_t end = k;
        while (end < met.size() && met[end].first == met[k].first) ++end;
        runs.push_back({met[k].second, {met[k].first, static_cast<std::uint32_t>(end - k)}});
        k = end;
    }
    std::sort(runs.begin(), runs.end());
    vector.ids.clear();
    vector.weights.clear();
    vector.sorted.clear();
    double squares = 0;
    for (const auto& [place, run] : runs) {
        const auto [id, count] = run;
        const double frequency = id < table.frequencies.size() ? static_cast<double>(table.frequencies[id]) : 0.0;
        const double weight = static_cast<double>(count) * (log_documents - std::log(std::max(1.0, frequency)));
        vector.sorted.emplace_back(id, static_cast<std::uint32_t>(vector.ids.size()));
        vector.ids.push_back(id);
        vector.weights.push_back(weight);
        squares += weight * weight;
    }
    std::sort(vector.sorted.begin(), vector.sorted.end());
    vector.norm = std::sqrt(squares);
}

void read(const DocumentFrequencies& table, double log_documents, std::string_view text, CiderScratch& scratch,
          Caption& caption) {
    scratch.ids.clear();
    each_word(text, [&](std::string_view bytes) { scratch.ids.push_back(scratch.word(table, bytes)); });
    const auto n = scratch.ids.size();
    caption.length = n > 0 ? static_cast<double>(n - 1) : 0.0;
    for (std::size_t order = 0; order < cider_orders; ++order) {
        scratch.numbers.clear();
        for (std::size_t i = 0; i + order < n; ++i)
            scratch.numbers.push_back(
                scratch.ngram(table, order, order ? scratch.before[i] : 0, scratch.ids[i + order]));
        weigh(table, log_documents, scratch, caption.orders[order]);
        scratch.before = scratch.numbers;
    }
}

// The cosine of one order; its numerator is clipped but in plain CIDEr.
double cosine(const Vector& hypothesis, const Vector& reference, CiderVariant variant) {
    double value = 0;
    for (std::size_t k = 0; k < hypothesis.ids.size(); ++k) {
        const double weight = hypothesis.weights[k], other = reference.weight_of(hypothesis.ids[k]);
        value += (variant == CiderVariant::plain ? weight : std::min(weight, other)) * other;
    }
    if (hypothesis.norm != 0 && reference.norm != 0) value /= hypothesis.norm * reference.norm;
    return value;
}

constexpr double e = 2.718281828459045;

double penalty(double hypothesis, double reference, CiderVariant variant, double sigma, double repetition) {
    const double delta = hypothesis - reference;
    if (variant == CiderVariant::d) return std::pow(e, -(delta * delta) / (2 * (sigma * sigma)));
    if (variant == CiderVariant::plain) return 1.0;
    const double near = std::pow(e, -(delta * delta) / std::pow(reference + 1, 2.0));
    return std::pow(repetition, 0.8) * std::pow(near, 0.2);
}

}  // namespace

std::uint32_t DocumentFrequencies::word_id(std::string_view bytes) {
    if (const auto found = words_.find(bytes); found != words_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(words_.size());
    if (id >= 0x80000000) throw std::length_error("references: expected fewer than 2**31 different words");
    words_.emplace(bytes_.emplace_back(bytes), id);
    return id;
}

std::uint32_t DocumentFrequencies::ngram_id(std::size_t order, std::uint32_t before, std::uint32_t word) {
    const auto next = static_cast<std::uint32_t>(frequencies.size());
    const auto [found, is_new] = ngrams_[order].try_emplace(key_of(before, word), next);
    if (is_new) {
        if (next >= 0x80000000) throw std::length_error("references: expected fewer than 2**31 different n-grams");
        frequencies.push_back(0);
        last_.push_back(0);
        parts_.push_back({static_cast<std::uint32_t>(order), before, word});
    }
    return found->second;
}

std::uint32_t DocumentFrequencies::word(std::string_view bytes) const {
    const auto found = words_.find(bytes);
    return found == words_.end() ? none : found->second;
}

std::uint32_t DocumentFrequencies::ngram(std::size_t order, std::uint32_t before, std::uint32_t word) const {
    const auto found = ngrams_[order].find(key_of(before, word));
    return found == ngrams_[order].end() ? none : found->second;
}

void DocumentFrequencies::add(const Texts& texts, std::span<const std::int64_t> offsets) {
    std::vector<std::uint32_t> ids, before, numbers;
    for (std::size_t document = 0; document + 1 < offsets.size(); ++document) {
        ++n_documents;
        const auto mark = static_cast<std::uint32_t>(n_documents);
        for (auto text = offsets[document]; text < offsets[document + 1]; ++text) {
            ids.clear();
            each_word(texts[static_cast<std::size_t>(text)], [&](std::string_view word) { ids.push_back(word_id(word)); });
            for (std::size_t order = 0; order < cider_orders; ++order) {
                numbers.clear();
                for (std::size_t i = 0; i + order < ids.size(); ++i) {
                    const auto id = ngram_id(order, order ? before[i] : 0, ids[i + order]);
                    numbers.push_back(id);
                    if (last_[id] != mark) {
                        last_[id] = mark;
                        ++frequencies[id];
                    }
                }
                before.swap(numbers);
            }
        }
    }
}

void DocumentFrequencies::add_ngram(std::string_view words, std::uint64_t n) {
    std::uint32_t id = none;
    std::size_t order = 0;
    each_word(words, [&](std::string_view word) {
        if (order == cider_orders) throw std::invalid_argument("ngrams: expected one to four words each");
        id = ngram_id(order, order ? id : 0, word_id(word));
        ++order;
    });
    if (order == 0) throw std::invalid_argument("ngrams: expected one to four words each");
    frequencies[id] = n;
}

std::vector<std::string> DocumentFrequencies::ngrams() const {
    std::vector<std::string_view> word_of(words_.size());
    for (const auto& [bytes, id] : words_) word_of[id] = bytes;
    std::vector<std::string> all;
    all.reserve(parts_.size());
    // The n-gram before has a smaller number.
    for (const auto& [order, before, word] : parts_)
        all.push_back(order ? all[before] + ' ' + std::string(word_of[word]) : std::string(word_of[word]));
    return all;
}

std::vector<double> cider_scores(const DocumentFrequencies& frequencies, const Texts& hypotheses,
                                 const Texts& references, std::span<const std::int64_t> offsets, CiderVariant variant,
                                 double sigma, std::span<const double> repetition, int n_threads) {
    std::vector<double> scores(hypotheses.size());
    // The logarithm is the C library's.
    const double log_documents = std::log(static_cast<double>(std::max<std::uint64_t>(frequencies.n_documents, 1)));
    for_each_segment<CiderScratch>(hypotheses.size(), n_threads, [&](CiderScratch& scratch, std::size_t segment, Stop& stop) {
        if (stop.asked(hypotheses[segment].size())) return;
        scratch.clear(frequencies);
        read(frequencies, log_documents, hypotheses[segment], scratch, scratch.hypothesis);
        std::array<double, cider_orders> sums{};
        for (auto r = offsets[segment]; r < offsets[segment + 1]; ++r) {
            const auto row = static_cast<std::size_t>(r);
            if (stop.asked(references[row].size())) return;
            read(frequencies, log_documents, references[row], scratch, scratch.reference);
            const double factor = penalty(scratch.hypothesis.length, scratch.reference.length, variant, sigma,
                                          repetition.empty() ? 1.0 : repetition[row]);
            for (std::size_t order = 0; order < cider_orders; ++order) {
                const double value = cosine(scratch.hypothesis.orders[order], scratch.reference.orders[order], variant);
                sums[order] += variant == CiderVariant::plain ? value : value * factor;
            }
        }
        const double mean = (((sums[0] + sums[1]) + sums[2]) + sums[3]) / 4;
        scores[segment] = mean / static_cast<double>(offsets[segment + 1] - offsets[segment]) * 10.0;
    });
    return scores;
}

}  // namespace textgauge
