#include "timed_edits.hpp"

#include <algorithm>
#include <limits>

namespace textgauge {

std::array<std::int64_t, 4> timed_edits(TimedWords hypothesis, TimedWords reference, TimedScratch& scratch,
                                        Stop& stop) {
    const auto n = hypothesis.ids.size(), m = reference.ids.size();
    constexpr auto infinity = std::numeric_limits<double>::infinity();
    // Times need not ascend: the least start from a word on, and the largest end up to a word.
    auto& behind = scratch.starts_behind;
    auto& before = scratch.ends_before;
    auto& from = scratch.starts_of_references;
    behind.resize(n);
    before.resize(n);
    from.resize(m);
    double end = -infinity, start = infinity;
    for (std::size_t j = 0; j < n; ++j) before[j] = end = std::max(end, hypothesis.times[j][1]);
    for (std::size_t j = n; j-- > 0;) behind[j] = start = std::min(start, hypothesis.times[j][0]);
    start = infinity;
    for (std::size_t i = m; i-- > 0;) from[i] = start = std::min(start, reference.times[i][0]);

    auto& row = scratch.row;
    row.assign(n + 1, {});
    // Columns up to `first` are met by no word of the reference from this one on: they only get deletions, and the last
    // of them is what the others start from. Those from `last` on were met by none: they only get insertions.
    std::size_t first = 0, last = 0;
    end = -infinity;
    for (std::size_t i = 0; i < m && !stop.asked(last - first + 1); ++i) {
        const auto& word = reference.times[i];
        end = std::max(end, word[1]);
        for (; last < n && behind[last] < end; ++last)
            row[last + 1] = {row[last].edits + 1, row[last].substitutions};
        for (; first < last && before[first] <= from[i]; ++first) {}
        auto diagonal = row[first];
        ++row[first].edits;
        for (std::size_t j = first; j < last; ++j) {
            const auto up = row[j + 1], left = row[j];
            const auto least = std::min(up.edits, left.edits) + 1;
            const auto& other = hypothesis.times[j];
            const auto is_other = hypothesis.ids[j] != reference.ids[i];
            if (word[0] < other[1] && word[1] > other[0] && diagonal.edits + is_other < least) {
                row[j + 1] = {diagonal.edits + is_other, diagonal.substitutions + is_other};
            } else {
                row[j + 1] = {least, up.edits < left.edits ? up.substitutions : left.substitutions};
            }
            diagonal = up;
        }
    }
    const auto edits = row[last].edits + static_cast<std::int64_t>(n - last), s = row[last].substitutions;
    // What is no substitution is a deletion or an insertion, which differ by the lengths.
    const auto more = static_cast<std::int64_t>(m) - static_cast<std::int64_t>(n);
    const auto deletions = (edits - s + more) / 2;
    return {static_cast<std::int64_t>(m) - s - deletions, s, deletions, edits - s - deletions};
}

}  // namespace textgauge
