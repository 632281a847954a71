// What agreement with people is computed from, for Python: arrays of ranks, gains and weights in.
#include <algorithm>

#include "bindings.hpp"
#include "kendall.hpp"
#include "segments.hpp"
#include "ties.hpp"

namespace textgauge {
namespace {

// Numbers that are not below a limit are refused, and views are copied: another thread may change them.
std::vector<std::int64_t> checked_below(const ArrayView<std::int64_t>& array, std::int64_t limit, const char* what) {
    const auto given = span_of(array);
    std::vector<std::int64_t> held(given.begin(), given.end());
    if (std::any_of(held.begin(), held.end(), [&](auto value) { return value < 0 || value >= limit; }))
        throw nb::value_error(what);
    return held;
}

nb::object kendall_sums_of(const ArrayView<std::int64_t>& first, const ArrayView<std::int64_t>& second,
                           const ArrayView<std::int64_t>& segment_of,
                           const nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& weights,
                           int n_threads) {
    const auto n_resamples = weights.shape(0), n_segments = weights.shape(1);
    // Before the rows are walked through: rows of no segments may be any number.
    const auto n_sums = checked_product(n_resamples, n_kendall_sums);
    const std::vector<std::int64_t> held(weights.data(), weights.data() + n_resamples * n_segments);
    const auto n = static_cast<std::int64_t>(first.size());
    const auto one = checked_below(first, n, "first: expected ranks below the number of observations");
    const auto other = checked_below(second, n, "second: expected ranks below the number of observations");
    const auto places = checked_below(segment_of, static_cast<std::int64_t>(n_segments),
        "segment_of: expected segments");
    if (other.size() != one.size() || places.size() != one.size())
        throw nb::value_error("first, second, segment_of: expected as many of each");
    std::vector<std::int64_t> n_of(n_segments);
    for (const auto place : places) ++n_of[static_cast<std::size_t>(place)];
    for (std::size_t resample = 0; resample < n_resamples; ++resample) {
        std::int64_t left = most_weight;
        for (std::size_t segment = 0; segment < n_segments; ++segment) {
            const auto weight = held[resample * n_segments + segment];
            if (n_of[segment] == 0) continue;
            if (weight < 0 || weight > left / n_of[segment])
                throw nb::value_error("weights: expected at least 0, below 2**31 in all");
            left -= weight * n_of[segment];
        }
    }
    std::vector<std::int64_t> sums(n_sums);
    {
        const nb::gil_scoped_release released;
        const auto sorted = ranked(one, other, places, n_segments);
        for_each_segment<KendallScratch>(n_resamples, n_threads, [&](auto& scratch, std::size_t resample, Stop& stop) {
            kendall_sums(sorted, std::span(held).subspan(resample * n_segments, n_segments),
                         std::span(sums).subspan(resample * n_kendall_sums, n_kendall_sums), scratch, stop);
        });
    }
    return owned(std::move(sums), n_kendall_sums);
}

template <class T>
using MatrixView = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> copied(const MatrixView<T>& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

std::vector<std::size_t> checked_ends(const ArrayView<std::int64_t>& array, std::size_t n) {
    const auto given = span_of(array);
    const std::vector<std::size_t> ends(given.begin(), given.end());
    // Negative ones are beyond all others.
    if (ends.empty() || !std::is_sorted(ends.begin(), ends.end()) || ends.back() > n)
        throw nb::value_error("ends: expected ascending numbers of gains");
    return ends;
}

// Calls work(scratch, first, n, stop) for the rows from `first` on, n_lanes at a time, on threads.
template <class Work>
void for_each_lanes(std::size_t n_rows, int n_threads, Work work) {
    const auto n_groups = n_rows / n_lanes + (n_rows % n_lanes != 0);
    for_each_segment<TiesScratch>(n_groups, n_threads, [&](auto& scratch, std::size_t group, Stop& stop) {
        const auto first = group * n_lanes;
        work(scratch, first, std::min(n_lanes, n_rows - first), stop);
    });
}

nb::object most_gained_of(const ArrayView<double>& gains, const ArrayView<std::int64_t>& segment_of,
                          const ArrayView<std::int64_t>& ends, const MatrixView<double>& weights, int n_threads) {
    const auto n_rows = weights.shape(0), n_segments = weights.shape(1);
    const auto held = copied(weights);
    const auto places = checked_below(segment_of, static_cast<std::int64_t>(n_segments),
        "segment_of: expected a segment for each gain");
    const auto given = span_of(gains);
    if (places.size() != given.size() || n_segments > most_outputs)
        throw nb::value_error("segment_of: expected a segment for each gain");
    const WeightedGains all{{given.begin(), given.end()}, {places.begin(), places.end()},
                            checked_ends(ends, given.size())};
    std::vector<double> found(n_rows);
    {
        const nb::gil_scoped_release released;
        for_each_lanes(n_rows, n_threads, [&](auto& scratch, std::size_t first, std::size_t n, Stop& stop) {
            most_gained(all, std::span(held).subspan(first * n_segments, n * n_segments), n_segments,
                        std::span(found).subspan(first, n), scratch, stop);
        });
    }
    return owned(std::move(found));
}

void make_swapped_gains(SwappedGains* made, const ArrayView<double>& gains, const ArrayView<std::int64_t>& differences,
                        const ArrayView<std::int64_t>& ends, const MatrixView<std::int64_t>& outputs,
                        std::size_t n_outputs) {
    if (outputs.shape(1) != 2 || n_outputs > most_outputs)
        throw nb::value_error("outputs: expected two outputs of every pair");
    const auto pairs = copied(outputs);
    if (std::any_of(pairs.begin(), pairs.end(), [&](auto one) {
            return one < 0 || static_cast<std::size_t>(one) >= n_outputs;
        }))
        throw nb::value_error("outputs: expected two outputs of every pair");
    const auto numbers = checked_below(differences, static_cast<std::int64_t>(2 * pairs.size()),
        "differences: expected four by pair, one for each gain");
    const auto given = span_of(gains);
    if (numbers.size() != given.size())
        throw nb::value_error("differences: expected four by pair, one for each gain");
    SwappedGains all{{}, checked_ends(ends, given.size()), n_outputs};
    all.gains.reserve(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto number = static_cast<std::size_t>(numbers[i]), pair = number / 4;
        const auto place = [&](std::size_t at, std::size_t of_second) {
            return static_cast<std::uint32_t>(2 * static_cast<std::size_t>(pairs[at]) + of_second);
        };
        all.gains.push_back({given[i], place(2 * pair, number >> 1 & 1), place(2 * pair + 1, number & 1)});
    }
    new (made) SwappedGains(std::move(all));
}

nb::object most_of_swapped(const SwappedGains& all, const MatrixView<std::uint8_t>& swaps, int n_threads) {
    if (swaps.shape(1) != all.n_outputs) throw nb::value_error("swaps: expected a number for each output");
    const auto held = copied(swaps);
    std::vector<double> found(2 * swaps.shape(0));
    {
        const nb::gil_scoped_release released;
        for_each_lanes(found.size() / 2, n_threads, [&](auto& scratch, std::size_t first, std::size_t n, Stop& stop) {
            most_gained_by_swaps(all, std::span(held).subspan(first * all.n_outputs, n * all.n_outputs),
                                 std::span(found).subspan(2 * first, 2 * n), scratch, stop);
        });
    }
    return owned(std::move(found), std::size_t{2});
}

}  // namespace

void bind_rankings(nb::module_& m) {
    m.def("kendall_sums", &kendall_sums_of, nb::arg("first"), nb::arg("second"), nb::arg("segment_of"),
          nb::arg("weights"), nb::arg("n_threads") = 1);
    m.def("most_gained", &most_gained_of, nb::arg("gains"), nb::arg("segment_of"), nb::arg("ends"),
          nb::arg("weights"), nb::arg("n_threads") = 1);
    nb::class_<SwappedGains>(m, "SwappedGains")
        .def("__init__", &make_swapped_gains, nb::arg("gains"), nb::arg("differences"), nb::arg("ends"),
             nb::arg("outputs"), nb::arg("n_outputs"))
        .def("most", &most_of_swapped, nb::arg("swaps"), nb::arg("n_threads") = 1);
}

}  // namespace textgauge
