// Translation edit rate (Snover et al. 2006), by Tercom's rules as sacreBLEU's `lib_ter.py` has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lcs.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {

// `length` hypothesis tokens from `start` on go before the one at `target`; where that is one of
// them or the one behind them, they go as far to the right as it is from `start`.
struct Shift {
    std::size_t start, length, target;

    // The first token that the shift moves, and the one behind the last, in a text of n tokens.
    std::size_t first() const { return target < start ? target : start; }
    std::size_t last(std::size_t n) const;
    // Tokens [first, middle) change places with [middle, last).
    std::size_t middle() const { return target < start ? start : start + length; }
};

// The table of edit distances near its diagonal: row i, column j has that of the first i hypothesis
// and the first j reference tokens. Which cells it has depends on the lengths alone.
class EditTable {
public:
    // Without cells until it is filled.
    void open(Ids reference, std::size_t n_hypothesis);
    void fill(Ids hypothesis);
    bool is_filled() const { return !rows_.empty(); }
    // Fills the rows from `first` on, first > 0, for a hypothesis whose tokens from `last` on are as before.
    void refill(Ids hypothesis, std::size_t first, std::size_t last);
    // The distance of the hypothesis after a shift; the table stays as it is.
    std::size_t distance_after(Ids hypothesis, Shift shift);
    std::size_t distance() const { return cells_.back(); }
    // No path of so many edits or fewer leaves the table.
    bool holds(std::size_t distance) const { return distance <= surest_distance_; }

    // The edits that make the hypothesis the reference, from the left: ' ' an equal token, 's'
    // another one, 'd' a hypothesis token too many, 'i' a reference token too many. Of equally few,
    // from the end, a token for another comes first, then a hypothesis token too many.
    void trace(Ids hypothesis, std::string& edits) const;

private:
    static constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max() / 2;

    struct Row {
        std::size_t first, last;  // its columns
        std::size_t open;         // where they are in `cells_`
        std::size_t size() const { return last - first; }
    };
    std::uint32_t cell(std::size_t i, std::size_t j) const {
        const auto& row = rows_[i];
        return j < row.first || j >= row.last ? unreached : cells_[row.open + j - row.first];
    }

    void lay_out(std::size_t n_hypothesis);
    void fill_row(std::size_t i, std::uint32_t token, const std::uint32_t* ups, std::uint32_t* cells) const;
    std::optional<std::uint32_t> change_of(std::size_t i, const std::uint32_t* cells) const;

    Ids reference_;
    double ratio_ = 1;
    std::size_t beam_ = 0, surest_distance_ = 0;
    std::vector<Row> rows_;
    std::vector<std::uint32_t> cells_;
    std::vector<std::uint32_t> above_, below_;  // two rows after a shift
};

// The table by bits (Hyyro 2003): row i is whether its cells are one more, or one less, than their
// left neighbours. It has all cells, and is kept for one hypothesis.
class EditBits {
public:
    static constexpr std::size_t most_words = 4;

    // `places` is open on the reference, which has at most word_bits * most_words tokens.
    void open(Places& places, Ids reference, std::size_t n_hypothesis);
    // Fills the rows from `first` on, first > 0.
    void fill(Ids hypothesis, std::size_t first);
    // The distance of the hypothesis, and that after a shift.
    std::size_t distance(Ids hypothesis) const { return cell(hypothesis.size(), reference_.size()); }
    std::size_t distance_after(Ids hypothesis, Shift shift) const;
    // As `EditTable::trace`, and the same where no path of so many edits leaves that table.
    void trace(Ids hypothesis, std::string& edits) const;

private:
    std::size_t cell(std::size_t i, std::size_t j) const { return i + rise(&rows_[2 * n_words_ * i], j); }
    // What the cells of a row grow by from column 0 to column j, modulo 2^64.
    std::size_t rise(const std::uint64_t* row, std::size_t j) const;
    void step(const std::uint64_t* before, std::uint32_t token, std::uint64_t* after) const;

    Places* places_ = nullptr;
    Ids reference_;
    std::size_t n_words_ = 0;
    std::vector<std::uint64_t> rows_;  // shape (n_hypothesis + 1, 2 * n_words): more, then less
};

struct TerScratch {
    Places places;
    EditTable table;
    EditBits bits;
    std::vector<std::uint32_t> hypothesis;  // with all shifts so far
    std::vector<Shift> shifts;
    std::string edits;
    std::vector<std::int64_t> align;        // by reference token the last hypothesis token up to it, or -1
    std::vector<std::uint32_t> wrong_before, reference_wrong_before;  // edited tokens before each one, and in all
};

// Finds the shifts and edits of one pair, into `scratch.shifts` and `scratch.edits`, and returns
// how many there are. As long as a shift makes the edit distance smaller, the best one is made.
std::int64_t edit_operations(Ids hypothesis, Ids reference, std::size_t n_ids, TerScratch& scratch, Stop& stop);

// For every reference of a segment, into shape (n_references, 2): the edits, and the reference's tokens, of which a mean over
// references is no whole number.
void translation_edits(const Tokens& tokens, std::size_t segment, std::span<double> rows, TerScratch& scratch,
                       Stop& stop);

}  // namespace textgauge
