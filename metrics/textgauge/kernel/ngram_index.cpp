#include "ngram_index.hpp"

#include <algorithm>
#include <utility>

namespace textgauge {

namespace {

// An item that at least one in so many columns has is a row of ones and zeros: its memory is at most
// twice that of the list.
constexpr std::size_t dense_share = 8;
constexpr std::uint32_t none = PairTable::none;

// The items of all texts, from their n-grams.
struct Items {
    std::vector<std::size_t> opens{0};  // shape (n_texts + 1,), into ids
    std::vector<std::uint32_t> ids;
    std::vector<std::uint32_t> n_rows, n_columns;  // by item: how many have it

    Items(const NumberedNgrams& ngrams, Sides sides, Stop& stop) {
        // The first item of an n-gram has its number; the item of the occurrence after is found from the one before.
        std::vector<std::uint32_t> next(ngrams.n_ngrams(), none), last(ngrams.n_ngrams(), none);
        n_rows.resize(next.size());
        n_columns.resize(next.size());
        for (std::size_t text = 0; text < ngrams.n_texts(); ++text) {
            const auto starts = ngrams.starts(text);
            for (const auto [place, ngram] : starts) {
                const auto item = last[ngram] == none ? ngram : after(last[ngram], next);
                last[ngram] = item;
                ids.push_back(item);
                n_rows[item] += sides.is_row(text);
                n_columns[item] += sides.is_column(text);
            }
            for (const auto start : starts) last[start.ngram] = none;
            opens.push_back(ids.size());
            if (stop.asked(8 * starts.size() + 1)) return;
        }
    }

private:
    std::uint32_t after(std::uint32_t item, std::vector<std::uint32_t>& next) {
        if (next[item] == none) {
            next[item] = static_cast<std::uint32_t>(next.size());
            next.push_back(none);
            n_rows.push_back(0);
            n_columns.push_back(0);
        }
        return next[item];
    }
};

}  // namespace

NumberedNgrams::NumberedNgrams(const Tokens& tokens, Sides sides, Kept kept, Stop& stop)
    : tokens_(tokens), sides_(sides), kept_(kept) {
    starts_.reserve(tokens.ids.size());
    opens_.push_back(0);
    for (std::size_t text = 0; text < tokens.n_texts(); ++text) {
        const auto ids = tokens.text(text);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            starts_.push_back({static_cast<std::uint32_t>(i), ids[i]});
            n_ngrams_ = std::max<std::size_t>(n_ngrams_, ids[i] + std::size_t{1});
        }
        opens_.push_back(starts_.size());
    }
    sift(stop);
}

void NumberedNgrams::advance(Stop& stop) {
    // The first of two neighbouring n-grams, with the last token of the other, names the n-gram of both.
    table_.open(n_ngrams_, tokens_.ids.size() + 1, starts_.size());
    n_ngrams_ = 0;
    std::size_t n_left = 0, open = 0;
    for (std::size_t text = 0; text < n_texts(); ++text) {
        const auto close = opens_[text + 1];
        const auto ids = tokens_.text(text);
        for (auto k = open; k + 1 < close; ++k) {
            const auto start = starts_[k];
            if (starts_[k + 1].place != start.place + 1) continue;
            const auto ngram = table_.insert(start.ngram, ids[start.place + order_]);
            n_ngrams_ = std::max<std::size_t>(n_ngrams_, ngram + std::size_t{1});
            starts_[n_left++] = {start.place, ngram};
        }
        opens_[text + 1] = n_left;
        if (stop.asked(8 * (close - open) + 1)) return;
        open = close;
    }
    starts_.resize(n_left);
    ++order_;
    sift(stop);
}

void NumberedNgrams::sift(Stop& stop) {
    struct Seen {
        std::uint32_t last_text = none;
        bool in_row = false, in_column = false, in_two = false;
    };
    std::vector<Seen> seen(n_ngrams_);
    for (std::size_t text = 0; text < n_texts(); ++text)
        for (const auto start : starts(text)) {
            auto& ngram = seen[start.ngram];
            ngram.in_two |= ngram.last_text != none && ngram.last_text != text;
            ngram.last_text = static_cast<std::uint32_t>(text);
            ngram.in_row |= sides_.is_row(text);
            ngram.in_column |= sides_.is_column(text);
        }
    std::vector<std::uint32_t> number_of(n_ngrams_, none);
    std::size_t n_left = 0, n_numbers = 0, open = 0;
    for (std::size_t text = 0; text < n_texts(); ++text) {
        const auto close = opens_[text + 1];
        for (auto k = open; k < close; ++k) {
            const auto start = starts_[k];
            const auto& ngram = seen[start.ngram];
            if (!ngram.in_row || !ngram.in_column || (kept_ == Kept::of_two && !ngram.in_two)) continue;
            auto& number = number_of[start.ngram];
            if (number == none) number = static_cast<std::uint32_t>(n_numbers++);
            starts_[n_left++] = {start.place, number};
        }
        opens_[text + 1] = n_left;
        if (stop.asked(4 * (close - open) + 1)) return;
        open = close;
    }
    starts_.resize(n_left);
    n_ngrams_ = n_numbers;
}

NgramIndex::NgramIndex(const Tokens& tokens, std::size_t max_order, Sides sides, Stop& stop)
    : sides_(sides), max_order_(max_order) {
    for (std::size_t text = 0; text < tokens.n_texts(); ++text) lengths_.push_back(tokens.text(text).size());
    NumberedNgrams ngrams(tokens, sides, Kept::of_two, stop);
    while (!ngrams.is_over()) {
        add_order(ngrams, stop);
        if (ngrams.order() == max_order || stop.asked(1)) return;
        ngrams.advance(stop);
    }
}

void NgramIndex::add_order(const NumberedNgrams& ngrams, Stop& stop) {
    const Items found(ngrams, sides_, stop);
    if (stop.asked(1)) return;
    auto& order = orders_.emplace_back();
    const auto n_columns = n_texts() - sides_.first_column;
    // Numbers of the items that rows and columns have, those of `ones` before the others.
    std::vector<std::uint32_t> number_of(found.n_rows.size(), none);
    const auto is_shared = [&](std::size_t item) { return found.n_rows[item] > 0 && found.n_columns[item] > 0; };
    const auto is_dense = [&](std::size_t item) { return found.n_columns[item] * dense_share >= n_columns; };
    for (std::size_t item = 0; item < number_of.size(); ++item)
        if (is_shared(item) && is_dense(item)) number_of[item] = static_cast<std::uint32_t>(order.n_dense++);
    order.list_opens.push_back(0);
    for (std::size_t item = 0; item < number_of.size(); ++item)
        if (is_shared(item) && !is_dense(item)) {
            number_of[item] = static_cast<std::uint32_t>(order.n_dense + order.list_opens.size() - 1);
            order.list_opens.push_back(order.list_opens.back() + found.n_columns[item]);
        }
    order.ones.resize(order.n_dense * n_columns);
    order.texts.resize(order.list_opens.back());
    order.opens.push_back(0);
    auto ends = order.list_opens;
    for (std::size_t text = 0; text < n_texts(); ++text) {
        for (auto k = found.opens[text]; k < found.opens[text + 1]; ++k) {
            const auto item = number_of[found.ids[k]];
            if (item == none) continue;
            if (sides_.is_row(text)) order.items.push_back(item);
            if (!sides_.is_column(text)) continue;
            if (item < order.n_dense)
                order.ones[item * n_columns + text - sides_.first_column] = 1;
            else
                order.texts[ends[item - order.n_dense]++] = static_cast<std::uint32_t>(text);
        }
        if (sides_.is_row(text)) {
            const auto own = order.items.begin() + static_cast<std::ptrdiff_t>(order.opens.back());
            std::partition(own, order.items.end(), [&](std::uint32_t item) { return item < order.n_dense; });
            order.opens.push_back(order.items.size());
        }
        if (stop.asked(16 * (found.opens[text + 1] - found.opens[text]) + 1)) return;
    }
}

void NgramIndex::add_matches(std::size_t row, std::size_t order, std::size_t first, std::span<std::int32_t> matches,
                             MatchScratch& scratch) const {
    // What a text shares with itself, the index need not have.
    const auto own = row >= first && row - first < matches.size() ? row - first : matches.size();
    if (order <= orders_.size()) {
        const auto& index = orders_[order - 1];
        const auto items = std::span(index.items).subspan(index.opens[row], index.opens[row + 1] - index.opens[row]);
        const auto n_columns = n_texts() - sides_.first_column, n = matches.size();
        auto& counts = scratch.counts;
        counts.assign(n, 0);
        std::size_t k = 0;
        const auto pour = [&] {
            for (std::size_t j = 0; j < n; ++j) matches[j] += counts[j];
            std::fill(counts.begin(), counts.end(), std::uint8_t{0});
        };
        for (; k < items.size() && items[k] < index.n_dense; ++k) {
            const auto* ones = &index.ones[items[k] * n_columns + first - sides_.first_column];
            auto* const to = counts.data();
            for (std::size_t j = 0; j < n; ++j) to[j] = static_cast<std::uint8_t>(to[j] + ones[j]);
            // A byte has no room for more.
            if (k % 255 == 254) pour();
        }
        pour();
        const auto last = first + n;
        for (; k < items.size(); ++k) {
            const auto list = items[k] - index.n_dense;
            const auto* text = index.texts.data() + index.list_opens[list];
            const auto* const end = index.texts.data() + index.list_opens[list + 1];
            if (first > sides_.first_column) text = std::lower_bound(text, end, first);
            for (; text != end && *text < last; ++text) ++matches[*text - first];
        }
    }
    if (own < matches.size())
        matches[own] = static_cast<std::int32_t>(lengths_[row] < order ? 0 : lengths_[row] - order + 1);
}

void weighted_ngram_matches(const Tokens& tokens, std::size_t max_order, Sides sides, std::span<const double> weights,
                            std::span<double> matches, Stop& stop) {
    NumberedNgrams ngrams(tokens, sides, Kept::all, stop);
    std::vector<double> sums;
    std::vector<std::uint32_t> counts;  // zeros between texts
    for (std::size_t order = 1; order <= max_order && !ngrams.is_over() && !stop.asked(1); ++order) {
        if (order > 1) ngrams.advance(stop);
        sums.assign(ngrams.n_ngrams(), 0.0);
        counts.assign(ngrams.n_ngrams(), 0);
        // Calls visit(n-gram, count) for those of a text, in the order in which they come first.
        const auto each = [&](std::size_t text, auto visit) {
            for (const auto start : ngrams.starts(text)) ++counts[start.ngram];
            for (const auto start : ngrams.starts(text))
                if (const auto count = std::exchange(counts[start.ngram], 0)) visit(start.ngram, double(count));
        };
        for (auto text = sides.first_column; text < ngrams.n_texts(); ++text)
            each(text, [&](auto ngram, double count) { sums[ngram] += weights[text - sides.first_column] * count; });
        for (std::size_t row = 0; row < sides.n_rows && !stop.asked(8 * ngrams.starts(row).size() + 1); ++row) {
            auto& sum = matches[row * max_order + order - 1];
            each(row, [&](auto ngram, double count) { sum += std::min(count, sums[ngram]); });
        }
    }
}

}  // namespace textgauge
