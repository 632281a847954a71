// METEOR for Python: words as numbers, what is known of each word, and the table of paraphrases in; counts out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "meteor.hpp"
#include "segments.hpp"
#include "texts.hpp"
#include "treebank.hpp"
#include "synsets.hpp"

namespace textgauge {
namespace {

using U32 = ArrayView<std::uint32_t>;

template <class T>
std::vector<T> copied(const ArrayView<T>& array) {
    const auto given = span_of(array);
    return {given.begin(), given.end()};
}

// The texts of a call: the hypothesis of every pair, and its reference.
struct Pairs {
    std::vector<std::uint32_t> ids;
    std::vector<std::int64_t> offsets, hypotheses, references;

    WordIds32 text(std::int64_t t) const {
        return WordIds32(ids).subspan(static_cast<std::size_t>(offsets[t]),
                                      static_cast<std::size_t>(offsets[t + 1] - offsets[t]));
    }
};

// Copies: while the GIL is released, another thread may write into an array of Python's.
Pairs pairs_of(const U32& ids, const ArrayView<std::int64_t>& offsets, const ArrayView<std::int64_t>& hypotheses,
               const ArrayView<std::int64_t>& references) {
    Pairs pairs{copied(ids), copied(offsets), copied(hypotheses), copied(references)};
    if (!are_offsets(pairs.offsets, pairs.ids.size()))
        throw nb::value_error("offsets: expected ascending numbers from 0 to the number of ids");
    const auto n_texts = static_cast<std::int64_t>(pairs.offsets.size()) - 1;
    const auto is_text = [&](std::int64_t t) { return t >= 0 && t < n_texts; };
    if (pairs.hypotheses.size() != pairs.references.size() || !std::ranges::all_of(pairs.hypotheses, is_text) ||
        !std::ranges::all_of(pairs.references, is_text))
        throw nb::value_error("hypotheses, references: expected numbers of texts, equally many");
    return pairs;
}

void check_words(const Pairs& pairs, const MeteorWords& words) {
    const auto n = words.stems.size();
    const bool fit = words.functions.size() == n && words.lengths.size() == n && words.in_table.size() == n &&
                     words.offsets.size() == n + 1 && are_offsets(words.offsets, words.related.size());
    if (!fit) throw nb::value_error("words: expected arrays of one length");
    if (!std::ranges::all_of(pairs.ids, [&](std::uint32_t id) { return id < n; }))
        throw nb::value_error("ids: expected numbers of words");
}

// Those of nltk have numbers of words.
void check_numbers(const MeteorWords& words) {
    const auto is_word = [&](std::uint32_t number) { return number < words.stems.size(); };
    if (!std::ranges::all_of(words.stems, is_word) || !std::ranges::all_of(words.related, is_word))
        throw nb::value_error("stems, related: expected numbers of words");
}

// Rows of numbers, one for each pair, without the GIL.
template <class Work>
nb::object rows_of(const Pairs& pairs, std::size_t n_columns, int n_threads, Work work) {
    std::vector<std::int64_t> rows(pairs.hypotheses.size() * n_columns);
    {
        const nb::gil_scoped_release released;
        for_each_segment<MeteorScratch>(pairs.hypotheses.size(), n_threads,
                                        [&](MeteorScratch& scratch, std::size_t p, Stop& stop) {
            work(pairs.text(pairs.hypotheses[p]), pairs.text(pairs.references[p]),
                 std::span(rows).subspan(p * n_columns, n_columns), scratch, stop);
        });
    }
    return owned(std::move(rows), n_columns);
}

// The alignment of the first pair, shape (n_matches, 5).
template <class Work>
nb::object alignment_of(const Pairs& pairs, Work work) {
    if (pairs.hypotheses.size() != 1) throw nb::value_error("hypotheses: expected one pair");
    std::vector<std::int64_t> matches;
    {
        const nb::gil_scoped_release released;
        for_each_segment<MeteorScratch>(1, 1, [&](MeteorScratch& scratch, std::size_t, Stop& stop) {
            work(pairs.text(pairs.hypotheses[0]), pairs.text(pairs.references[0]), scratch, stop);
            for (const auto& match : scratch.alignment)
                for (const auto number : {match.at, match.n, match.own, match.n_own, match.matcher})
                    matches.push_back(number);
        });
    }
    return owned(std::move(matches), std::size_t{5});
}

MeteorOptions options_of(std::int64_t matchers, std::int64_t beam_size) {
    if (matchers < 1 || matchers > 15) throw nb::value_error("matchers: expected 1 to 15");
    if (beam_size < 1 || beam_size > 100000) throw nb::value_error("beam_size: expected 1 to 100000");
    MeteorOptions options{{}, static_cast<std::size_t>(beam_size)};
    for (std::size_t m = 0; m < 4; ++m) options.matchers[m] = (matchers >> m & 1) != 0;
    return options;
}

nb::object paraphrase_table_of(const nb::bytes& text) {
    ParaphraseTable table;
    {
        const std::string_view view(text.c_str(), text.size());
        const nb::gil_scoped_release released;
        struct None {};
        for_each_segment<None>(1, 1, [&](None&, std::size_t, Stop& stop) { table = paraphrase_table(view, stop); });
    }
    if (table.bad_line != 0)
        throw nb::value_error(("line " + std::to_string(table.bad_line) + ": expected a number").c_str());
    std::string vocabulary;
    for (const auto word : table.vocabulary) (vocabulary += word) += '\n';
    return nb::make_tuple(nb::bytes(vocabulary.data(), vocabulary.size()), owned(std::move(table.words)),
                          owned(std::move(table.first)), owned(std::move(table.offsets)),
                          owned(std::move(table.entries)));
}

// One array of a tuple as it is: an array of another type would be converted to one that nothing keeps.
template <class T>
ArrayView<T> array_in(const nb::tuple& arrays, std::size_t i, const char* message) {
    ArrayView<T> array;
    if (!nb::try_cast(arrays[i], array, false)) throw nb::value_error(message);
    return array;
}

MeteorWords words_in(const nb::tuple& w) {
    static constexpr const char* message = "words: expected six arrays of uint32, int64, uint32, uint8, uint32, uint32";
    if (nb::len(w) != 6) throw nb::value_error(message);
    const auto u32 = [&](std::size_t i) { return copied(array_in<std::uint32_t>(w, i, message)); };
    return {u32(0), copied(array_in<std::int64_t>(w, 1, message)), u32(2),
            copied(array_in<std::uint8_t>(w, 3, message)), u32(4), u32(5), {}};
}

// The arrays of a table stay as they are, since they may be a mapped file, and are held.
struct HeldTable {
    std::array<U32, 4> arrays;

    Paraphrases view() const { return {span_of(arrays[0]), span_of(arrays[1]), span_of(arrays[2]), span_of(arrays[3])}; }
};

HeldTable table_in(const nb::tuple& t) {
    static constexpr const char* message = "table: expected four arrays of uint32";
    if (nb::len(t) != 4) throw nb::value_error(message);
    HeldTable table;
    for (std::size_t i = 0; i < 4; ++i) table.arrays[i] = array_in<std::uint32_t>(t, i, message);
    return table;
}

// Puts texts of Python's one behind the other, with `padding` behind them; words are then views into the buffer.
class JoinedWords {
public:
    explicit JoinedWords(std::string& buffer) : buffer_(buffer) { buffer_.clear(); }

    void add(nb::handle word) {
        Py_ssize_t n_bytes;
        const char* bytes = PyUnicode_Check(word.ptr()) ? PyUnicode_AsUTF8AndSize(word.ptr(), &n_bytes) : nullptr;
        if (!bytes) {
            if (PyErr_Occurred()) throw nb::python_error();
            throw nb::type_error("cut: expected a function str -> list of str");
        }
        buffer_.append(bytes, static_cast<std::size_t>(n_bytes));
        ends_.push_back(buffer_.size());
    }
    void to(Words& words) {
        buffer_.append(padding, '\0');
        words.clear();
        for (std::size_t w = 0; w + 1 < ends_.size(); ++w)
            words.push_back(std::string_view(buffer_).substr(ends_[w], ends_[w + 1] - ends_[w]));
    }

private:
    std::string& buffer_;
    std::vector<std::size_t> ends_{0};
};

void cut_by(nb::handle cut, std::string_view text, std::string& buffer, Words& words) {
    const nb::object cut_words = cut(nb::str(text.data(), text.size()));
    if (!nb::isinstance<nb::list>(cut_words)) throw nb::type_error("cut: expected a function str -> list of str");
    JoinedWords joined(buffer);
    // A tuple of its own: the list is Python's.
    for (const nb::handle word : nb::borrow<nb::tuple>(tuple_of(cut_words))) joined.add(word);
    joined.to(words);
}

// The lower case of a letter as Python has it; 0 where that is not one character, or the first is no letter.
std::uint32_t lower_by_python(std::uint32_t code) {
    PyObject* letter = PyUnicode_FromOrdinal(static_cast<int>(code));
    if (!letter) throw nb::python_error();
    const nb::object upper = nb::steal(letter), lower = upper.attr("lower")();
    return nb::cast<bool>(upper.attr("isalpha")()) && nb::len(lower) == 1 ? nb::cast<std::uint32_t>(nb::module_::import_("builtins").attr("ord")(lower)) : 0;
}

// WordNet with its files, which are bytes of Python's.
class HeldWordNet {
public:
    HeldWordNet(const nb::sequence& index, const nb::sequence& exceptions, const nb::sequence& data)
        : net_(held(index), held(exceptions), held(data)) {}

    nb::list names(const std::string& word) const {
        std::vector<std::string_view> names;
        net_.add_names(word, names);
        std::ranges::sort(names);
        names.erase(std::ranges::unique(names).begin(), names.end());
        nb::list listed;
        for (const auto name : names) listed.append(nb::steal(text_of(name)));
        return listed;
    }

    // With the GIL, since a function of Python's is called in between.
    nb::tuple words(const Texts& texts, nb::handle cut) {
        NumberedWords numbered;
        TreebankScratch scratch;
        std::string buffer;
        Words words;
        for (const auto text : texts.views) {
            words.clear();
            if (!cut_treebank(text, lower_of_, scratch, words)) cut_by(cut, text, buffer, words);
            numbered.add(words);
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
        const std::lock_guard lock(mutex_);
        auto found = known_.find(numbered.words);
        std::string lines;
        for (const auto word : numbered.words) (lines += word) += '\n';
        return nb::make_tuple(nb::bytes(lines.data(), lines.size()), owned(std::move(numbered.ids)),
                              owned(std::move(numbered.offsets)), owned(std::move(found.stems)),
                              owned(std::move(found.offsets)), owned(std::move(found.related)));
    }

    nb::bytes counted() const {
        const auto all = net_.counted();
        return nb::bytes(all.data(), all.size());
    }

private:
    WordNetFiles held(const nb::sequence& files) {
        if (nb::len(files) != n_parts) throw nb::value_error("files: expected one for each part of speech");
        WordNetFiles views;
        for (std::size_t p = 0; p < n_parts; ++p) {
            files_.push_back(nb::cast<nb::bytes>(files[p]));
            views[p] = {files_.back().c_str(), files_.back().size()};
        }
        return views;
    }
    static PyObject* text_of(std::string_view name) {
        PyObject* text = PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "replace");
        if (!text) throw nb::python_error();
        return text;
    }
    static std::string lowered(std::string_view word) {
        std::string lower(word);
        if (is_ascii(word))
            lower_ascii(lower);
        else
            lower = nb::cast<std::string>(nb::str(word.data(), word.size()).attr("lower")());
        return lower;
    }

    std::vector<nb::bytes> files_;
    WordNet net_;
    StemsAndSynonyms known_{net_, lowered};
    LowerLetters lower_of_ = lower_letters(lower_by_python);
    std::mutex mutex_;  // of what is known, where Python has no lock of its own
};

}  // namespace

void bind_meteor(nb::module_& m) {
    using namespace nb::literals;
    const auto threads = nb::arg("n_threads") = 1;
    using I64 = ArrayView<std::int64_t>;
    m.def("paraphrase_table", &paraphrase_table_of, "text"_a);
    nb::class_<HeldWordNet>(m, "WordNet")
        .def(nb::init<const nb::sequence&, const nb::sequence&, const nb::sequence&>(), "index"_a, "exceptions"_a,
             "data"_a)
        .def("names", &HeldWordNet::names, "word"_a)
        .def("words", &HeldWordNet::words, "texts"_a, "cut"_a)
        .def("counted", &HeldWordNet::counted);
    m.def("meteor15_rows", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                               const nb::tuple& words, const nb::tuple& table, std::int64_t matchers,
                               std::int64_t beam_size, int n_threads) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        auto known = words_in(words);
        check_words(pairs, known);
        const auto held_table = table_in(table);
        const auto paraphrases = held_table.view();
        known.nodes = word_nodes(known, paraphrases);
        const auto options = options_of(matchers, beam_size);
        return rows_of(pairs, n_meteor_counts, n_threads, [&](auto a, auto b, auto row, auto& scratch, Stop& stop) {
            meteor15_counts(a, b, known, paraphrases, options, row, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a, "table"_a, "matchers"_a, "beam_size"_a, threads);
    m.def("meteor15_matches", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                                  const nb::tuple& words, const nb::tuple& table, std::int64_t matchers,
                                  std::int64_t beam_size) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        auto known = words_in(words);
        check_words(pairs, known);
        const auto held_table = table_in(table);
        const auto paraphrases = held_table.view();
        known.nodes = word_nodes(known, paraphrases);
        const auto options = options_of(matchers, beam_size);
        return alignment_of(pairs, [&](auto a, auto b, auto& scratch, Stop& stop) {
            meteor15_alignment(a, b, known, paraphrases, options, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a, "table"_a, "matchers"_a, "beam_size"_a);
    m.def("meteor_rows", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                             const nb::tuple& words, int n_threads) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        const auto known = words_in(words);
        check_words(pairs, known);
        check_numbers(known);
        return rows_of(pairs, 4, n_threads, [&](auto a, auto b, auto row, auto& scratch, Stop& stop) {
            meteor_counts(a, b, known, row, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a, threads);
    m.def("meteor_matches", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                                const nb::tuple& words) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        const auto known = words_in(words);
        check_words(pairs, known);
        check_numbers(known);
        return alignment_of(pairs, [&](auto a, auto b, auto& scratch, Stop& stop) {
            meteor_alignment(a, b, known, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a);
}

}  // namespace textgauge
