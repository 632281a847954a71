// From rows of counts to scores: BLEU, F, chrF, TER, WER, SARI,
// NIST. Each tool's own order of operations, on numbers of 64 bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace textgauge {

// What replaces a precision of 0; see `plain/scores.py`.
enum class Smoothing { none, add_one, add_k, floor, exp, epsilon, method_4, method_5, method_6, method_7, n };
// Whose rules score orders without n-grams and empty references, and whose order of operations is followed.
enum class Counting { plain, sacrebleu, mteval, nltk, moses, coco, n };

struct BleuRules {
    std::size_t max_order;
    Smoothing smoothing;
    double value;                  // of the smoothing
    std::vector<double> weights;   // shape (max_order,), or empty: equal ones
    bool effective_order;
    Counting counting;
    bool percent;
    std::vector<double> last;      // the row of the last segment, or empty: the row itself

    std::size_t n_scores() const { return 4 + 2 * max_order; }
    // The orders that a row must have.
    std::size_t n_orders() const;
};

struct FRules {
    std::vector<double> weights;   // shape (n_types,): of ROUGE-W, 1 for others
    double square;                 // of beta
    double alpha;                  // instead of beta, if it is at least 0
    bool rounded;
};

struct ChrfRules {
    double square;  // of beta
    bool eps_smoothing, percent, parts;

    std::size_t n_scores(std::size_t n_orders) const { return parts ? 3 + 3 * n_orders : 1; }
};

// Python's `sum` of floats is compensated (Neumaier) from 3.12 on. The tools call it, so that the last bit of
// their figures depends on Python; ours follow.
void set_compensated(bool is_compensated);

// Row: matches and totals of every order, the two lengths. Scores: BLEU, brevity penalty, length ratio, geometric
// mean, then the precisions and their weights, one per order.
void bleu_scores(std::span<const double> row, const BleuRules& rules, std::span<double> scores);

// Row: for every type matches, the hypothesis's units, the reference's; any further numbers stay. Scores: precision,
// recall and F instead of each three.
void f_scores(std::span<const double> row, const FRules& rules, std::span<double> scores);

// Row: the hypothesis's n-grams of every order, the reference's, the matches. Scores: chrF; with parts mean precision,
// mean recall, then precision, recall and F of every order.
void chrf_scores(std::span<const double> row, const ChrfRules& rules, std::span<double> scores);

// Row: edits, words of the reference. Edits per word; without words, 1 if there is an edit, else 0.
double ter_score(std::span<const double> row);

// Row: hits, substitutions, deletions, insertions. Scores: word error rate, match error rate, information lost and
// information preserved (Morris et al. 2004), also of characters. Without a token of the references the first is the
// number of insertions, as in jiwer 4.
inline constexpr std::size_t n_error_rates = 4;
void error_rates(std::span<const double> row, std::span<double> scores);

// Row: 12 shares of SARI, or 36 counts, of which deletion may be judged by precision alone, and means over orders may be
// taken before F. Scores: SARI, keep, delete, add.
struct SariRules {
    bool f_of_deletion, mean_first;
};
void sari_scores(std::span<const double> row, SariRules rules, std::span<double> scores);

// Row: matches, chunks, words of the hypothesis and of the reference. METEOR in nltk's order of operations; 0 without a
// match or a word on one side.
struct MeteorWeights {
    double alpha, beta, gamma;
};
double meteor_score(std::span<const double> row, MeteorWeights weights);

// Row: information and n-grams of every order, the two lengths. Scores: NIST, the factor for the length, and the
// information per n-gram of every order.
void nist_scores(std::span<const double> row, std::span<double> scores);

// As C's printf with "%.5f" rounds: by the exact value of the double.
double five_decimals(double value);

}  // namespace textgauge
