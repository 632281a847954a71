// Counts of pairs that two rankings order alike, for Python: arrays of ranks and weights in.
#include <algorithm>

#include "bindings.hpp"
#include "kendall.hpp"
#include "segments.hpp"

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

}  // namespace

void bind_rankings(nb::module_& m) {
    m.def("kendall_sums", &kendall_sums_of, nb::arg("first"), nb::arg("second"), nb::arg("segment_of"),
          nb::arg("weights"), nb::arg("n_threads") = 1);
}

}  // namespace textgauge
