#include "scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace textgauge {
namespace {

// The order that nltk's methods 5 and 7 use as the next after the highest, whatever that is.
constexpr std::size_t nltk_next_order = 5;
// sacreBLEU's replacement of 0 / 0 in chrF.
constexpr double chrf_epsilon = 1e-16;

bool is_compensated = false;

double ratio(double part, double whole) { return whole != 0 ? part / whole : 0.0; }

// As Python's `sum`.
class Sum {
public:
    void add(double value) {
        const auto next = sum_ + value;
        if (is_compensated)
            lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const { return lost_ != 0 && std::isfinite(lost_) ? sum_ + lost_ : sum_; }

private:
    double sum_ = 0, lost_ = 0;
};

// As Python's `math.fsum` (Shewchuk 1997): without rounding but for the last step. Finite numbers.
class Fsum {
public:
    void add(double value) {
        std::size_t n = 0;
        for (auto part : parts_) {
            if (std::abs(value) < std::abs(part)) std::swap(value, part);
            const auto high = value + part, low = part - (high - value);
            if (low != 0) parts_[n++] = low;
            value = high;
        }
        parts_.resize(n);
        parts_.push_back(value);
    }
    double value() const {
        if (parts_.empty()) return 0;
        auto n = parts_.size();
        double high = parts_[--n], low = 0;
        while (n > 0 && low == 0) {
            const auto before = high, part = parts_[--n];
            high = before + part;
            low = part - (high - before);
        }
        // Half-way cases go to the even number only if nothing smaller is left.
        if (n > 0 && ((low < 0 && parts_[n - 1] < 0) || (low > 0 && parts_[n - 1] > 0))) {
            const auto twice = low * 2, nudged = high + twice;
            if (twice == nudged - high) high = nudged;
        }
        return high;
    }

private:
    std::vector<double> parts_;  // ascending, without overlapping bits
};

// A smoothed precision, not yet divided.
struct Share {
    double part, whole;

    double value() const { return ratio(part, whole); }
    double percent() const { return ratio(100 * part, whole); }
};

// The counts of one row of BLEU.
struct BleuRow {
    std::span<const double> matches, totals;
    double length, reference_length;

    explicit BleuRow(std::span<const double> row) {
        const auto n_orders = (row.size() - 2) / 2;
        matches = row.first(n_orders);
        totals = row.subspan(n_orders, n_orders);
        length = row[2 * n_orders];
        reference_length = row[2 * n_orders + 1];
    }
    double precision(std::size_t order) const { return ratio(matches[order - 1], totals[order - 1]); }
};

using Shares = std::vector<Share>;

// A number of nltk's, which computes with fractions until a float is among them: as an unevaluated sum, some 106 bits,
// or as a float, whose `low` is 0.
struct Number {
    double high = 0, low = 0;
    bool is_exact = true;
};

// Dekker (1971), A floating-point technique for extending the available precision: a sum with its error.
Number two_sum(double a, double b) {
    const auto sum = a + b, part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
}

Number rounded(double value) { return {value, 0, false}; }

Number operator+(const Number& a, const Number& b) {
    if (!a.is_exact || !b.is_exact) return rounded(a.high + b.high);
    const auto high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
    const auto middle = two_sum(high.high, high.low + low.high);
    return two_sum(middle.high, middle.low + low.low);
}

Number operator*(const Number& a, const Number& b) {
    if (!a.is_exact || !b.is_exact) return rounded(a.high * b.high);
    const auto product = a.high * b.high;
    return two_sum(product, std::fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high));
}

// Of a divisor that is not 0.
Number operator/(const Number& a, const Number& b) {
    if (!a.is_exact || !b.is_exact) return rounded(a.high / b.high);
    const auto first = a.high / b.high;
    const auto rest = a + b * Number{-first};
    const auto second = rest.high / b.high;
    const auto last = (rest + b * Number{-second}).high / b.high;
    const auto sum = two_sum(first, second);
    return two_sum(sum.high, sum.low + last);
}

Number fraction(double part, double whole) { return whole == 0 ? Number{} : Number{part} / Number{whole}; }

// nltk: 1 / (2^i K / ln(length)); the paper multiplies by K / ln(length) at each order without matches.
void halve(const BleuRow& row, const BleuRules& rules, Shares& shares) {
    const bool is_scaled = rules.smoothing != Smoothing::exp;
    double power = 1;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (row.matches[i] != 0) continue;
        power *= 2;
        if (!is_scaled)
            shares[i] = {1, power * row.totals[i]};
        else if (row.length > 1)
            shares[i].part = 1 / (power * rules.value / std::log(row.length));
    }
}

// Averages each precision with its smoothed lower and its unsmoothed higher neighbour.
void average(double next, Shares& shares) {
    auto below = shares[0].value() + 1;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const auto above = i + 1 < shares.size() ? shares[i + 1].value() : next;
        below = (below + shares[i].value() + above) / 3;
        shares[i] = {below, 1};
    }
}

void interpolate(const BleuRow& row, const BleuRules& rules, Shares& shares) {
    for (std::size_t i = 2; i < shares.size(); ++i) {
        const auto lower = shares[i - 1].value();
        const auto prior = ratio(lower * lower, shares[i - 2].value());
        shares[i] = {row.matches[i] + rules.value * prior, row.totals[i] + rules.value};
    }
}

// As nltk does, which has an exact precision where there are matches, or where nothing was smoothed.
void average_as_nltk(const BleuRow& row, const BleuRow& last, Shares& shares) {
    thread_local std::vector<Number> precisions;
    precisions.clear();
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const bool is_exact = row.matches[i] != 0 || shares[i].part == 0;
        precisions.push_back(is_exact ? fraction(shares[i].part, shares[i].whole) : rounded(shares[i].value()));
    }
    precisions.push_back(fraction(last.matches[nltk_next_order - 1], last.totals[nltk_next_order - 1]));
    auto below = precisions[0] + Number{1};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        below = (below + precisions[i] + precisions[i + 1]) / Number{3};
        shares[i] = {below.high, 1};
    }
}

// In fractions where the weight of the prior is whole.
void interpolate_as_nltk(const BleuRow& row, const BleuRules& rules, const BleuRow& last, Shares& shares) {
    const Number weight{rules.value, 0, rules.value == std::floor(rules.value)};
    Number lowest, lower;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        auto precision = fraction(row.matches[i], row.totals[i]);
        if (i >= 2) {
            const auto prior = lowest.high == 0 ? Number{} : lower * lower / lowest;
            const Number total{std::max(last.length - static_cast<double>(i), 0.0)};
            const auto whole = total + weight;
            // Of nothing, with a weight of 0: nltk divides by 0.
            precision = whole.high == 0 ? Number{} : (Number{row.matches[i]} + weight * prior) / whole;
        }
        shares[i] = {precision.high, 1};
        lowest = lower;
        lower = precision;
    }
}

// pycocoevalcap adds these to matches and to totals, and to the lengths, so that nothing is divided by 0.
constexpr double coco_tiny = 1e-15, coco_small = 1e-9;

void smooth(const BleuRow& row, const BleuRules& rules, const BleuRow& last, Shares& shares) {
    const bool is_nltk = rules.counting == Counting::nltk;
    const auto average_all = [&] {
        if (is_nltk) return average_as_nltk(row, last, shares);
        average(row.precision(rules.max_order + 1), shares);
    };
    const auto each = [&](auto change) {
        for (std::size_t i = 0; i < shares.size(); ++i) change(i, shares[i]);
    };
    switch (rules.smoothing) {
        case Smoothing::add_one: return each([](std::size_t, Share& s) { s = {s.part + 1, s.whole + 1}; });
        case Smoothing::none:
        case Smoothing::add_k:
            // As nltk does without smoothing.
            if (is_nltk && (rules.smoothing == Smoothing::none || rules.value == 0))
                return each([](std::size_t, Share& s) {
                    if (s.part == 0) s = {std::numeric_limits<double>::min(), 1};
                });
            if (rules.smoothing == Smoothing::none) return;
            return each([&](std::size_t i, Share& s) { if (i > 0) s = {s.part + rules.value, s.whole + rules.value}; });
        case Smoothing::floor: return each([&](std::size_t, Share& s) { if (s.part == 0) s.part = rules.value; });
        case Smoothing::epsilon: return each([&](std::size_t, Share& s) { if (s.part == 0) s = {rules.value, 1}; });
        case Smoothing::exp:
        case Smoothing::method_4: return halve(row, rules, shares);
        case Smoothing::method_5: return average_all();
        case Smoothing::method_6:
            return is_nltk ? interpolate_as_nltk(row, rules, last, shares) : interpolate(row, rules, shares);
        case Smoothing::method_7: halve(row, rules, shares); return average_all();
        default: return;
    }
}

// The weights of the precisions; with effective order those without n-grams leave theirs to the others.
void weigh(const BleuRow& row, const BleuRules& rules, std::span<double> weights) {
    const auto equal = 1 / static_cast<double>(weights.size());
    const bool adds = rules.smoothing == Smoothing::add_one ||
        (rules.smoothing == Smoothing::add_k && rules.value != 0);
    double all = 0, kept = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = rules.weights.empty() ? equal : rules.weights[i];
        all += weights[i];
        if (rules.effective_order && !adds && !(row.totals[i] > 0)) weights[i] = 0;
        kept += weights[i];
    }
    if (kept != all)
        for (auto& weight : weights) weight = ratio(weight * all, kept);
}

// The geometric mean of the precisions, 0 if one is 0 unless nltk skips it; in percent if these are.
double geometric_mean(const BleuRules& rules, std::span<const double> precisions, std::span<const double> weights) {
    if (rules.counting == Counting::coco) {
        double product = 1;
        for (const auto precision : precisions) product *= precision;
        return std::pow(product, 1 / static_cast<double>(precisions.size()));
    }
    const bool skips_zeros = rules.counting == Counting::nltk;
    // Where tools have no weights they divide the sum.
    const bool divides = rules.weights.empty() && rules.counting != Counting::plain && !skips_zeros;
    std::size_t n = 0;
    Sum sum;
    Fsum exact;
    double plain = 0;
    for (std::size_t i = 0; i < precisions.size(); ++i) {
        if (!(weights[i] > 0)) continue;
        if (precisions[i] == 0 && skips_zeros) continue;
        if (precisions[i] == 0) return 0;
        const auto log = std::log(precisions[i]), term = divides ? log : weights[i] * log;
        ++n;
        if (skips_zeros)
            exact.add(term);
        else
            sum.add(term);
        plain += term;
    }
    if (skips_zeros) return std::exp(exact.value());
    if (n == 0) return 0;
    if (!divides) return std::exp(sum.value());
    // Perl adds without compensation.
    return std::exp((rules.counting == Counting::sacrebleu ? sum.value() : plain) / static_cast<double>(n));
}

double brevity_penalty(const BleuRow& row, Counting counting) {
    if (counting == Counting::coco) {
        const auto lengths = (row.length + coco_tiny) / (row.reference_length + coco_small);
        return lengths < 1 ? std::exp(1 - 1 / lengths) : 1.0;
    }
    if (row.length == 0) return 0;
    if (counting != Counting::plain)
        return row.length < row.reference_length ? std::exp(1 - row.reference_length / row.length) : 1.0;
    // The `bleu` module divides 1 by the ratio.
    const auto lengths = ratio(row.length, row.reference_length);
    return row.reference_length == 0 || lengths > 1 ? 1.0 : std::exp(1 - 1 / lengths);
}

double f_of(double precision, double recall, double square) {
    return ratio((1 + square) * precision * recall, square * precision + recall);
}

}  // namespace

void set_compensated(bool compensated) { is_compensated = compensated; }

std::size_t BleuRules::n_orders() const {
    if (smoothing != Smoothing::method_5 && smoothing != Smoothing::method_7) return max_order;
    return counting == Counting::nltk ? std::max(max_order, nltk_next_order) : max_order + 1;
}

void bleu_scores(std::span<const double> given, const BleuRules& rules, std::span<double> scores) {
    const BleuRow row(given), last(rules.last.empty() ? given : std::span<const double>(rules.last));
    const auto n = rules.max_order;
    const auto precisions = scores.subspan(4, n), weights = scores.subspan(4 + n, n);
    thread_local Shares shares;
    shares.clear();
    for (std::size_t i = 0; i < n; ++i) shares.push_back({row.matches[i], row.totals[i]});
    smooth(row, rules, last, shares);
    if (rules.counting == Counting::coco)
        for (auto& share : shares) share = {share.part + coco_tiny, share.whole + coco_small};
    const bool is_always = rules.smoothing == Smoothing::none || rules.smoothing == Smoothing::add_one;
    if (rules.counting == Counting::mteval) {
        for (std::size_t i = 0; i < n; ++i)
            if (!(row.totals[i] > 0)) shares[i] = {1, 1};
    } else if (!is_always && !(row.matches[0] > 0)) {
        // As in sacreBLEU and nltk, before smoothing.
        std::fill(shares.begin(), shares.end(), Share{0, 1});
    }
    weigh(row, rules, weights);
    // With weights of any sum, a mean of percents is no percent.
    const bool is_percent = rules.counting == Counting::sacrebleu && rules.weights.empty();
    for (std::size_t i = 0; i < n; ++i) precisions[i] = is_percent ? shares[i].percent() : shares[i].value();
    // Where nltk's method 6 fails, there is nothing that it interpolates.
    const bool is_zero = rules.counting == Counting::nltk &&
        (!(row.matches[0] > 0) || (rules.smoothing == Smoothing::method_6 && !(row.matches[std::min<std::size_t>(n, 3) - 1] > 0)));
    const auto mean = is_zero ? 0 : geometric_mean(rules, precisions, weights);
    const auto penalty = brevity_penalty(row, rules.counting);
    auto bleu = penalty * mean;
    // Else smoothing would credit a match with nothing.
    const bool is_allowed = rules.counting == Counting::sacrebleu || rules.counting == Counting::nltk ||
        rules.counting == Counting::coco;
    if (!is_allowed && row.reference_length == 0) bleu = 0;
    if (is_percent != rules.percent) bleu = rules.percent ? bleu * 100 : bleu / 100;
    for (std::size_t i = 0; i < n; ++i) precisions[i] = rules.percent ? shares[i].percent() : shares[i].value();
    scores[0] = bleu;
    scores[1] = penalty;
    scores[2] = ratio(row.length, row.reference_length);
    scores[3] = is_percent ? mean / 100 : mean;
}

void f_scores(std::span<const double> row, const FRules& rules, std::span<double> scores) {
    std::size_t i = 0;
    for (const auto weight : rules.weights) {
        auto precision = ratio(row[i], row[i + 1]), recall = ratio(row[i], row[i + 2]);
        if (weight != 1) {
            // A share that is exactly 1 may exceed 1 in its last bit.
            precision = std::min(std::pow(precision, 1 / weight), 1.0);
            recall = std::min(std::pow(recall, 1 / weight), 1.0);
        }
        if (rules.rounded) {
            precision = five_decimals(precision);
            recall = five_decimals(recall);
        }
        const auto f = rules.alpha < 0 ? f_of(precision, recall, rules.square)
                                       : ratio(precision * recall,
                                           (1 - rules.alpha) * precision + rules.alpha * recall);
        scores[i++] = precision;
        scores[i++] = recall;
        scores[i++] = rules.rounded ? five_decimals(f) : f;
    }
    for (; i < row.size(); ++i) scores[i] = row[i];
}

void chrf_scores(std::span<const double> row, const ChrfRules& rules, std::span<double> scores) {
    const auto n = row.size() / 3;
    double precisions = 0, recalls = 0, fs = 0, n_both = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto hypothesis = row[i], reference = row[n + i], matches = row[2 * n + i];
        // In sacreBLEU hypotheses have no n-grams of an order that the reference lacks.
        const bool has_both = hypothesis > 0 && reference > 0;
        auto precision = ratio(matches, hypothesis), recall = ratio(matches, reference);
        if (has_both) {
            precisions += precision;
            recalls += recall;
            ++n_both;
        }
        if (rules.eps_smoothing) {
            if (!has_both) precision = chrf_epsilon;
            if (!(reference > 0)) recall = chrf_epsilon;
        }
        const auto below = rules.square * precision + recall;
        const auto f = below > 0 ? (1 + rules.square) * precision * recall / below : chrf_epsilon;
        fs += f;
        if (rules.parts) {
            scores[3 + i] = precision;
            scores[3 + n + i] = recall;
            scores[3 + 2 * n + i] = f;
        }
    }
    const auto precision = ratio(precisions, n_both), recall = ratio(recalls, n_both);
    const auto whole = rules.percent ? 100.0 : 1.0;
    scores[0] = rules.eps_smoothing ? whole * fs / static_cast<double>(n) : whole * f_of(precision, recall, rules.square);
    if (rules.parts) {
        scores[1] = precision;
        scores[2] = recall;
    }
}

double ter_score(std::span<const double> row) {
    const auto edits = row[0], words = row[1];
    return words > 0 ? edits / words : edits > 0 ? 1.0 : 0.0;
}

void error_rates(std::span<const double> row, std::span<double> scores) {
    const auto hits = row[0], substitutions = row[1], deletions = row[2], insertions = row[3];
    const auto reference = hits + substitutions + deletions, hypothesis = hits + substitutions + insertions;
    const auto edits = substitutions + deletions + insertions;
    double preserved = hypothesis > 0 ? 0 : 1;
    if (reference > 0) preserved = ratio(hits, reference) * ratio(hits, hypothesis);
    scores[0] = reference > 0 ? edits / reference : insertions;
    scores[1] = ratio(edits, hits + edits);
    scores[2] = 1 - preserved;
    scores[3] = preserved;
}

namespace {

constexpr std::size_t n_sari_orders = 4;
using SariOrders = std::span<const double, n_sari_orders>;

double mean_of_orders(SariOrders values) { return (values[0] + values[1] + values[2] + values[3]) / 4; }

double sari_f(double precision, double recall) { return ratio(2 * precision * recall, precision + recall); }

double sari_part(SariOrders right, SariOrders own, SariOrders wanted, bool is_f, bool mean_first) {
    std::array<double, n_sari_orders> precisions, recalls, fs;
    for (std::size_t i = 0; i < n_sari_orders; ++i) {
        precisions[i] = ratio(right[i], own[i]);
        recalls[i] = ratio(right[i], wanted[i]);
        fs[i] = sari_f(precisions[i], recalls[i]);
    }
    if (!is_f) return mean_of_orders(precisions);
    return mean_first ? sari_f(mean_of_orders(precisions), mean_of_orders(recalls)) : mean_of_orders(fs);
}

// 1/2 where the hypotheses have two thirds of the words of the references.
double nist_penalty(double lengths) {
    if (!(lengths > 0 && lengths < 1)) return std::min(lengths, 1.0);
    return std::exp(std::log(0.5) / std::pow(std::log(1.5), 2.0) * std::pow(std::log(lengths), 2.0));
}

}  // namespace

void sari_scores(std::span<const double> row, SariRules rules, std::span<double> scores) {
    const auto orders = [&](std::size_t k) { return row.subspan(n_sari_orders * k).first<n_sari_orders>(); };
    for (std::size_t part = 0; part < 3; ++part)
        scores[part + 1] = row.size() == 3 * n_sari_orders
                               ? mean_of_orders(orders(part))
                               : sari_part(orders(3 * part), orders(3 * part + 1), orders(3 * part + 2),
                                           rules.f_of_deletion || part != 1, rules.mean_first);
    scores[0] = (scores[1] + scores[2] + scores[3]) / 3;
}

double meteor_score(std::span<const double> row, MeteorWeights weights) {
    const auto matches = row[0], chunks = row[1];
    if (matches == 0 || row[2] == 0 || row[3] == 0) return 0;
    const auto precision = matches / row[2], recall = matches / row[3];
    // Where alpha is 0 or 1 nothing divides by zero: with a match neither share is 0.
    const auto mean = precision * recall / (weights.alpha * precision + (1 - weights.alpha) * recall);
    return (1 - weights.gamma * std::pow(chunks / matches, weights.beta)) * mean;
}

void nist_scores(std::span<const double> row, std::span<double> scores) {
    const auto n = row.size() / 2 - 1;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += scores[2 + i] = ratio(row[i], row[n + i]);
    scores[1] = nist_penalty(ratio(row[2 * n], row[2 * n + 1]));
    scores[0] = sum * scores[1];
}

double five_decimals(double value) {
    const auto scaled = value * 1e5, rest = std::fma(value, 1e5, -scaled);
    const auto whole = std::floor(scaled), beyond = scaled - whole - 0.5;
    // The exact product is scaled + rest, and `rest` is smaller than any difference of `beyond` from 0.
    const bool is_up = beyond != 0 ? beyond > 0 : rest != 0 ? rest > 0 : std::fmod(whole, 2) != 0;
    return (is_up ? whole + 1 : whole) / 1e5;
}

}  // namespace textgauge
