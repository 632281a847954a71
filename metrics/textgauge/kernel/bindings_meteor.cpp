// METEOR for Python: words as numbers, what is known of each word, and the table of paraphrases in; counts out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <unordered_map>

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
            copied(array_in<std::uint8_t>(w, 3, message)), u32(4), u32(5)};
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

    void add(std::string_view word) {
        buffer_.append(word);
        ends_.push_back(buffer_.size());
    }
    void add(nb::handle word) {
        Py_ssize_t n_bytes;
        const char* bytes = PyUnicode_Check(word.ptr()) ? PyUnicode_AsUTF8AndSize(word.ptr(), &n_bytes) : nullptr;
        if (!bytes) {
            if (PyErr_Occurred()) throw nb::python_error();
            throw nb::type_error("cut: expected a function str -> list of str");
        }
        add(std::string_view(bytes, static_cast<std::size_t>(n_bytes)));
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

// The words of a text in lower case: of ASCII here, of other characters by Python.
void lower_words(std::string_view text, TreebankScratch& scratch, Words& words) {
    cut_treebank(text, scratch, words);
    lower_ascii(scratch.text);
    if (is_ascii(text)) return;
    JoinedWords joined(scratch.other);
    for (const auto word : words)
        is_ascii(word) ? joined.add(word) : joined.add(nb::str(word.data(), word.size()).attr("lower")());
    joined.to(words);
}

void cut_by(nb::handle cut, std::string_view text, TreebankScratch& scratch, Words& words) {
    const nb::object cut_words = cut(nb::str(text.data(), text.size()));
    if (!nb::isinstance<nb::list>(cut_words)) throw nb::type_error("cut: expected a function str -> list of str");
    JoinedWords joined(scratch.other);
    // A tuple of its own: the list is Python's.
    for (const nb::handle word : nb::borrow<nb::tuple>(tuple_of(cut_words))) joined.add(word);
    joined.to(words);
}

// With the GIL, since a function of Python's is called in between.
nb::tuple stemmed_words_of(const Texts& texts, nb::handle cut) {
    StemmedWords stemmed;
    TreebankScratch scratch;
    Words words;
    for (const auto text : texts.views) {
        words.clear();
        if (has_known_characters(text))
            lower_words(text, scratch, words);
        else
            cut_by(cut, text, scratch, words);
        stemmed.add(words);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    stemmed.stem_all();
    nb::list listed;
    for (const auto word : stemmed.words) listed.append(nb::str(word.data(), word.size()));
    return nb::make_tuple(owned(std::move(stemmed.ids)), owned(std::move(stemmed.offsets)), listed,
                          owned(std::move(stemmed.stems)));
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

    nb::tuple related(const nb::sequence& words, const U32& stems) {
        // A tuple of its own: the list is Python's, and so are the texts.
        const auto own = nb::borrow<nb::tuple>(tuple_of(words));
        const auto n_words = nb::len(own);
        std::vector<std::string_view> texts;
        std::unordered_map<std::string_view, std::uint32_t> numbers;
        texts.reserve(n_words);
        numbers.reserve(n_words);
        for (std::size_t w = 0; w < n_words; ++w) {
            texts.push_back(nb::cast<std::string_view>(own[w]));
            numbers.insert_or_assign(texts.back(), static_cast<std::uint32_t>(w));
        }
        if (stems.shape(0) != n_words) throw nb::value_error("stems: expected one of every word");
        std::vector<bool> is_stem(n_words);
        for (const auto stem : copied(stems)) {
            if (stem >= n_words) throw nb::value_error("stems: expected numbers of words");
            is_stem[stem] = true;
        }
        std::vector<std::int64_t> offsets{0};
        std::vector<std::uint32_t> related, found, names;
        constexpr std::uint32_t not_asked = 0xFFFFFFFF, none = not_asked - 1;
        std::vector<std::uint32_t> word_of;  // by name
        const std::lock_guard lock(mutex_);
        const auto word_named = [&](std::uint32_t name) {
            if (name >= word_of.size()) word_of.resize(name + 1, not_asked);
            if (word_of[name] == not_asked) {
                const auto number = numbers.find(net_.name(name));
                word_of[name] = number == numbers.end() ? none : number->second;
            }
            return word_of[name];
        };
        for (std::size_t w = 0; w < n_words; ++w) {
            if (is_stem[w]) {
                const auto lower = lowered(texts[w]);
                names.clear();
                net_.add_numbers(lower, names);
                found.assign(1, numbers.find(texts[w])->second);
                for (const auto name : names)
                    if (const auto word = word_named(name); word != none) found.push_back(word);
                std::ranges::sort(found);
                related.insert(related.end(), found.begin(), std::ranges::unique(found).begin());
            }
            offsets.push_back(static_cast<std::int64_t>(related.size()));
        }
        return nb::make_tuple(owned(std::move(offsets)), owned(std::move(related)));
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
    std::mutex mutex_;  // of what the net keeps, where Python has no lock of its own
};

}  // namespace

void bind_meteor(nb::module_& m) {
    using namespace nb::literals;
    const auto threads = nb::arg("n_threads") = 1;
    using I64 = ArrayView<std::int64_t>;
    m.def("paraphrase_table", &paraphrase_table_of, "text"_a);
    m.def("stemmed_words", &stemmed_words_of, "texts"_a, "cut"_a);
    nb::class_<HeldWordNet>(m, "WordNet")
        .def(nb::init<const nb::sequence&, const nb::sequence&, const nb::sequence&>(), "index"_a, "exceptions"_a,
             "data"_a)
        .def("names", &HeldWordNet::names, "word"_a)
        .def("related", &HeldWordNet::related, "words"_a, "stems"_a)
        .def("counted", &HeldWordNet::counted);
    m.def("meteor15_rows", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                               const nb::tuple& words, const nb::tuple& table, std::int64_t matchers,
                               std::int64_t beam_size, int n_threads) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        const auto known = words_in(words);
        check_words(pairs, known);
        const auto held_table = table_in(table);
        const auto paraphrases = held_table.view();
        const auto options = options_of(matchers, beam_size);
        return rows_of(pairs, n_meteor_counts, n_threads, [&](auto a, auto b, auto row, auto& scratch, Stop& stop) {
            meteor15_counts(a, b, known, paraphrases, options, row, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a, "table"_a, "matchers"_a, "beam_size"_a, threads);
    m.def("meteor15_matches", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                                  const nb::tuple& words, const nb::tuple& table, std::int64_t matchers,
                                  std::int64_t beam_size) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        const auto known = words_in(words);
        check_words(pairs, known);
        const auto held_table = table_in(table);
        const auto paraphrases = held_table.view();
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
        if (!std::ranges::all_of(known.stems, [&](std::uint32_t id) { return id < known.stems.size(); }))
            throw nb::value_error("stems: expected numbers of words");
        return rows_of(pairs, 4, n_threads, [&](auto a, auto b, auto row, auto& scratch, Stop& stop) {
            meteor_counts(a, b, known, row, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a, threads);
    m.def("meteor_matches", [=](const U32& ids, const I64& offsets, const I64& hypotheses, const I64& references,
                                const nb::tuple& words) {
        const auto pairs = pairs_of(ids, offsets, hypotheses, references);
        const auto known = words_in(words);
        check_words(pairs, known);
        if (!std::ranges::all_of(known.stems, [&](std::uint32_t id) { return id < known.stems.size(); }))
            throw nb::value_error("stems: expected numbers of words");
        return alignment_of(pairs, [&](auto a, auto b, auto& scratch, Stop& stop) {
            meteor_alignment(a, b, known, scratch, stop);
        });
    }, "ids"_a, "offsets"_a, "hypotheses"_a, "references"_a, "words"_a);
}

}  // namespace textgauge
