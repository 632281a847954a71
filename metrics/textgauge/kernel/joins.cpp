#include "joins.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "platform.hpp"

namespace textgauge {
namespace {

// Numbers of rows that are held at once.
constexpr std::size_t most_costs = std::size_t{1} << 22;

// More letters than these of a run are not compared at first sight.
constexpr std::size_t most_at_sight = 32;

// The letters of shorter runs are not looked at.
constexpr std::size_t n_start_bytes = 3;

// Of a word, or of a run that begins with it, from the first bytes of it and of the next; of fewer letters, of any.
LongestWords::Start start_of(std::size_t size, std::uint32_t bytes, std::uint32_t next) {
    // By their number; tables take fewer steps than shifts by it.
    static constexpr std::array<std::uint32_t, n_start_bytes + 1> masks{0, 0xFF, 0xFFFF, 0xFFFFFF}, factors{1, 1 << 8, 1 << 16, 1 << 24};
    const auto n = std::min(size, n_start_bytes);
    return LongestWords::start_of((bytes & masks[n]) + next * factors[n]);
}

// Words with which a run may begin that is a word of the other side: that is at least as long as the first two words of the
// run, and begins as they do.
class Candidates {
public:
    Candidates(SideOfJoins& side, const SideOfJoins& other) : side_(side), other_(other.longest) {
        if (side.candidates.size() < side.size()) side.candidates.resize(side.size());
        all_ = side.candidates.data();
    }

    // Without a branch: what words are like is hard to guess.
    void try_word(std::size_t i, LongestWords::Start start, std::size_t n_letters) {
        all_[n_] = static_cast<std::uint32_t>(i);
        n_ += other_.has(start, n_letters);
        fewest_ = std::min(fewest_, n_letters);
    }

    std::span<const std::uint32_t> all() {
        // The start of a run of few letters says nothing.
        if (fewest_ < n_start_bytes) {
            n_ = 0;
            for (std::size_t i = 0; i + 1 < side_.size(); ++i) {
                const auto n_letters = side_.words[i].size() + side_.words[i + 1].size();
                if (n_letters < n_start_bytes || other_.has(side_.starts[i], n_letters)) all_[n_++] = static_cast<std::uint32_t>(i);
            }
        }
        return {all_, n_};
    }

private:
    SideOfJoins& side_;
    const LongestWords& other_;
    std::uint32_t* all_;
    std::size_t n_ = 0, fewest_ = n_start_bytes;
};

// Calls visit(i, start, n_letters) for every word but the last, with the letters of it and the next.
template <class Visit>
void note_starts(SideOfJoins& side, Visit visit) {
    side.longest.clear();
    if (side.words.empty()) return;
    if (side.starts.size() < side.size()) side.starts.resize(side.size());
    const auto* const words = side.words.data();
    auto* const starts = side.starts.data();
    const auto last = side.size() - 1;
    auto size = words[0].size();
    auto bytes = first_bytes(words[0].data());
    for (std::size_t i = 0; i < last; ++i) {
        const auto next_size = words[i + 1].size();
        const auto next = first_bytes(words[i + 1].data());
        const auto start = start_of(size, bytes, next);
        starts[i] = start;
        side.longest.add(start, size);
        visit(i, start, size + next_size);
        size = next_size;
        bytes = next;
    }
    side.longest.add(start_of(size, bytes, bytes), size);
}

void note_starts(SideOfJoins& side) {
    note_starts(side, [](std::size_t, LongestWords::Start, std::size_t) {});
}

std::span<const std::uint32_t> noted_candidates_of(SideOfJoins& side, const SideOfJoins& other) {
    Candidates candidates(side, other);
    note_starts(side, [&](auto... word) { candidates.try_word(word...); });
    return candidates.all();
}

// The same, of a side whose starts are noted.
std::span<const std::uint32_t> candidates_of(SideOfJoins& side, const SideOfJoins& other) {
    Candidates candidates(side, other);
    const auto* const words = side.words.data();
    const auto* const starts = side.starts.data();
    for (std::size_t i = 1, n = side.size(); i < n; ++i)
        candidates.try_word(i - 1, starts[i - 1], words[i - 1].size() + words[i].size());
    return candidates.all();
}

void read(const Cutter& cutter, std::string_view text, SideOfJoins& side, CutScratch& scratch) {
    cut_text(cutter, text, text.size(), scratch);
    side.words.assign(scratch.tokens.begin(), scratch.tokens.end());
    note_starts(side);
}

// Calls is_enough(end, id) for the runs that begin at a word and are known words, until it says so. Returns false where
// there may be others, with more letters.
template <class IsEnough>
bool each_run_at(std::size_t start, const SideOfJoins& side, const SideOfJoins& other, const WordIds& ids, IsEnough is_enough) {
    std::array<char, 2 * most_at_sight + padding> letters;
    std::size_t n_letters = 0;
    for (auto end = start; end < side.size(); ++end) {
        const auto word = side.words[end];
        const auto n_before = n_letters;
        n_letters += word.size();
        std::memcpy(letters.data() + n_before, word.data(), most_at_sight);
        const auto begins = LongestWords::start_of(first_bytes(letters.data()));
        if (n_letters >= n_start_bytes && !other.longest.has(begins, n_letters)) return true;
        if (n_letters > most_at_sight) return false;
        if (end == start) continue;
        const auto id = ids.find({letters.data(), n_letters});
        if (id != WordIds::none && is_enough(end + 1, id)) return true;
    }
    return true;
}

// Whether words of a side may be one of the other; the ids are those of more texts.
bool may_join(std::span<const std::uint32_t> candidates, const SideOfJoins& side, const SideOfJoins& other, Ids other_ids,
              const WordIds& ids, Stop& stop) {
    return std::ranges::any_of(candidates, [&](std::size_t start) {
        bool is_found = false;
        const auto are_all = each_run_at(start, side, other, ids, [&](std::size_t, std::uint32_t id) {
            return is_found = std::ranges::find(other_ids, id) != other_ids.end();
        });
        return is_found || !are_all || stop.asked(most_at_sight);
    });
}

void note_letters(SideOfJoins& side) {
    side.ends.assign(1, 0);
    side.letters.clear();
    side.sizes.clear();
    for (const auto word : side.words) {
        side.letters.insert(side.letters.end(), word.begin(), word.end());
        side.ends.push_back(side.letters.size());
        side.sizes.push_back(word.size());
    }
    side.letters.resize(side.letters.size() + padding);
    std::ranges::sort(side.sizes);
    side.sizes.erase(std::ranges::unique(side.sizes).begin(), side.sizes.end());
}

// Finds the runs of two or more words of a side that may be words of the other: those with the size of one. Of several
// runs with the same letters, by words without any, the one of fewest words.
template <class Visit>
void each_run(const SideOfJoins& side, const SideOfJoins& other, Stop& stop, Visit visit) {
    const auto& ends = side.ends;
    for (const auto size : other.sizes) {
        if (size == 0) continue;
        if (size > ends.back() || stop.asked(side.size())) return;
        std::size_t start = 0;
        for (std::size_t end = 2; end <= side.size(); ++end) {
            while (start + 1 < end && ends[end] - ends[start + 1] >= size) ++start;
            if (end - start < 2 || ends[end] - ends[start] != size) continue;
            const std::string_view letters(side.letters.data() + ends[start], size);
            visit(start, end, letters);
        }
    }
}

// Where things with numbers below n begin when they are sorted by them: shape (n + 1,).
template <class Things, class NumberOf>
void begin_by(const Things& things, std::size_t n, NumberOf number_of, std::vector<std::size_t>& first) {
    first.assign(n + 1, 0);
    for (const auto& thing : things) ++first[number_of(thing) + 1];
    for (std::size_t k = 0; k < n; ++k) first[k + 1] += first[k];
}

// The places of the words of a side, by id.
void place(const SideOfJoins& side, JoinScratch& s) {
    begin_by(side.ids, s.ids.size(), std::identity{}, s.first_place);
    auto next = s.first_place;
    s.places.resize(side.size());
    for (std::size_t i = 0; i < side.size(); ++i) s.places[next[side.ids[i]]++] = i;
}

void find_runs(SideOfJoins& side, SideOfJoins& other, JoinScratch& s, std::vector<RunOfWords>& runs, Stop& stop) {
    runs.clear();
    bool are_placed = false;
    const auto add = [&](std::size_t start, std::size_t end, std::uint32_t id) {
        if (!are_placed) place(other, s);
        are_placed = true;
        if (s.first_place[id] < s.first_place[id + 1])
            runs.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end), id});
    };
    const bool are_all = std::ranges::all_of(candidates_of(side, other), [&](std::size_t start) {
        if (side.words[start].empty() || stop.asked(most_at_sight)) return true;
        return each_run_at(start, side, other, s.ids, [&](std::size_t end, std::uint32_t id) {
            add(start, end, id);
            return false;
        });
    });
    if (are_all) return;
    runs.clear();
    note_letters(side);
    note_letters(other);
    each_run(side, other, stop, [&](std::size_t start, std::size_t end, std::string_view letters) {
        const auto id = s.ids.find(letters);
        if (id != WordIds::none) add(start, end, id);
    });
}

// A table of costs whose rows are for hypothesis words.
class JoinTable {
public:
    JoinTable(Aligner aligner, JoinScratch& scratch, Stop& stop)
        : s_(scratch), stop_(stop), exchanged_(aligner == Aligner::kaldialign_sclite ? 4 : 1),
          left_out_(aligner == Aligner::kaldialign_sclite ? 3 : 1), size_(scratch.reference.size() + 1) {
        // Runs of the reference by their word, then from the left; those of the hypothesis by their end.
        std::ranges::sort(s_.in_reference, {}, [](const RunOfWords& run) { return std::pair(run.word, run.end); });
        begin_by(s_.in_reference, s_.ids.size(), [](const RunOfWords& run) { return run.word; }, s_.first_run_of_word);
        std::ranges::sort(s_.in_hypothesis, {}, [](const RunOfWords& run) { return run.end; });
        begin_by(s_.in_hypothesis, s_.hypothesis.size() + 1, [](const RunOfWords& run) { return run.end; }, s_.first_run_to);
        for (const auto& run : s_.in_hypothesis) n_back_ = std::max<std::size_t>(n_back_, run.end - run.start);
    }

    // visit(letter) for the edits from the last to the first.
    template <class Visit>
    void walk_back(Visit visit) {
        auto i = s_.reference.size(), j = s_.hypothesis.size();
        if (i && j) {
            const bool is_large = (j + 1) > most_costs / size_;
            const auto root = std::sqrt(static_cast<double>(j) * static_cast<double>(n_back_));
            stride_ = is_large ? std::max(static_cast<std::size_t>(root) + 1, n_back_) : j;
            block_ = (j - 1) / stride_;
            s_.rows.resize((stride_ + n_back_) * size_);
            s_.kept.resize(block_ * n_back_ * size_);
            const auto last = block_;
            for (block_ = 0; block_ < last; ++block_) {
                fill();
                std::copy_n(row(block_ * stride_ + stride_ + 1 - n_back_), n_back_ * size_,
                            s_.kept.begin() + static_cast<std::ptrdiff_t>(block_ * n_back_ * size_));
            }
            fill();
        }
        while (i && j && !stop_.asked(1)) {
            while (j <= block_ * stride_) {
                --block_;
                fill();
            }
            const auto cost = row(j)[i];
            const auto is_equal = s_.hypothesis.ids[j - 1] == s_.reference.ids[i - 1];
            const auto diagonal = row(j - 1)[i - 1] + (is_equal ? 0 : exchanged_);
            const auto without = row(j)[i - 1] + left_out_, more = row(j - 1)[i] + left_out_;
            if (cost < std::min({diagonal, without, more})) {
                list_joins(j);
                const auto join = *std::ranges::find_if(s_.joins, [i](const auto& one) { return one[0] == i; });
                visit('j');
                for (--i; i > join[1]; --i) visit('r');
                for (--j; j > join[2]; --j) visit('h');
            } else if (diagonal < without && diagonal < more) {
                visit(is_equal ? ' ' : 's');
                --i, --j;
            } else if (without < more) {
                visit('d');
                --i;
            } else {
                visit('i');
                --j;
            }
        }
        for (; i; --i) visit('d');
        for (; j; --j) visit('i');
    }

private:
    // Of rows that are held: n_back_ up to the first of a block, then those behind it.
    std::uint32_t* row(std::size_t j) { return s_.rows.data() + (j + n_back_ - 1 - block_ * stride_) * size_; }

    // The joins that end in a row: the place, and the words of both sides before them.
    void list_joins(std::size_t j) {
        s_.joins.clear();
        const auto word = s_.hypothesis.ids[j - 1];
        for (auto r = s_.first_run_of_word[word]; r < s_.first_run_of_word[word + 1]; ++r)
            s_.joins.push_back({s_.in_reference[r].end, s_.in_reference[r].start, static_cast<std::uint32_t>(j - 1)});
        for (auto r = s_.first_run_to[j]; r < s_.first_run_to[j + 1]; ++r) {
            const auto& run = s_.in_hypothesis[r];
            for (auto p = s_.first_place[run.word]; p < s_.first_place[run.word + 1]; ++p) {
                const auto place = static_cast<std::uint32_t>(s_.places[p]);
                s_.joins.push_back({place + 1, place, run.start});
            }
        }
        std::ranges::sort(s_.joins);
    }

    void fill() {
        const auto first = block_ * stride_, last = std::min(first + stride_, s_.hypothesis.size());
        if (first == 0)
            for (std::size_t i = 0; i < size_; ++i) row(0)[i] = left_out_ * static_cast<std::uint32_t>(i);
        else
            std::copy_n(s_.kept.begin() + static_cast<std::ptrdiff_t>((block_ - 1) * n_back_ * size_), n_back_ * size_,
                        s_.rows.begin());
        for (auto j = first + 1; j <= last && !stop_.asked(size_); ++j) step(j);
    }

    void step(std::size_t j) {
        list_joins(j);
        const auto *before = row(j - 1), *reference = s_.reference.ids.data();
        auto* after = row(j);
        const auto word = s_.hypothesis.ids[j - 1];
        after[0] = before[0] + left_out_;
        std::size_t i = 1;
        const auto go_to = [&](std::size_t end) {
            for (; i <= end; ++i)
                after[i] = std::min({before[i - 1] + (reference[i - 1] == word ? 0 : exchanged_), before[i] + left_out_,
                                     after[i - 1] + left_out_});
        };
        for (const auto& [end, start, from] : s_.joins) {
            go_to(end);
            after[end] = std::min(after[end], row(from)[start]);
        }
        go_to(size_ - 1);
    }

    JoinScratch& s_;
    Stop& stop_;
    std::uint32_t exchanged_, left_out_;
    std::size_t size_, n_back_ = 1, stride_ = 1, block_ = 0;
};

// The edits of the words that were read.
std::string path_of_words(Aligner aligner, JoinScratch& s, Stop& stop) {
    s.ids.clear();
    for (auto* side : {&s.hypothesis, &s.reference}) {
        side->ids.resize(side->size());
        s.ids.add(side->words, side->ids.data());
    }
    find_runs(s.reference, s.hypothesis, s, s.in_reference, stop);
    find_runs(s.hypothesis, s.reference, s, s.in_hypothesis, stop);
    if (s.in_hypothesis.empty() && s.in_reference.empty())
        return levenshtein_path(s.hypothesis.ids, s.reference.ids, s.ids.size(), aligner, s.levenshtein, stop);
    std::string path;
    JoinTable(aligner, s, stop).walk_back([&](char letter) { path.push_back(letter); });
    std::ranges::reverse(path);
    return path;
}

// Counts the edits of pairs while their texts are cut.
class JoinReader final : public WordReader {
public:
    JoinReader(Aligner aligner, std::span<std::int64_t> counts) : aligner_(aligner), counts_(counts) {}

    void read_hypothesis(Words& words) override {
        s_.hypothesis.words.swap(words);
        is_noted_ = false;
    }

    void read_reference(std::size_t reference, Words& words, Ids hypothesis_ids, Ids reference_ids, const WordIds& ids,
                        Stop& stop) override {
        s_.reference.words.swap(words);
        const auto own = counts_.subspan(n_edit_counts * reference, n_edit_counts);
        edits_of_pair(hypothesis_ids, reference_ids, ids.size(), aligner_, own, s_.levenshtein, stop);
        // The words are the same where there is no edit.
        if (own[0] == static_cast<std::int64_t>(std::max(hypothesis_ids.size(), reference_ids.size()))) return;
        if (!is_noted_) note_starts(s_.hypothesis);
        is_noted_ = true;
        const auto candidates = noted_candidates_of(s_.reference, s_.hypothesis);
        if (!may_join(candidates, s_.reference, s_.hypothesis, hypothesis_ids, ids, stop) &&
            !may_join(candidates_of(s_.hypothesis, s_.reference), s_.hypothesis, s_.reference, reference_ids, ids, stop))
            return;
        std::ranges::fill(own, 0);
        for (const auto letter : path_of_words(aligner_, s_, stop)) {
            const auto count = std::string_view(" sdi").find(letter == 'r' || letter == 'j' ? ' ' : letter);
            if (count != std::string_view::npos) ++own[count];
        }
    }

private:
    Aligner aligner_;
    std::span<std::int64_t> counts_;
    JoinScratch s_;
    bool is_noted_ = false;  // whether the hypothesis is
};

}  // namespace

std::string joined_path(const Cutter& cutter, std::string_view hypothesis, std::string_view reference, Aligner aligner,
                        JoinScratch& s, Stop& stop) {
    s.cut.arena.clear();
    read(cutter, hypothesis, s.hypothesis, s.cut);
    read(cutter, reference, s.reference, s.cut);
    return path_of_words(aligner, s, stop);
}

JoinedEdits joined_edits(const Cutter& cutter, const Corpus& corpus, Aligner aligner, int n_threads) {
    JoinedEdits found;
    found.counts.resize(n_edit_counts * corpus.references.size());
    const auto reader = [&] { return std::make_unique<JoinReader>(aligner, found.counts); };
    found.tokens = cut(cutter, corpus, WordReaders(reader), n_threads);
    return found;
}

}  // namespace textgauge
