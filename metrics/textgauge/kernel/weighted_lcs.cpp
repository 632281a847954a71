#include "weighted_lcs.hpp"

#include <algorithm>
#include <cmath>

namespace textgauge {

namespace {

// Words of directions that are held at once; a kept row takes about a hundred times a row of directions.
constexpr std::size_t most_direction_words = std::size_t{1} << 19;
constexpr double kept_per_directions = 100;

// The sum over a reference's sentences of what its counted runs weigh.
double weight_of_runs(WeightedScratch& scratch) {
    auto& pairs = scratch.pairs;
    double sum = 0;
    for (std::size_t k = 0; k < pairs.reference.size(); ++k) {
        const auto kind = pairs.reference.kind_of(k);
        const auto sentence = pairs.reference.kind(kind);
        const auto marked = pairs.marked(kind);
        std::size_t run = 0;
        for (std::size_t i = 0; i < sentence.size(); ++i) {
            if (!marked[i] || !scratch.allowed.take(sentence[i])) continue;
            ++run;
            if (i + 1 == sentence.size() || !marked[i + 1]) {
                sum += scratch.table.power(run);
                run = 0;
            }
        }
    }
    return sum;
}

}  // namespace

double WeightedTable::power(std::size_t k) {
    while (powers_.size() <= k) powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight_));
    return powers_[k];
}

void WeightedTable::open(Ids hypothesis, Ids reference, std::size_t n_ids) {
    Cells seen(seen_, hypothesis, n_ids);
    rows_.clear();
    places_.clear();
    columns_.clear();
    for (const auto id : hypothesis) seen[id] = 1;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const bool is_shared = seen[reference[i]] != 0;
        if (is_shared) seen[reference[i]] = 2;
        if (!is_shared && !rows_.empty() && rows_.back() == no_row) continue;
        rows_.push_back(is_shared ? reference[i] : no_row);
        places_.push_back(static_cast<std::uint32_t>(i));
    }
    for (const auto id : hypothesis) {
        const bool is_shared = seen[id] == 2;
        if (!is_shared && !columns_.empty() && columns_.back() == no_column) continue;
        columns_.push_back(is_shared ? id : no_column);
    }
    power(std::min(rows_.size(), columns_.size()) + 1);
}

void WeightedTable::clear_row() {
    scores_.assign(columns_.size(), 0);
    runs_.assign(columns_.size(), 0);
}

// The sum is made in this order, as in the ROUGE-1.5.5 script: ties fall the same way.
template <bool keeps_directions>
void WeightedTable::fill_row(std::uint32_t token, std::uint64_t* directions) {
    double corner = 0, left = 0;
    std::uint32_t corner_run = 0;
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
        const auto up = scores_[j];
        const auto up_run = runs_[j];
        if constexpr (keeps_directions) {
            bits |= std::uint64_t{up >= left} << j % word_bits;
            if ((j + 1) % word_bits == 0 || j + 1 == columns_.size()) {
                directions[j / word_bits] = bits;
                bits = 0;
            }
        }
        const bool is_match = columns_[j] == token;
        left = is_match ? corner + powers_[corner_run + 1] - powers_[corner_run] : std::max(up, left);
        scores_[j] = left;
        runs_[j] = is_match ? corner_run + 1 : 0;
        corner = up;
        corner_run = up_run;
    }
}

double WeightedTable::weight(Stop& stop) {
    clear_row();
    for (const auto token : rows_) {
        fill_row<false>(token, nullptr);
        if (stop.asked(columns_.size())) return 0;
    }
    return scores_.empty() ? 0 : scores_.back();
}

// Keeps the row before every stride-th one; returns the stride.
std::size_t WeightedTable::keep_rows(Stop& stop) {
    const auto n = rows_.size();
    auto stride = std::max<std::size_t>(n, 1);
    if (n * n_words() > most_direction_words)
        stride = static_cast<std::size_t>(std::sqrt(kept_per_directions * static_cast<double>(n))) + 1;
    clear_row();
    kept_scores_ = scores_;
    kept_runs_ = runs_;
    if (stride >= n) return stride;
    for (std::size_t i = 0; i + 1 < n && !stop.asked(columns_.size()); ++i) {
        fill_row<false>(rows_[i], nullptr);
        if ((i + 1) % stride != 0) continue;
        kept_scores_.insert(kept_scores_.end(), scores_.begin(), scores_.end());
        kept_runs_.insert(kept_runs_.end(), runs_.begin(), runs_.end());
    }
    return stride;
}

void WeightedTable::fill_directions(std::size_t kept, std::size_t first, std::size_t last, Stop& stop) {
    std::copy_n(&kept_scores_[kept * columns_.size()], columns_.size(), scores_.begin());
    std::copy_n(&kept_runs_[kept * columns_.size()], columns_.size(), runs_.begin());
    if (directions_.size() < (last - first) * n_words()) directions_.resize((last - first) * n_words());
    for (auto i = first; i < last && !stop.asked(columns_.size()); ++i)
        fill_row<true>(rows_[i], &directions_[(i - first) * n_words()]);
}

void weighted_lcs(const Tokens& tokens, std::size_t segment, double weight, std::span<double> weights,
                  WeightedScratch& scratch, Stop& stop) {
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    scratch.table.set_weight(weight);
    for (std::size_t r = 0; r < weights.size() && !stop.asked(1); ++r) {
        scratch.table.open(tokens.text(first), tokens.text(first + 1 + r), tokens.n_tokens(segment));
        weights[r] = scratch.table.weight(stop);
    }
}

void union_weighted_lcs(const Tokens& tokens, std::size_t segment, double weight, Limits limits,
                        std::span<double> weights, WeightedScratch& scratch, Stop& stop) {
    auto& pairs = scratch.pairs;
    auto& table = scratch.table;
    const auto first = static_cast<std::size_t>(tokens.segments[segment]);
    const auto n_ids = tokens.n_tokens(segment);
    table.set_weight(weight);
    const auto hypothesis = pairs.open_hypothesis(tokens, first, n_ids);
    for (std::size_t r = 0; r < weights.size() && !stop.asked(1); ++r) {
        pairs.open_reference(tokens, first + 1 + r);
        for (std::size_t kind = 0; kind < pairs.reference.n_kinds() && !stop.asked(1); ++kind) {
            const auto sentence = pairs.reference.kind(kind);
            const auto marked = pairs.marked(kind);
            std::fill(marked.begin(), marked.end(), std::uint8_t{0});
            pairs.for_each_partner(sentence, [&](Ids partner, std::span<const std::uint32_t>) {
                table.open(partner, sentence, n_ids);
                table.back([&](std::uint32_t place) { marked[place] = 1; }, stop);
            });
        }
        const auto allowed = scratch.allowed.open(tokens, segment, first + 1 + r, limits);
        weights[r] = weight_of_runs(scratch);
    }
}

}  // namespace textgauge
