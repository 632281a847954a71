#include "repeats.hpp"

#include <algorithm>

namespace textgauge {

void RepeatScratch::open(const Tokens& tokens, std::size_t segment) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto last = static_cast<std::size_t>(tokens.segments[segment + 1]);
    n_ngrams_ = tokens.n_tokens(segment);
    starts_.clear();
    bounds_.assign(1, 0);
    for (auto text = first; text < last; ++text) {
        for (const auto id : tokens.text(text)) starts_.push_back({static_cast<std::uint32_t>(starts_.size()), id});
        bounds_.push_back(starts_.size());
    }
}

template <class Next>
void RepeatScratch::replace(Next next) {
    std::size_t n_left = 0;
    for (std::size_t text = 0, open = 0; text + 1 < bounds_.size(); ++text) {
        const auto close = bounds_[text + 1];
        n_left += next(std::span(starts_).subspan(open, close - open), std::span(starts_).subspan(n_left));
        open = close;
        bounds_[text + 1] = n_left;
    }
    starts_.resize(n_left);
}

std::uint32_t RepeatScratch::count_text(std::size_t text, Stop& stop) {
    std::uint32_t n_before = 0;
    for (const auto start : starts(text)) {
        auto& counts = counts_[start.ngram];
        n_before += counts.n++ > 0;
        ++counts.in_this_text;
        if (stop.asked(1)) return 0;
    }
    for (const auto start : starts(text)) {
        auto& counts = counts_[start.ngram];
        const auto n = counts.in_this_text;
        if (n == 0) continue;
        counts.in_this_text = 0;
        ++counts.n_texts;
        if (n > counts.most) {
            counts.most_of_rest = counts.most;
            counts.most = n;
            counts.owner = static_cast<std::uint32_t>(text);
        } else {
            counts.most_of_rest = std::max(counts.most_of_rest, n);
        }
    }
    return n_before;
}

void RepeatScratch::count(std::span<std::int64_t> into, std::size_t stride, Stop& stop) {
    counts_.assign(n_ngrams_, {});
    const auto n_texts = bounds_.size() - 1;
    for (std::size_t text = 0; text < n_texts; ++text) {
        into[stride * text + 1] = count_text(text, stop);
        if (stop.asked(0)) return;
    }
    for (std::size_t text = 0; text < n_texts; ++text) {
        std::int64_t matches = 0, others = 0;
        for (const auto start : starts(text)) ++counts_[start.ngram].in_this_text;
        for (const auto start : starts(text)) {
            auto& counts = counts_[start.ngram];
            if (counts.in_this_text == 0) continue;
            matches += std::min(counts.in_this_text, counts.owner == text ? counts.most_of_rest : counts.most);
            others += counts.n_texts - 1;
            counts.in_this_text = 0;
            if (stop.asked(1)) return;
        }
        into[stride * text] = matches;
        into[stride * text + 2] = others;
    }
}

void RepeatScratch::advance(Stop& stop) {
    // What occurs twice keeps its place, so that neighbours are seen.
    replace([&](std::span<const Start> old, std::span<Start> left) {
        const auto is_repeated = [&](Start start) { return counts_[start.ngram].n > 1; };
        return static_cast<std::size_t>(std::copy_if(old.begin(), old.end(), left.begin(), is_repeated) - left.begin());
    });
    table_.open(n_ngrams_, n_ngrams_, starts_.size());
    n_ngrams_ = 0;
    replace([&](std::span<const Start> old, std::span<Start> left) {
        std::size_t n_left = 0;
        for (std::size_t k = 0; k + 1 < old.size() && !stop.asked(1); ++k) {
            const auto start = old[k], next = old[k + 1];
            if (next.place != start.place + 1) continue;
            const auto ngram = table_.insert(start.ngram, next.ngram);
            n_ngrams_ = std::max<std::size_t>(n_ngrams_, ngram + 1);
            left[n_left++] = {start.place, ngram};
        }
        return n_left;
    });
}

void repeated_ngrams(const Tokens& tokens, std::size_t segment, std::size_t max_order, std::span<std::int64_t> counts,
                     RepeatScratch& scratch, Stop& stop) {
    scratch.open(tokens, segment);
    for (std::size_t order = 0; order < max_order && !scratch.is_done(); ++order) {
        if (order > 0) scratch.advance(stop);
        if (stop.asked(0)) return;
        scratch.count(counts.subspan(3 * order), 3 * max_order, stop);
    }
}

}  // namespace textgauge
