#include "ter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <tuple>

namespace textgauge {

namespace {

// Tercom's limits, and sacreBLEU's own on the shifts that are tried for one pair.
constexpr std::size_t longest_shift = 10, farthest_shift = 50, beam_width = 25, most_tried = 1000;

std::size_t wrong_in(const std::vector<std::uint32_t>& wrong_before, std::size_t first, std::size_t last) {
    return wrong_before[last] - wrong_before[first];
}

// From the edits: which tokens of both texts are wrong, and which hypothesis tokens stand by which
// of the reference's.
void align(TerScratch& scratch) {
    scratch.align.clear();
    scratch.wrong_before.assign(1, 0);
    scratch.reference_wrong_before.assign(1, 0);
    const auto add = [](std::vector<std::uint32_t>& wrong_before, char edit) {
        wrong_before.push_back(wrong_before.back() + (edit != ' '));
    };
    for (const char edit : scratch.edits) {
        if (edit != 'i') add(scratch.wrong_before, edit);
        if (edit == 'd') continue;
        add(scratch.reference_wrong_before, edit);
        scratch.align.push_back(static_cast<std::int64_t>(scratch.wrong_before.size()) - 2);
    }
}

// The hypothesis with all shifts so far, and its distances: by bits, which take a fraction of the time of the
// table, where the table would have the same; else by the table.
struct Pair {
    TerScratch& scratch;
    Ids reference;
    bool has_bits;

    Ids hypothesis() const { return scratch.hypothesis; }

    EditTable& table() const {
        if (!scratch.table.is_filled()) scratch.table.fill(hypothesis());
        return scratch.table;
    }
    bool is_by_bits() const { return has_bits && scratch.table.holds(scratch.bits.distance(hypothesis())); }
    std::size_t distance() const { return is_by_bits() ? scratch.bits.distance(hypothesis()) : table().distance(); }

    std::size_t distance_after(Shift shift, Stop& stop) const {
        if (has_bits) {
            const auto distance = scratch.bits.distance_after(hypothesis(), shift);
            if (scratch.table.holds(distance)) return distance;
        }
        stop.asked(word_bits * (hypothesis().size() - shift.first()));
        return table().distance_after(hypothesis(), shift);
    }

    void trace() const {
        if (is_by_bits()) return scratch.bits.trace(hypothesis(), scratch.edits);
        table().trace(hypothesis(), scratch.edits);
    }

    void make(Shift shift) const {
        const auto n = scratch.hypothesis.size();
        const auto at = [&](std::size_t i) { return scratch.hypothesis.begin() + static_cast<std::ptrdiff_t>(i); };
        std::rotate(at(shift.first()), at(shift.middle()), at(shift.last(n)));
        scratch.shifts.push_back(shift);
        if (scratch.table.is_filled()) scratch.table.refill(hypothesis(), shift.first() + 1, shift.last(n));
        if (has_bits) scratch.bits.fill(hypothesis(), shift.first() + 1);
    }
};

// Looks for the shift that saves most edits.
//
// sacreBLEU tries them in this order and stops after so many; of equally good ones the longest comes
// first, then the one from, then the one to the earliest place.
struct Search {
    const Pair& pair;
    TerScratch& scratch;
    std::size_t n_tried;  // for this pair, by all searches
    Stop& stop;

    std::int64_t best_gain = 0;
    Shift best{0, 0, 0};

    bool is_over() const { return n_tried >= most_tried; }

    void attempt(Shift shift, std::size_t before) {
        ++n_tried;
        const auto after = pair.distance_after(shift, stop);
        const auto gain = static_cast<std::int64_t>(before) - static_cast<std::int64_t>(after);
        const auto rank = [](std::int64_t saved, const Shift& s) {
            return std::make_tuple(-saved, ~s.length, s.start, s.target);
        };
        if (rank(gain, shift) >= rank(best_gain, best)) return;
        best_gain = gain;
        best = shift;
    }

    // All targets of a run of equal tokens: before the first, and behind each token that one of the
    // run's, or the one before it, stands by.
    void attempt_targets(std::size_t start, std::size_t place, std::size_t length, std::size_t before) {
        std::int64_t last_target = -1;
        for (auto k = place; k <= place + length; ++k) {
            const auto target = k == 0 ? 0 : scratch.align[k - 1] + 1;
            if (target == last_target) continue;
            last_target = target;
            attempt({start, length, static_cast<std::size_t>(target)}, before);
        }
    }

    void try_runs(std::size_t start, std::size_t place, std::size_t before) {
        const auto text = pair.hypothesis(), reference = pair.reference;
        const auto longest = std::min({longest_shift, text.size() - start, reference.size() - place});
        for (std::size_t length = 1; length <= longest && !is_over(); ++length) {
            if (text[start + length - 1] != reference[place + length - 1]) return;
            if (wrong_in(scratch.wrong_before, start, start + length) == 0) continue;
            if (wrong_in(scratch.reference_wrong_before, place, place + length) == 0) continue;
            const auto by = scratch.align[place];
            if (by >= static_cast<std::int64_t>(start) && by < static_cast<std::int64_t>(start + length)) continue;
            attempt_targets(start, place, length, before);
        }
    }

    void run() {
        const auto text = pair.hypothesis(), reference = pair.reference;
        const auto before = pair.distance();
        for (std::size_t start = 0; start < text.size() && !is_over() && !stop.asked(farthest_shift); ++start) {
            if (wrong_in(scratch.wrong_before, start, std::min(start + longest_shift, text.size())) == 0) continue;
            const auto* row = scratch.places.row(text[start]);
            const auto first = start < farthest_shift ? 0 : start - farthest_shift;
            const auto last = std::min(start + farthest_shift + 1, reference.size());
            for (auto w = first / word_bits; word_bits * w < last; ++w)
                for (auto bits = row[w]; bits != 0; bits &= bits - 1) {
                    const auto place = word_bits * w + static_cast<std::size_t>(std::countr_zero(bits));
                    if (place >= first && place < last && !is_over()) try_runs(start, place, before);
                }
        }
    }
};

// Holds the places of the reference open.
Opened<Places> open_pair(Ids hypothesis, const Pair& pair, std::size_t n_ids) {
    auto& scratch = pair.scratch;
    scratch.hypothesis.assign(hypothesis.begin(), hypothesis.end());
    scratch.shifts.clear();
    scratch.table.open(pair.reference, hypothesis.size());
    if (pair.reference.empty()) return nullptr;
    auto opened = scratch.places.open(pair.reference, n_ids);
    if (!pair.has_bits) return opened;
    scratch.bits.open(scratch.places, pair.reference, hypothesis.size());
    scratch.bits.fill(hypothesis, 1);
    return opened;
}

}  // namespace

std::size_t Shift::last(std::size_t n) const {
    if (target < start) return start + length;
    return target > start + length ? target : std::min(target + length, n);
}

void EditTable::open(Ids reference, std::size_t n_hypothesis) {
    reference_ = reference;
    const auto n = n_hypothesis, m = reference.size();
    ratio_ = n == 0 ? 1 : static_cast<double>(m) / static_cast<double>(n);
    // Where lengths differ much, the beams of two rows would not overlap.
    const auto wide = std::ceil(ratio_ / 2 + static_cast<double>(beam_width));
    beam_ = static_cast<double>(beam_width) < ratio_ / 2 ? static_cast<std::size_t>(wide) : beam_width;
    // A path of d edits leaves the diagonal by at most half of d plus the difference in length.
    const auto difference = n > m ? n - m : m - n, width = 2 * (beam_ - 2);
    surest_distance_ = m < beam_ ? n + m : width > difference ? width - difference : 0;
    rows_.clear();
}

void EditTable::lay_out(std::size_t n_hypothesis) {
    const auto n = n_hypothesis, m = reference_.size();
    rows_.assign(1, {0, m + 1, 0});
    std::size_t n_cells = m + 1;
    for (std::size_t i = 1; i <= n; ++i) {
        const auto diagonal = static_cast<std::size_t>(std::floor(static_cast<double>(i) * ratio_));
        const auto first = diagonal > beam_ ? diagonal - beam_ : 0;
        const auto last = i == n ? m + 1 : std::min(m + 1, diagonal + beam_);
        rows_.push_back({first, last, n_cells});
        n_cells += last - first;
    }
    cells_.resize(n_cells);
    above_.resize(m + 1);
    below_.resize(m + 1);
    for (std::size_t j = 0; j <= m; ++j) cells_[j] = static_cast<std::uint32_t>(j);
}

void EditTable::fill(Ids hypothesis) {
    lay_out(hypothesis.size());
    for (std::size_t i = 1; i < rows_.size(); ++i)
        fill_row(i, hypothesis[i - 1], &cells_[rows_[i - 1].open], &cells_[rows_[i].open]);
}

void EditTable::refill(Ids hypothesis, std::size_t first, std::size_t last) {
    for (auto i = first; i < rows_.size(); ++i) {
        auto* const row = &cells_[rows_[i].open];
        fill_row(i, hypothesis[i - 1], &cells_[rows_[i - 1].open], below_.data());
        const auto change = i < last ? std::nullopt : change_of(i, below_.data());
        std::copy_n(below_.begin(), rows_[i].size(), row);
        if (!change) continue;
        for (auto* cell = row + rows_[i].size(); cell != cells_.data() + cells_.size(); ++cell) *cell += *change;
        return;
    }
}

std::size_t EditTable::distance_after(Ids hypothesis, Shift shift) {
    const auto n = hypothesis.size(), first = shift.first(), last = shift.last(n), middle = shift.middle();
    auto i = first;
    const auto* above = &cells_[rows_[first].open];
    const auto add = [&](std::size_t token) {
        fill_row(++i, hypothesis[token], above, below_.data());
        std::swap(above_, below_);
        above = above_.data();
    };
    for (auto k = middle; k < last; ++k) add(k);
    for (auto k = first; k < middle; ++k) add(k);
    while (i < n) {
        if (const auto change = change_of(i, above)) return static_cast<std::uint32_t>(cells_.back() + *change);
        add(i);
    }
    return above[rows_[n].size() - 1];
}

// Row i for its token, from the row above it.
void EditTable::fill_row(std::size_t i, std::uint32_t token, const std::uint32_t* ups, std::uint32_t* cells) const {
    const auto& row = rows_[i];
    const auto& above = rows_[i - 1];
    auto j = row.first;
    auto left = unreached;
    if (j == 0) *cells++ = left = ups[j++] + 1;
    auto corner = j - 1 < above.first || j - 1 >= above.last ? unreached : ups[j - 1 - above.first];
    for (; j < row.last; ++j) {
        const auto up = j < above.last ? ups[j - above.first] : unreached;
        const auto exchanged = corner + (reference_[j - 1] != token);
        left = std::min({exchanged, up + 1, left + 1, unreached});
        *cells++ = left;
        corner = up;
    }
}

// What the cells of a new row i are more than the table's, modulo 2^32, if it is the same for all. Under
// equal tokens the rows below then change by as much, since no cell is unreached: beams of two rows overlap.
std::optional<std::uint32_t> EditTable::change_of(std::size_t i, const std::uint32_t* cells) const {
    const auto* old = &cells_[rows_[i].open];
    const auto change = cells[0] - old[0];
    for (std::size_t k = 1; k < rows_[i].size(); ++k)
        if (cells[k] - old[k] != change) return std::nullopt;
    return change;
}

void EditTable::trace(Ids hypothesis, std::string& edits) const {
    edits.clear();
    for (auto i = rows_.size() - 1, j = reference_.size(); i > 0 || j > 0;) {
        const auto cost = cell(i, j);
        const bool is_other = i > 0 && j > 0 && hypothesis[i - 1] != reference_[j - 1];
        if (i > 0 && j > 0 && cell(i - 1, j - 1) + is_other == cost) {
            edits.push_back(is_other ? 's' : ' ');
            --i, --j;
        } else if (i > 0 && (j == 0 || cell(i - 1, j) + 1 == cost)) {
            edits.push_back('d');
            --i;
        } else {
            edits.push_back('i');
            --j;
        }
    }
    std::reverse(edits.begin(), edits.end());
}

void EditBits::open(Places& places, Ids reference, std::size_t n_hypothesis) {
    places_ = &places;
    reference_ = reference;
    n_words_ = places.n_words();
    rows_.resize(2 * n_words_ * (n_hypothesis + 1));
    std::fill_n(rows_.begin(), n_words_, ~std::uint64_t{0});
    std::fill_n(rows_.begin() + static_cast<std::ptrdiff_t>(n_words_), n_words_, 0);
}

void EditBits::fill(Ids hypothesis, std::size_t first) {
    for (auto i = first; i <= hypothesis.size(); ++i)
        step(&rows_[2 * n_words_ * (i - 1)], hypothesis[i - 1], &rows_[2 * n_words_ * i]);
}

// The row after one more hypothesis token; `before` and `after` may be the same.
void EditBits::step(const std::uint64_t* before, std::uint32_t token, std::uint64_t* after) const {
    const auto* matches = places_->row(token);
    std::uint64_t more_carry = 1, less_carry = 0;
    for (std::size_t w = 0; w < n_words_; ++w) {
        const auto more = before[w], less = before[n_words_ + w];
        const auto equal = matches[w] | less_carry;
        // Cells that are as their neighbours above to the left, one more than those above, one less.
        const auto diagonal = (((equal & more) + more) ^ more) | equal | less;
        auto above_more = less | ~(diagonal | more);
        auto above_less = diagonal & more;
        const auto more_out = above_more >> (word_bits - 1), less_out = above_less >> (word_bits - 1);
        above_more = above_more << 1 | more_carry;
        above_less = above_less << 1 | less_carry;
        more_carry = more_out;
        less_carry = less_out;
        after[w] = above_less | ~(diagonal | above_more);
        after[n_words_ + w] = above_more & diagonal;
    }
}

std::size_t EditBits::distance_after(Ids hypothesis, Shift shift) const {
    const auto n = hypothesis.size(), first = shift.first(), last = shift.last(n), middle = shift.middle();
    std::array<std::uint64_t, 2 * most_words> row;
    std::copy_n(&rows_[2 * n_words_ * first], 2 * n_words_, row.begin());
    const auto add = [&](std::size_t open, std::size_t close) {
        for (auto i = open; i < close; ++i) step(row.data(), hypothesis[i], row.data());
    };
    add(middle, last);
    add(first, middle);
    add(last, n);
    return n + rise(row.data(), reference_.size());
}

std::size_t EditBits::rise(const std::uint64_t* row, std::size_t j) const {
    std::int64_t rise = 0;
    for (std::size_t w = 0; word_bits * w < j; ++w) {
        const auto inside = ~std::uint64_t{0} >> (word_bits - std::min(word_bits, j - word_bits * w));
        rise += std::popcount(row[w] & inside) - std::popcount(row[n_words_ + w] & inside);
    }
    return static_cast<std::size_t>(rise);
}

void EditBits::trace(Ids hypothesis, std::string& edits) const {
    edits.clear();
    auto cost = distance(hypothesis);
    for (auto i = hypothesis.size(), j = reference_.size(); i > 0 || j > 0;) {
        const bool is_other = i > 0 && j > 0 && hypothesis[i - 1] != reference_[j - 1];
        if (i > 0 && j > 0 && cell(i - 1, j - 1) + is_other == cost) {
            edits.push_back(is_other ? 's' : ' ');
            cost -= is_other;
            --i, --j;
            continue;
        }
        const bool drops = i > 0 && (j == 0 || cell(i - 1, j) + 1 == cost);
        edits.push_back(drops ? 'd' : 'i');
        --(drops ? i : j), --cost;
    }
    std::reverse(edits.begin(), edits.end());
}

std::int64_t edit_operations(Ids hypothesis, Ids reference, std::size_t n_ids, TerScratch& scratch, Stop& stop) {
    const Pair pair{scratch, reference, !reference.empty() && reference.size() <= word_bits * EditBits::most_words};
    const auto opened = open_pair(hypothesis, pair, n_ids);
    pair.trace();
    for (std::size_t n_tried = 0; !reference.empty();) {
        align(scratch);
        Search search{pair, scratch, n_tried, stop};
        search.run();
        n_tried = search.n_tried;
        // sacreBLEU does not make the shift at which it stops to try.
        if (search.best_gain <= 0 || search.is_over() || stop.asked(1)) break;
        pair.make(search.best);
        pair.trace();
    }
    return static_cast<std::int64_t>(scratch.shifts.size() + pair.distance());
}

void translation_edits(const Tokens& tokens, std::size_t segment, std::span<double> rows, TerScratch& scratch,
                       Stop& stop) {
    const auto hypothesis = static_cast<std::size_t>(tokens.segments[segment]);
    for (std::size_t r = 0; 2 * r < rows.size() && !stop.asked(1); ++r) {
        const auto reference = tokens.text(hypothesis + 1 + r);
        const auto n_edits = edit_operations(tokens.text(hypothesis), reference, tokens.n_tokens(segment), scratch, stop);
        rows[2 * r] = static_cast<double>(n_edits);
        rows[2 * r + 1] = static_cast<double>(reference.size());
    }
}

}  // namespace textgauge
