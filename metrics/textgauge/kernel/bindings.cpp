#include "bindings.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "cutter.hpp"
#include "lexer.hpp"
#include "platform.hpp"
#include "segments.hpp"
#include "tokens.hpp"

namespace textgauge {
namespace {

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#elif defined(_MSC_VER)
    return "MSVC " + std::to_string(_MSC_VER);
#else
    return "unknown compiler";
#endif
}

std::string build_info() {
    auto info = compiler();
#if defined(NDEBUG)
    info += ", release";
#else
    info += ", debug";
#endif
#if defined(TEXTGAUGE_SANITIZED)
    info += ", sanitized";
#endif
    return info;
}

bool has_signal() {
    const auto state = PyGILState_Ensure();
    const bool has_error = PyErr_CheckSignals() != 0;
    PyGILState_Release(state);
    return has_error;
}

// An array, or an invalid one for an empty tuple or list, or None.
template <class T>
ArrayView<T> array_of(nb::handle argument) {
    if (argument.is_none()) return {};
    if ((nb::isinstance<nb::tuple>(argument) || nb::isinstance<nb::list>(argument)) && nb::len(argument) == 0)
        return {};
    ArrayView<T> array;
    if (!nb::try_cast(argument, array))
        throw nb::type_error("expected contiguous arrays, of uint32 for ids, else of int64");
    return array;
}

template <class T>
std::size_t size_of(const ArrayView<T>& array) {
    return array.is_valid() ? array.shape(0) : 0;
}

template <class T>
UnsetVector<T> values_of(const ArrayView<T>& array) {
    if (!array.is_valid()) return {};
    const auto values = span_of(array);
    return {values.begin(), values.end()};
}

void check_sizes(const Tokens& tokens) {
    for (std::size_t segment = 0; segment < tokens.n_segments(); ++segment) {
        const auto first = tokens.segments[segment], last = tokens.segments[segment + 1];
        const auto n_sentences = tokens.has_own_sentences
            ? tokens.text_sentences[last] - tokens.text_sentences[first] : 0;
        if (std::max(tokens.n_tokens(segment), static_cast<std::size_t>(n_sentences)) > largest_segment)
            throw nb::value_error("segments: expected fewer than 2**32 - 2 tokens and sentences each");
    }
}

void check_ids(const Tokens& tokens) {
    for (std::size_t segment = 0; segment < tokens.n_segments(); ++segment) {
        const auto n = tokens.n_tokens(segment);
        const auto is_dense = [n](std::uint32_t id) { return id < n; };
        for (auto t = tokens.segments[segment]; t < tokens.segments[segment + 1]; ++t) {
            const auto text = tokens.text(t);
            bool are_dense = std::all_of(text.begin(), text.end(), is_dense);
            if (tokens.has_own_sentences)
                for (auto k = tokens.text_sentences[t]; k < tokens.text_sentences[t + 1]; ++k) {
                    const auto sentence = tokens.sentence(k);
                    are_dense = are_dense && std::all_of(sentence.begin(), sentence.end(), is_dense);
                }
            if (!are_dense)
                throw nb::value_error("ids: expected numbers below the number of tokens of their segment");
        }
    }
}

Tokens tokens_of(nb::handle ids, nb::handle offsets, nb::handle segments, nb::handle sentence_ids,
                 nb::handle sentence_offsets, nb::handle text_sentences) {
    using std::int64_t, std::uint32_t;
    const auto given = array_of<uint32_t>(ids), given_of_sentences = array_of<uint32_t>(sentence_ids);
    Tokens tokens;
    tokens.offsets = values_of(array_of<int64_t>(offsets));
    tokens.segments = values_of(array_of<int64_t>(segments));
    tokens.sentence_offsets = values_of(array_of<int64_t>(sentence_offsets));
    tokens.text_sentences = values_of(array_of<int64_t>(text_sentences));
    if (!are_offsets(tokens.offsets, size_of(given)))
        throw nb::value_error("offsets: expected ascending numbers from 0 to the number of ids");
    if (!are_offsets(tokens.segments, tokens.n_texts()))
        throw nb::value_error("segments: expected ascending numbers from 0 to the number of texts");
    if (std::adjacent_find(tokens.segments.begin(), tokens.segments.end()) != tokens.segments.end())
        throw nb::value_error("segments: expected a hypothesis in every segment");
    tokens.has_own_sentences = !tokens.text_sentences.empty();
    if (tokens.has_own_sentences) {
        if (!are_offsets(tokens.sentence_offsets, size_of(given_of_sentences)))
            throw nb::value_error("sentence_offsets: expected ascending numbers from 0 to the number of sentence_ids");
        if (tokens.text_sentences.size() != tokens.offsets.size() ||
            !are_offsets(tokens.text_sentences, tokens.sentence_offsets.size() - 1))
            throw nb::value_error(
                "text_sentences: expected ascending numbers from 0 to the number of sentences, as many as offsets");
    } else if (size_of(given_of_sentences) > 0 || !tokens.sentence_offsets.empty()) {
        throw nb::value_error("text_sentences: expected the sentences of every text beside sentence_ids");
    }
    check_sizes(tokens);
    for (const auto& [array, ids] : {std::pair(&given, &tokens.ids), std::pair(&given_of_sentences, &tokens.sentence_ids)})
        if (array->is_valid()) ids->assign(array->data(), array->data() + array->shape(0));
    check_ids(tokens);
    return tokens;
}

// A read-only attribute that shows a vector of Tokens without a copy.
template <auto member>
nb::object shown(nb::handle self) {
    const auto& values = nb::cast<const Tokens&>(self).*member;
    return borrowed(std::span(values.data(), values.size()), self);
}

nb::object shown_sentence_ids(nb::handle self) {
    const auto& tokens = nb::cast<const Tokens&>(self);
    const bool are_ids = !tokens.has_own_sentences && !tokens.text_sentences.empty();
    return are_ids ? shown<&Tokens::ids>(self) : shown<&Tokens::sentence_ids>(self);
}

void bind_tokens(nb::module_& m) {
    nb::class_<Tokens>(m, "Tokens")
        .def(
            "__init__",
            [](Tokens* self, nb::object ids, nb::object offsets, nb::object segments, nb::object sentence_ids,
               nb::object sentence_offsets, nb::object text_sentences) {
                new (self) Tokens(tokens_of(ids, offsets, segments, sentence_ids, sentence_offsets, text_sentences));
            },
            nb::arg("ids"), nb::arg("offsets"), nb::arg("segments"), nb::arg("sentence_ids") = nb::make_tuple(),
            nb::arg("sentence_offsets") = nb::make_tuple(), nb::arg("text_sentences") = nb::make_tuple())
        .def("__len__", &Tokens::n_segments)
        .def_prop_ro("n_empty", &Tokens::n_empty)
        .def_prop_ro("are_single", &Tokens::are_single)
        .def_prop_ro("ids", &shown<&Tokens::ids>)
        .def_prop_ro("offsets", &shown<&Tokens::offsets>)
        .def_prop_ro("segments", &shown<&Tokens::segments>)
        .def_prop_ro("sentence_ids", &shown_sentence_ids)
        .def_prop_ro("sentence_offsets", &shown<&Tokens::sentence_offsets>)
        .def_prop_ro("text_sentences", &shown<&Tokens::text_sentences>);
}

// The UTF-8 of a word, a lone surrogate as the three bytes that no text has.
std::string bytes_of(nb::handle word) {
    if (!PyUnicode_Check(word.ptr())) throw nb::type_error("expected words that are str");
    const auto encoded = nb::steal<nb::bytes>(PyUnicode_AsEncodedString(word.ptr(), "utf-8", "surrogatepass"));
    if (!encoded.is_valid()) throw nb::python_error();
    return {encoded.c_str(), encoded.size()};
}

nb::object word_of(std::string_view bytes) {
    PyObject* word = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogatepass");
    if (!word) throw nb::python_error();
    return nb::steal(word);
}

template <class Views>
nb::list words_of(const Views& words) {
    nb::list values;
    for (const auto word : words) values.append(word_of(word));
    return values;
}

Stemmer stemmer_named(std::string_view name) {
    if (name.empty()) return Stemmer::none;
    if (name == "porter") return Stemmer::porter;
    if (name == "porter155") return Stemmer::porter155;
    throw nb::value_error("stemmer: expected '', 'porter' or 'porter155'");
}

void add_stems(Cutter& cutter, nb::handle irregular) {
    if (cutter.stemmer == Stemmer::none) return;
    if (cutter.stemmer == Stemmer::porter)
        for (const auto& [form, base] : irregular_forms()) cutter.add_irregular(form, base);
    for (const nb::handle pair : irregular) {
        if (nb::len(pair) != 2) throw nb::value_error("irregular: expected pairs of a form and its base");
        cutter.add_irregular(bytes_of(pair[0]), bytes_of(pair[1]));
    }
}

void add_characters(Cutter& cutter, nb::handle characters) {
    if (!needs_characters(cutter.tokenizer)) return;
    ArrayView<std::uint8_t> table;
    if (characters.is_none() || !nb::try_cast(characters, table) || table.shape(0) != n_code_points)
        throw nb::value_error("characters: expected the table of characters, which this tokenizer asks");
    cutter.characters = span_of(table);
    cutter.characters_holder = held(nb::cast(table));
}

// Rules as tuples in the order of `Rule` of plain/ptb.py.
std::shared_ptr<Lexer> lexer_of(nb::iterable rules, nb::dict lowered, nb::iterable dropped) {
    std::vector<std::string> patterns;
    std::vector<LexerRule> made;
    for (const nb::handle given : rules) {
        if (!nb::isinstance<nb::tuple>(given) || nb::len(given) != 7)
            throw nb::type_error("rules: expected tuples of a pattern, four numbers and two texts");
        LexerRule rule;
        patterns.push_back(bytes_of(given[0]));
        rule.head = nb::cast<std::size_t>(given[1]);
        rule.tail = nb::cast<std::size_t>(given[2]);
        rule.ends_at_space = nb::cast<bool>(given[3]);
        rule.again = nb::cast<std::size_t>(given[4]);
        rule.is_fixed = !given[5].is_none();
        if (rule.is_fixed) rule.makes = bytes_of(given[5]);
        for (const nb::handle change : nb::iter(given[6])) {
            auto old = bytes_of(change[0]);
            if (old.empty()) throw nb::value_error("rules: expected changes of something");
            rule.changes.emplace_back(std::move(old), bytes_of(change[1]));
        }
        made.push_back(std::move(rule));
    }
    std::shared_ptr<Lexer> lexer;
    try {
        lexer = std::make_shared<Lexer>(patterns, std::move(made));
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
    for (const auto& [upper, lower] : lowered) {
        const auto bytes = bytes_of(upper);
        if (bytes.empty()) throw nb::value_error("lowered: expected single characters");
        lexer->lowered[character_at(bytes.data(), bytes.data() + bytes.size()).code] = bytes_of(lower);
    }
    for (const nb::handle word : dropped) lexer->dropped.push_back(bytes_of(word));
    return lexer;
}

void add_lexer(Cutter& cutter, nb::handle lexer) {
    if (!needs_lexer(cutter.tokenizer)) return;
    if (!nb::isinstance<Lexer>(lexer)) throw nb::value_error("lexer: expected a Lexer, which this tokenizer needs");
    cutter.lexer = nb::cast<std::shared_ptr<Lexer>>(lexer);
    if (cutter.tokenizer == Tokenizer::coco)
        for (const auto& word : cutter.lexer->dropped) cutter.add_stop_word(word);
}

Cutter cutter_of(std::string_view tokenizer, bool lower_text, bool lower_tokens, nb::iterable stop_words,
                 std::string_view stemmer, nb::iterable irregular, nb::handle characters, nb::handle lexer,
                 nb::iterable articles, nb::handle prefix, bool splits_han, bool drops_every_punctuation) {
    Cutter cutter;
    const auto known = tokenizer_named(tokenizer);
    if (!known) throw nb::value_error(("tokenizer: there is none named '" + std::string(tokenizer) + "'").c_str());
    cutter.tokenizer = *known;
    cutter.lower_text = lower_text;
    cutter.lower_tokens = lower_tokens;
    cutter.stemmer = stemmer_named(stemmer);
    for (const nb::handle word : stop_words) cutter.add_stop_word(bytes_of(word));
    add_stems(cutter, irregular);
    add_characters(cutter, characters);
    add_lexer(cutter, lexer);
    for (const nb::handle article : articles) cutter.add_article(bytes_of(article));
    cutter.answers.prefix = bytes_of(prefix);
    cutter.answers.splits_han = splits_han;
    cutter.answers.drops_every_punctuation = drops_every_punctuation;
    return cutter;
}

nb::list tokens_of_text(const Cutter& cutter, std::string_view text) {
    CutScratch scratch;
    cut_text(cutter, text, text.size(), scratch);
    return words_of(scratch.tokens);
}

// Two columns beside those of a call, with as many texts.
struct OtherColumns {
    OtherColumns(nb::handle given, const std::string& name, const Texts& hypotheses, const Texts& references) {
        // Two items and no more: a sequence may have no end, and may make its items afresh.
        for (const nb::handle item : nb::iter(given)) {
            items.append(item);
            if (nb::len(items) > 2) break;
        }
        if (nb::len(items) != 2)
            throw nb::value_error((name + ": expected those of the hypotheses and those of the references").c_str());
        const nb::object first = items[0], second = items[1];
        // None would be cast to a null pointer.
        if (!nb::isinstance<Texts>(first) || !nb::isinstance<Texts>(second))
            throw nb::type_error((name + ": expected two columns of texts").c_str());
        of_hypotheses = nb::cast<const Texts*>(first);
        of_references = nb::cast<const Texts*>(second);
        if (of_hypotheses->size() != hypotheses.size() || of_references->size() != references.size())
            throw nb::value_error((name + ": expected as many texts as hypotheses, and as references").c_str());
    }

    nb::list items;  // holds the columns
    const Texts *of_hypotheses, *of_references;
};

// The lines that are cut, and what holds their columns.
std::pair<Lines, std::optional<OtherColumns>> lines_of(bool sentences, nb::handle lines, const Texts& hypotheses,
                                                       const Texts& references) {
    if (!sentences || lines.is_none()) return {{sentences, nullptr, nullptr}, std::nullopt};
    OtherColumns columns(lines, "lines", hypotheses, references);
    return {{true, columns.of_hypotheses, columns.of_references}, std::move(columns)};
}

Tokens cut_columns(const Cutter& cutter, const Texts& hypotheses, const Texts& references,
                   const ReferenceOffsets& reference_offsets, bool sentences, nb::object lines, int n_threads) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    const auto [wanted, holder] = lines_of(sentences, lines, hypotheses, references);
    const nb::gil_scoped_release released;
    return cut(cutter, {hypotheses, references, offsets}, wanted, n_threads);
}

nb::tuple cut_columns_with_contents(const Cutter& cutter, const Texts& hypotheses, const Texts& references,
                                    const ReferenceOffsets& reference_offsets, nb::object given, bool sentences,
                                    nb::object lines, int n_threads) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    const OtherColumns columns(given, "given", hypotheses, references);
    const auto [wanted, holder] = lines_of(sentences, lines, hypotheses, references);
    auto [tokens, contents] = [&, &wanted = wanted] {
        const nb::gil_scoped_release released;
        return cut_with_contents(cutter, {hypotheses, references, offsets}, *columns.of_hypotheses,
                                 *columns.of_references, wanted, n_threads);
    }();
    return nb::make_tuple(std::move(tokens), shown_contents(contents));
}

nb::object token_texts_of(const Cutter& cutter, const Texts& texts) {
    auto found = [&] {
        const nb::gil_scoped_release released;
        return token_texts(cutter, texts);
    }();
    return nb::make_tuple(owned(std::move(found.text_offsets)), owned(std::move(found.token_offsets)),
                          owned(std::move(found.data)));
}

// The words of every normalized answer, with one space between two of them.
nb::list normalized(const Cutter& cutter, const Texts& texts) {
    if (cutter.tokenizer != Tokenizer::answers) throw nb::value_error("cutter: expected the tokenizer 'answers'");
    const auto found = [&] {
        const nb::gil_scoped_release released;
        return token_texts(cutter, texts);
    }();
    nb::list answers;
    std::string answer;
    for (std::size_t t = 0; t + 1 < found.text_offsets.size(); ++t) {
        answer.clear();
        for (auto k = found.text_offsets[t]; k < found.text_offsets[t + 1]; ++k) {
            if (!answer.empty()) answer += ' ';
            answer.append(found.data.begin() + found.token_offsets[k], found.data.begin() + found.token_offsets[k + 1]);
        }
        answers.append(word_of(answer));
    }
    return answers;
}

// Every text as its tokens, with one space between two.
Texts spaced(const Cutter& cutter, const Texts& texts) {
    const nb::gil_scoped_release released;
    const auto found = token_texts(cutter, texts);
    const auto bytes = std::make_shared<std::string>();
    bytes->reserve(found.data.size() + found.token_offsets.size());
    std::vector<std::size_t> ends;
    for (std::size_t t = 0; t + 1 < found.text_offsets.size(); ++t) {
        for (auto k = found.text_offsets[t]; k < found.text_offsets[t + 1]; ++k) {
            if (k > found.text_offsets[t]) bytes->push_back(' ');
            bytes->append(found.data.begin() + found.token_offsets[k], found.data.begin() + found.token_offsets[k + 1]);
        }
        ends.push_back(bytes->size());
    }
    Texts result{{}, bytes};
    std::size_t first = 0;
    for (const auto end : ends) {
        result.views.push_back(std::string_view(*bytes).substr(first, end - first));
        first = end;
    }
    return result;
}

void bind_cutter(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Lexer>(m, "Lexer")
        .def(nb::new_([](nb::iterable rules, nb::dict lowered, nb::iterable dropped) {
                 return lexer_of(rules, lowered, dropped);
             }),
             "rules"_a, "lowered"_a, "dropped"_a);
    nb::class_<Cutter>(m, "Cutter")
        .def(
            "__init__",
            [](Cutter* self, std::string_view tokenizer, bool lower_text, bool lower_tokens, nb::iterable stop_words,
               std::string_view stemmer, nb::iterable irregular, nb::object characters, nb::object lexer,
               nb::iterable articles,
               nb::str prefix, bool splits_han, bool drops_every_punctuation) {
                new (self) Cutter(cutter_of(tokenizer, lower_text, lower_tokens, stop_words, stemmer, irregular,
                                            characters, lexer, articles, prefix, splits_han, drops_every_punctuation));
            },
            "tokenizer"_a, nb::kw_only(), "lower_text"_a = false, "lower_tokens"_a = false,
            "stop_words"_a = nb::make_tuple(), "stemmer"_a = "", "irregular"_a = nb::make_tuple(),
            "characters"_a = nb::none(), "lexer"_a = nb::none(), "articles"_a = nb::make_tuple(), "prefix"_a = "", "splits_han"_a = false,
            "drops_every_punctuation"_a = false)
        .def("__call__", &tokens_of_text, "text"_a);
    m.def("cut", &cut_columns, "cutter"_a, "hypotheses"_a, "references"_a, "reference_offsets"_a.none(),
          "sentences"_a = false, "lines"_a = nb::none(), "n_threads"_a = 1);
    m.def("cut_with_contents", &cut_columns_with_contents, "cutter"_a, "hypotheses"_a, "references"_a,
          "reference_offsets"_a.none(), "given"_a, "sentences"_a = false, "lines"_a = nb::none(), "n_threads"_a = 1);
    m.def("token_texts", &token_texts_of, "cutter"_a, "texts"_a);
    m.def("spaced", &spaced, "cutter"_a, "texts"_a);
    m.def("normalized", &normalized, "cutter"_a, "texts"_a);
}

}  // namespace
}  // namespace textgauge

NB_MODULE(_kernel, m) {
    using namespace textgauge;
    // Tokenizers keep their cutters until the interpreter ends.
    nb::set_leak_warnings(false);
    set_signal_check(has_signal);
    // The error of the signal is set already.
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const Interrupted&) {
        }
    });
    m.def("build_info", &build_info);
    bind_texts(m);
    bind_tokens(m);
    bind_cutter(m);
    bind_counts(m);
    bind_meteor(m);
    bind_scores(m);
    bind_rankings(m);
}
