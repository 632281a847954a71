// The formulas for Python: rows of counts in, scores out.
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "bindings.hpp"
#include "scores.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {
namespace {

using RowArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using Weights = std::vector<double>;

std::size_t n_columns(const RowArray& rows) {
    if (rows.ndim() == 0) throw nb::value_error("rows: expected at least one axis");
    if (rows.dtype() != nb::dtype<std::int64_t>() && rows.dtype() != nb::dtype<double>())
        throw nb::type_error("rows: expected int64 or float64");
    return rows.shape(rows.ndim() - 1);
}

// score(row, scores) for every row, whatever the leading axes; scores are kept score by score.
template <class Number, class Score>
void score_each(const RowArray& rows, std::size_t n_in, std::size_t n_out, std::span<double> scores, int n_threads,
                Score score) {
    const auto* const given = static_cast<const Number*>(rows.data());
    const auto n_rows = n_out ? scores.size() / n_out : 0;
    const auto score_some = [&](std::size_t first, std::size_t last) {
        std::vector<double> row(std::is_same_v<Number, double> ? 0 : n_in), found(n_out);
        const auto row_at = [&](std::size_t i) {
            const std::span counts(given + i * n_in, n_in);
            if constexpr (std::is_same_v<Number, double>) {
                return counts;
            } else {
                std::ranges::transform(counts, row.begin(), [](Number n) { return static_cast<double>(n); });
                return std::span<const double>(row);
            }
        };
        for (auto i = first; i < last; ++i) {
            score(row_at(i), std::span(found));
            for (std::size_t k = 0; k < n_out; ++k) scores[k * n_rows + i] = found[k];
        }
    };
    if (n_threads < 2) return score_some(0, n_rows);
    struct None {};
    const auto n_blocks = 8 * static_cast<std::size_t>(n_threads);
    for_each_segment<None>(n_blocks, n_threads, [&](None&, std::size_t block, Stop&) {
        score_some(block * n_rows / n_blocks, (block + 1) * n_rows / n_blocks);
    });
}

// An array, shape (n_out, ...); a list of the numbers of a single row, which is faster to make.
template <class Score>
nb::object scored(const RowArray& rows, std::size_t n_out, Score score, int n_threads = 1) {
    constexpr std::size_t most_axes = 4;
    const auto n_in = n_columns(rows), n_axes = rows.ndim();
    if (n_axes > most_axes) throw nb::value_error("rows: expected at most 4 axes");
    std::array<std::size_t, most_axes> shape{n_out};
    std::size_t n_scores = n_out;
    for (std::size_t axis = 0; axis + 1 < n_axes; ++axis)
        n_scores = checked_product(n_scores, shape[axis + 1] = rows.shape(axis));
    UnsetVector<double> scores(n_scores);
    const auto score_all = [&] {
        if (rows.dtype() == nb::dtype<double>())
            score_each<double>(rows, n_in, n_out, scores, n_threads, score);
        else
            score_each<std::int64_t>(rows, n_in, n_out, scores, n_threads, score);
    };
    if (n_axes == 1) {
        score_all();
        nb::list one;
        for (const auto number : scores) one.append(nb::float_(number));
        return one;
    }
    {
        const nb::gil_scoped_release released;
        score_all();
    }
    return owned_of(std::move(scores), std::span(shape).first(n_axes));
}

template <class Code>
Code code_of(std::int64_t code, const char* message) {
    if (code < 0 || code >= static_cast<std::int64_t>(Code::n)) throw nb::value_error(message);
    return static_cast<Code>(code);
}

nb::object bleu_scores_of(const RowArray& rows, std::int64_t max_order, std::int64_t smoothing, double value,
                          const Weights& weights, bool effective_order, std::int64_t counting, bool percent,
                          const Weights& last) {
    const auto size = n_columns(rows);
    const BleuRules rules{
        static_cast<std::size_t>(max_order), code_of<Smoothing>(smoothing, "smoothing: expected 0 to 9"),
        value, weights,
        effective_order, code_of<Counting>(counting, "counting: expected 0 to 5"), percent, last};
    if (max_order < 1 || size % 2 != 0 || rules.n_orders() > size / 2 || size < 2 * rules.n_orders() + 2 ||
        (!last.empty() && last.size() != size))
        throw nb::value_error(
            "rows: expected two numbers for each order and two lengths, of as many orders as are needed");
    if (!weights.empty() && weights.size() != rules.max_order)
        throw nb::value_error("weights: expected one for every order");
    return scored(rows, rules.n_scores(), [&](auto row, auto scores) { bleu_scores(row, rules, scores); });
}

nb::object f_scores_of(const RowArray& rows, const Weights& weights, double beta, double alpha, bool rounded,
                       int n_threads) {
    const auto size = n_columns(rows);
    if (weights.size() > size / 3 || std::find(weights.begin(), weights.end(), 0.0) != weights.end())
        throw nb::value_error("weights: expected one that is not 0 for every three columns of the rows");
    const FRules rules{weights, std::pow(beta, 2.0), alpha, rounded};
    return scored(rows, size, [&](auto row, auto scores) { f_scores(row, rules, scores); }, n_threads);
}

nb::object chrf_scores_of(const RowArray& rows, double beta, bool eps_smoothing, bool percent, bool parts) {
    const auto size = n_columns(rows);
    if (size == 0 || size % 3 != 0) throw nb::value_error("rows: expected three numbers for every order");
    const ChrfRules rules{std::pow(beta, 2.0), eps_smoothing, percent, parts};
    return scored(rows, rules.n_scores(size / 3), [&](auto row, auto scores) { chrf_scores(row, rules, scores); });
}

nb::object ter_scores_of(const RowArray& rows) {
    if (n_columns(rows) != 2) throw nb::value_error("rows: expected two numbers each");
    return scored(rows, 1, [](auto row, auto scores) { scores[0] = ter_score(row); });
}

nb::object error_rates_of(const RowArray& rows) {
    if (n_columns(rows) != 4) throw nb::value_error("rows: expected four numbers each");
    return scored(rows, n_error_rates, [](auto row, auto scores) { error_rates(row, scores); });
}

nb::object sari_scores_of(const RowArray& rows, bool f_of_deletion, bool mean_first, int n_threads) {
    const auto size = n_columns(rows);
    if (size != 12 && size != 36) throw nb::value_error("rows: expected 12 or 36 numbers each");
    const SariRules rules{f_of_deletion, mean_first};
    return scored(rows, 4, [&](auto row, auto scores) { sari_scores(row, rules, scores); }, n_threads);
}

nb::object meteor_scores_of(const RowArray& rows, double alpha, double beta, double gamma, int n_threads) {
    if (n_columns(rows) != 4) throw nb::value_error("rows: expected four numbers each");
    const MeteorWeights weights{alpha, beta, gamma};
    return scored(rows, 1, [&](auto row, auto scores) { scores[0] = meteor_score(row, weights); }, n_threads);
}

nb::object nist_scores_of(const RowArray& rows) {
    const auto size = n_columns(rows);
    if (size < 4 || size % 2 != 0)
        throw nb::value_error("rows: expected two numbers for every order, and two lengths");
    return scored(rows, size / 2 + 1, [](auto row, auto scores) { nist_scores(row, scores); });
}

nb::object five_decimals_of(const ArrayView<double>& values) {
    const auto given = span_of(values);
    std::vector<double> rounded(given.size());
    std::transform(given.begin(), given.end(), rounded.begin(), five_decimals);
    return owned(std::move(rounded));
}

}  // namespace

void bind_scores(nb::module_& m) {
    set_compensated(nb::cast<std::int64_t>(nb::module_::import_("sys").attr("hexversion")) >= 0x030C0000);
    m.def("bleu_scores", &bleu_scores_of, nb::arg("rows"), nb::arg("max_order"), nb::arg("smoothing") = 0,
          nb::arg("value") = 0.0, nb::kw_only(), nb::arg("weights") = nb::make_tuple(),
          nb::arg("effective_order") = false,
          nb::arg("counting") = 0, nb::arg("percent") = false, nb::arg("last") = nb::make_tuple());
    m.def("f_scores", &f_scores_of, nb::arg("rows"), nb::arg("weights") = nb::make_tuple(1.0), nb::arg("beta") = 1.0,
          nb::arg("alpha") = -1.0, nb::arg("rounded") = false, nb::arg("n_threads") = 1);
    m.def("chrf_scores", &chrf_scores_of, nb::arg("rows"), nb::arg("beta") = 2.0, nb::arg("eps_smoothing") = false,
          nb::arg("percent") = false, nb::arg("parts") = false);
    m.def("ter_scores", &ter_scores_of, nb::arg("rows"));
    m.def("error_rates", &error_rates_of, nb::arg("rows"));
    m.def("sari_scores", &sari_scores_of, nb::arg("rows"), nb::arg("f_of_deletion") = true,
          nb::arg("mean_first") = false, nb::arg("n_threads") = 1);
    m.def("meteor_scores", &meteor_scores_of, nb::arg("rows"), nb::arg("alpha") = 0.9, nb::arg("beta") = 3.0,
          nb::arg("gamma") = 0.5, nb::arg("n_threads") = 1);
    m.def("nist_scores", &nist_scores_of, nb::arg("rows"));
    m.def("five_decimals", &five_decimals_of, nb::arg("values"));
}

}  // namespace textgauge
