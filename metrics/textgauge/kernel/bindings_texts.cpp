// Columns of text for Python: lists of str or Arrow's buffers in, columns out.
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "arena.hpp"
#include "bindings.hpp"
#include "characters.hpp"
#include "cider.hpp"
#include "contents.hpp"
#include "limits.hpp"
#include "platform.hpp"
#include "scripts.hpp"
#include "segments.hpp"
#include "texts.hpp"

namespace textgauge {

std::shared_ptr<const void> held(nb::object object) {
    const auto release = [](PyObject* p) {
        const auto state = PyGILState_Ensure();
        Py_DECREF(p);
        PyGILState_Release(state);
    };
    return std::shared_ptr<PyObject>(object.release().ptr(), release);
}

namespace {

std::vector<std::int64_t> checked_offsets(const ArrayView<std::int64_t>& array, std::size_t n_texts) {
    const auto given = span_of(array);
    std::vector<std::int64_t> offsets(given.begin(), given.end());
    if (!are_offsets(offsets, n_texts))
        throw nb::value_error("offsets: expected ascending numbers from 0 to the number of texts");
    return offsets;
}

std::shared_ptr<DocumentFrequencies> frequencies_of(const Texts& texts, const ArrayView<std::int64_t>& offsets) {
    const auto checked = checked_offsets(offsets, texts.size());
    const nb::gil_scoped_release released;
    auto made = std::make_shared<DocumentFrequencies>();
    made->add(texts, checked);
    return made;
}

std::shared_ptr<DocumentFrequencies> restored_frequencies(const Texts& ngrams, const ArrayView<std::int64_t>& counts,
                                                          std::uint64_t n_documents) {
    const auto given = span_of(counts);
    if (given.size() != ngrams.size()) throw nb::value_error("frequencies: expected as many as n-grams");
    const std::vector<std::int64_t> copied(given.begin(), given.end());
    auto made = std::make_shared<DocumentFrequencies>();
    made->n_documents = n_documents;
    try {
        for (std::size_t k = 0; k < ngrams.size(); ++k)
            made->add_ngram(ngrams[k], static_cast<std::uint64_t>(std::max<std::int64_t>(copied[k], 0)));
    } catch (const std::invalid_argument& error) {
        throw nb::value_error(error.what());
    }
    return made;
}

nb::object cider_scores_of(const DocumentFrequencies& frequencies, const Texts& hypotheses, const Texts& references,
                           const ReferenceOffsets& reference_offsets, std::string_view variant, double sigma,
                           nb::object repetition, int n_threads) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    if (std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end())
        throw nb::value_error("reference_offsets: expected a reference in every segment");
    if (variant != "D" && variant != "plain" && variant != "R")
        throw nb::value_error("variant: expected 'D', 'plain' or 'R'");
    const auto kind = variant == "D" ? CiderVariant::d : variant == "plain" ? CiderVariant::plain : CiderVariant::r;
    std::vector<double> factors;
    if (nb::len(repetition) > 0) {
        ArrayView<double> array;
        if (!nb::try_cast(repetition, array) || array.shape(0) != references.size())
            throw nb::value_error("repetition: expected a float64 for every reference");
        factors.assign(array.data(), array.data() + array.shape(0));
    }
    auto scores = [&] {
        const nb::gil_scoped_release released;
        return cider_scores(frequencies, hypotheses, references, offsets, kind, sigma, factors, n_threads);
    }();
    return owned(std::move(scores));
}

void bind_cider(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<DocumentFrequencies>(m, "DocumentFrequencies")
        .def(nb::new_(&frequencies_of), "texts"_a, "offsets"_a)
        .def_static("restored", &restored_frequencies, "ngrams"_a, "frequencies"_a, "n_documents"_a)
        .def_ro("n_documents", &DocumentFrequencies::n_documents)
        .def("ngrams", &DocumentFrequencies::ngrams)
        .def("frequencies", [](const DocumentFrequencies& self) { return owned(std::vector(self.frequencies)); });
    m.def("cider_scores", &cider_scores_of, "frequencies"_a, "hypotheses"_a, "references"_a,
          "reference_offsets"_a.none(), "variant"_a = "D", "sigma"_a = 6.0, "repetition"_a = nb::make_tuple(),
          "n_threads"_a = 1);
}

// The UTF-8 of a text; nothing if it is no `str` or has a lone surrogate.
std::optional<std::string_view> view_of(PyObject* value) {
    if (!PyUnicode_Check(value)) return std::nullopt;
    Py_ssize_t n_bytes;
    const char* bytes = PyUnicode_AsUTF8AndSize(value, &n_bytes);
    if (bytes) return std::string_view(bytes, static_cast<std::size_t>(n_bytes));
    // Out of memory is no fault of the text.
    if (!PyErr_ExceptionMatches(PyExc_UnicodeError)) throw nb::python_error();
    PyErr_Clear();
    return std::nullopt;
}

// The items of a list or tuple, borrowed.
class Items {
public:
    explicit Items(nb::handle values) : values_(values), is_list_(nb::isinstance<nb::list>(values)) {}

    std::size_t size() const {
        return static_cast<std::size_t>(is_list_ ? PyList_Size(values_.ptr()) : PyTuple_Size(values_.ptr()));
    }
    PyObject* operator[](std::size_t i) const {
        const auto place = static_cast<Py_ssize_t>(i);
        PyObject* item = is_list_ ? PyList_GetItem(values_.ptr(), place) : PyTuple_GetItem(values_.ptr(), place);
        if (!item) throw nb::python_error();
        return item;
    }

private:
    nb::handle values_;
    bool is_list_;
};

// The parts of an object that are read when it is held and when it is released: objects are anywhere in memory.
constexpr std::size_t n_ahead = 12, object_bytes = 48;

void prefetch_object(PyObject* object) {
    const auto* const bytes = reinterpret_cast<const char*>(object);
    prefetch(bytes);
    prefetch(bytes, object_bytes);
}

// Python objects that are held; the last copy may go away on any thread.
class HeldObjects {
public:
    explicit HeldObjects(std::size_t n) { objects_.reserve(n); }
    ~HeldObjects() {
        const auto state = PyGILState_Ensure();
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            if (i + n_ahead < objects_.size()) prefetch(reinterpret_cast<const char*>(objects_[i + n_ahead]));
            Py_DECREF(objects_[i]);
        }
        PyGILState_Release(state);
    }
    HeldObjects(const HeldObjects&) = delete;
    HeldObjects& operator=(const HeldObjects&) = delete;

    void add(PyObject* object) {
        objects_.push_back(object);
        Py_INCREF(object);
    }

private:
    std::vector<PyObject*> objects_;
};

// Appends the texts of a list or tuple, and the objects to what holds them; says whether
// there are some, and all are texts. Nothing here gives another thread a chance to change the list,
// and a tuple for each would wake the garbage collector all the time.
bool add_segment(nb::handle segment, HeldObjects& kept, std::vector<std::string_view>& views) {
#if defined(Py_GIL_DISABLED)
    const auto own = tuple_of(segment);
#else
    const auto own = segment;
#endif
    const Items items(own);
    const auto n = items.size();
    for (std::size_t i = 0; i < n; ++i) {
        PyObject* const value = items[i];
        kept.add(value);
        const auto view = view_of(value);
        if (!view) return false;
        views.push_back(*view);
    }
    return n > 0;
}

void check_is_list(nb::handle values) {
    if (!nb::isinstance<nb::list>(values) && !nb::isinstance<nb::tuple>(values))
        throw nb::type_error("values: expected a list or a tuple");
}

// The column, or the position of the first element that is no text.
nb::object texts_of(nb::handle values) {
    check_is_list(values);
#if defined(Py_GIL_DISABLED)
    constexpr bool is_shared = true;  // another thread may change a list meanwhile
#else
    constexpr bool is_shared = false;
#endif
    // What is derived from a list may make its items afresh.
    const bool is_plain = PyTuple_CheckExact(values.ptr()) || (!is_shared && PyList_CheckExact(values.ptr()));
    const auto own = is_plain ? nb::borrow(values) : tuple_of(values);
    const Items items(own);
    const auto n = items.size();
    const auto holder = std::make_shared<HeldObjects>(n);
    Texts texts{{}, holder};
    texts.views.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i + n_ahead < n) prefetch_object(items[i + n_ahead]);
        PyObject* const value = items[i];
        holder->add(value);
        const auto view = view_of(value);
        if (!view) return nb::int_(i);
        texts.views.push_back(*view);
    }
    return nb::cast(std::move(texts));
}

nb::object nested_texts_of(nb::handle values) {
    check_is_list(values);
    const auto segments = tuple_of(values);
    const auto n = nb::len(segments);
    Texts texts;
    std::vector<std::int64_t> offsets{0};
    offsets.reserve(n + 1);
    texts.views.reserve(n);
    const auto kept = std::make_shared<HeldObjects>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const nb::handle segment = PyTuple_GetItem(segments.ptr(), static_cast<Py_ssize_t>(i));
        if (!nb::isinstance<nb::list>(segment) && !nb::isinstance<nb::tuple>(segment)) return nb::int_(i);
        if (!add_segment(segment, *kept, texts.views)) return nb::int_(i);
        offsets.push_back(static_cast<std::int64_t>(texts.size()));
    }
    texts.holder = kept;
    return nb::make_tuple(std::move(texts), owned(std::move(offsets)));
}

template <class Offset>
std::vector<std::string_view> arrow_views(std::span<const Offset> offsets, std::span<const std::uint8_t> data) {
    std::vector<std::string_view> views;
    views.reserve(offsets.size() - 1);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        const auto first = offsets[i], last = offsets[i + 1];
        if (first < 0 || last < first || static_cast<std::uint64_t>(last) > data.size())
            throw nb::value_error("offsets: expected ascending numbers inside data");
        views.emplace_back(reinterpret_cast<const char*>(data.data()) + first, static_cast<std::size_t>(last - first));
    }
    return views;
}

Texts arrow_texts_of(nb::object offsets, ArrayView<std::uint8_t> data, nb::object holder) {
    Texts texts;
    const auto add = [&](auto array) {
        if (array.shape(0) == 0) throw nb::value_error("offsets: expected at least one");
        texts.views = arrow_views(span_of(array), span_of(data));
    };
    if (ArrayView<std::int32_t> narrow; nb::try_cast(offsets, narrow, false))
        add(narrow);
    else if (ArrayView<std::int64_t> wide; nb::try_cast(offsets, wide))
        add(wide);
    else
        throw nb::type_error("offsets: expected an int32 or int64 array");
    // The array of the bytes, which may be all that keeps them, and what the caller names.
    texts.holder = held(nb::make_tuple(nb::cast(data), holder));
    return texts;
}

std::string_view row_of(const Texts& texts, std::int64_t row) {
    const auto n = static_cast<std::int64_t>(texts.size());
    if (row < 0) row += n;
    if (row < 0 || row >= n) throw nb::index_error("row out of range");
    return texts[static_cast<std::size_t>(row)];
}

std::size_t checked_row(std::int64_t row, std::size_t n) {
    if (row < 0 || static_cast<std::uint64_t>(row) >= n) throw nb::index_error("row out of range");
    return static_cast<std::size_t>(row);
}

Texts slice(const Texts& texts, std::int64_t start, std::int64_t stop) {
    const auto n = static_cast<std::int64_t>(texts.size());
    const auto clamped = [n](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n); };
    const auto first = clamped(start), last = std::max(clamped(stop), first);
    return {{texts.views.begin() + first, texts.views.begin() + last}, texts.holder};
}

Texts take(const Texts& texts, const ArrayView<std::int64_t>& rows) {
    Texts taken{{}, texts.holder};
    taken.views.reserve(rows.shape(0));
    for (const auto row : span_of(rows)) taken.views.push_back(texts[checked_row(row, texts.size())]);
    return taken;
}

// The texts of both, one column behind the other, whose bytes stay where they are.
Texts together(const Texts& first, const Texts& second) {
    using Holders = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
    Texts both{{}, std::make_shared<const Holders>(first.holder, second.holder)};
    both.views.reserve(first.size() + second.size());
    both.views.insert(both.views.end(), first.views.begin(), first.views.end());
    both.views.insert(both.views.end(), second.views.begin(), second.views.end());
    return both;
}

nb::object str_of(std::string_view text) {
    PyObject* value = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
    if (!value) throw nb::python_error();
    return nb::steal(value);
}

nb::list listed(const Texts& texts) {
    nb::list values;
    for (const auto view : texts.views) values.append(str_of(view));
    return values;
}

nb::object lengths(const Texts& texts) {
    std::vector<std::int64_t> lengths;
    lengths.reserve(texts.size());
    for (const auto view : texts.views) lengths.push_back(static_cast<std::int64_t>(view.size()));
    return owned(std::move(lengths));
}

std::size_t n_bytes(const Texts& texts) {
    std::size_t n = 0;
    for (const auto view : texts.views) n += view.size();
    return n;
}

nb::bytes beginnings(const Texts& texts, std::size_t n_texts, std::size_t n_bytes) {
    std::string lines;
    for (const auto text : std::span(texts.views).first(std::min(n_texts, texts.size()))) {
        auto end = std::min(n_bytes, text.size());
        while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
        lines.append(text, 0, end);
        lines += '\n';
    }
    return nb::bytes(lines.data(), lines.size());
}

nb::object join(const Texts& texts) {
    std::vector<std::int64_t> offsets{0};
    offsets.reserve(texts.size() + 1);
    for (const auto view : texts.views) offsets.push_back(offsets.back() + static_cast<std::int64_t>(view.size()));
    std::vector<std::uint8_t> data;
    {
        const nb::gil_scoped_release released;
        data.reserve(static_cast<std::size_t>(offsets.back()));
        for (const auto view : texts.views) data.insert(data.end(), view.begin(), view.end());
    }
    return nb::make_tuple(owned(std::move(offsets)), owned(std::move(data)));
}

// Folds the case of words outside ASCII, by a function of Python's: the kernel has no tables for it.
//
// A word is what stands between spaces: no letter's case depends on what is beyond one.
class Folding {
public:
    Folding(CharacterTable characters, nb::handle fill_page, nb::handle fold)
        : characters_(characters), fill_page_(fill_page), fold_(fold), folds_(!fold.is_none()) {}

    // The text, or a copy in the arena if a word changes.
    std::string_view folded(std::string_view text, Arena& arena) {
        changed_.clear();
        const char *from = text.data(), *at = from, *end = from + text.size();
        while ((at = next_wide(at, end)) < end) {
            const auto [code, n_bytes] = character_at(at, end);
            const bool is_cased = (bits_of(code) & cased_bit) != 0;
            at += n_bytes;
            if (!folds_ || !is_cased) continue;
            const char* first = at;
            while (first > from && first[-1] != ' ') --first;
            at = std::find(at, end, ' ');
            changed_.append(from, first);
            add_folded({first, at});
            from = at;
        }
        if (from == text.data()) return text;
        changed_.append(from, end);
        const auto copy = arena.take(changed_.size());
        std::ranges::copy(changed_, copy.begin());
        return {copy.data(), copy.size()};
    }

private:
    // The next character outside ASCII, or the end.
    static const char* next_wide(const char* at, const char* end) {
        while (end - at >= 8 && is_ascii(std::string_view(at, 8))) at += 8;
        while (at < end && is_ascii(*at)) ++at;
        return at;
    }

    std::uint8_t bits_of(std::uint32_t code) {
        if (!(characters_[code] & known_bit)) fill_page_(code >> 8);
        return characters_[code];
    }

    void add_folded(std::string_view word) {
        const nb::object result = fold_(str_of(word));
        const auto folded = view_of(result.ptr());
        if (!folded) throw nb::type_error("fold: expected a function str -> str");
        changed_.append(*folded);
        const char *at = folded->data(), *end = at + folded->size();
        while ((at = next_wide(at, end)) < end) {
            const auto [code, n_bytes] = character_at(at, end);
            bits_of(code);
            at += n_bytes;
        }
    }

    CharacterTable characters_;
    nb::handle fill_page_, fold_;
    bool folds_;
    std::string changed_;
};

Texts folded(const Texts& texts, const ArrayView<std::uint8_t>& characters, nb::handle fill_page, nb::handle fold,
             int n_threads) {
    if (characters.shape(0) != n_code_points) throw nb::value_error("characters: expected the table of characters");
    Folding folding(span_of(characters), fill_page, fold);
    using Holders = std::pair<std::shared_ptr<const void>, Arena>;
    auto holders = std::make_shared<Holders>(texts.holder, Arena());
    Texts changed{{}, holders};
    changed.views = texts.views;
    const auto n_blocks = static_cast<std::size_t>(std::max(n_threads, 1));
    std::vector<std::vector<std::size_t>> wide(n_blocks);  // the rows outside ASCII, which alone need Python
    {
        const nb::gil_scoped_release released;
        struct None {};
        for_each_segment<None>(n_blocks, n_threads, [&](None&, std::size_t block, Stop&) {
            const auto last = (block + 1) * texts.size() / n_blocks;
            for (auto row = block * texts.size() / n_blocks; row < last; ++row)
                if (!is_ascii(texts[row])) wide[block].push_back(row);
        });
    }
    for (const auto& rows : wide)
        for (const auto row : rows) changed.views[row] = folding.folded(texts[row], holders->second);
    return changed;
}

nb::object are_blank(const Texts& texts) {
    std::vector<std::uint8_t> are_blank;
    {
        const nb::gil_scoped_release released;
        are_blank.reserve(texts.size());
        for (const auto text : texts.views) are_blank.push_back(without_end_space(text).empty());
    }
    return owned(std::move(are_blank)).attr("view")("?");
}

// 1 for each pair of equal texts, else 0.
nb::object equal_pairs(const Texts& hypotheses, const Texts& references, const ReferenceOffsets& reference_offsets) {
    const auto offsets = checked_reference_offsets(reference_offsets, hypotheses.size(), references.size());
    std::vector<std::int64_t> are_equal;
    {
        const nb::gil_scoped_release released;
        are_equal.reserve(references.size());
        for (std::size_t segment = 0; segment < hypotheses.size(); ++segment)
            for (auto row = offsets[segment]; row < offsets[segment + 1]; ++row)
                are_equal.push_back(hypotheses[segment] == references[static_cast<std::size_t>(row)]);
    }
    return owned(std::move(are_equal));
}

nb::object tuple_of_contents(const Contents& found) {
    const auto& codes = found.characters;
    int order = std::endian::native == std::endian::little ? -1 : 1;
    const auto n_bytes = static_cast<Py_ssize_t>(codes.size() * sizeof codes[0]);
    // Data of Arrow's that is no UTF-8 may have codes that are no characters.
    PyObject* characters =
        PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(codes.data()), n_bytes, "replace", &order);
    if (!characters) throw nb::python_error();
    nb::list n_of_signs;
    for (const auto n : found.n_of_signs) n_of_signs.append(n);
    return nb::make_tuple(nb::steal(characters), found.n_lone_spaces, found.n_spaced_stops, found.n_words,
                          found.n_brackets, nb::bytes(found.signs.data(), found.signs.size() * sizeof(std::int64_t)),
                          nb::tuple(n_of_signs));
}

nb::object contents_of(const Texts& hypotheses, const Texts& references, int n_threads) {
    return shown_contents([&] {
        const nb::gil_scoped_release released;
        return contents(hypotheses, references, n_threads);
    }());
}

// A limit of a text, for every text of a column.
template <std::string_view (*limit)(std::string_view, std::size_t)>
Texts limited(const Texts& texts, std::int64_t n) {
    if (n < 0) throw nb::value_error("expected a number of at least 0");
    const nb::gil_scoped_release released;
    return each(texts, [n](std::string_view text) { return limit(text, static_cast<std::size_t>(n)); });
}

}  // namespace

nb::object shown_contents(const std::pair<Contents, Contents>& sides) {
    if (sides == std::pair<Contents, Contents>{}) return nb::none();
    return nb::make_tuple(tuple_of_contents(sides.first), tuple_of_contents(sides.second));
}

void bind_texts(nb::module_& m) {
    bind_cider(m);
    using namespace nb::literals;
    nb::class_<Texts>(m, "Texts")
        .def("__len__", &Texts::size)
        .def("__getitem__", [](const Texts& texts, std::int64_t row) { return str_of(row_of(texts, row)); }, "row"_a)
        .def("tolist", &listed)
        .def("slice", &slice, "start"_a, "stop"_a)
        .def("take", &take, "rows"_a)
        .def("__add__", &together, nb::is_operator())
        .def("lengths", &lengths)
        .def_prop_ro("n_bytes", &n_bytes)
        .def("beginnings", &beginnings, "n_texts"_a, "n_bytes"_a)
        .def("join", &join)
        .def("blank", &are_blank);
    m.def("texts", &texts_of, "values"_a);
    m.def("nested_texts", &nested_texts_of, "values"_a);
    m.def("arrow_texts", &arrow_texts_of, "offsets"_a, "data"_a, "holder"_a.none());
    m.def("equal_pairs", &equal_pairs, "hypotheses"_a, "references"_a, "reference_offsets"_a.none());
    m.def("stripped", [](const Texts& texts) { return each(texts, without_end_space); }, "texts"_a);
    m.def("folded", &folded, "texts"_a, "characters"_a, "fill_page"_a, "fold"_a.none(),
          "n_threads"_a = 1);
    m.def("text_contents", &contents_of, "hypotheses"_a, "references"_a, "n_threads"_a = 1);
    m.def("unsplit_texts", [](const Texts& texts) {
        const nb::gil_scoped_release released;
        return unsplit_texts(texts);
    }, "texts"_a);
    m.def("has_wide_words", [](const nb::bytes& text, double most, double most_of_one) {
        return has_wide_words({text.c_str(), text.size()}, most, most_of_one);
    }, "text"_a, "most"_a, "most_of_one"_a);
    m.def("first_words", &limited<first_words>, "texts"_a, "n_words"_a);
    m.def("first_bytes", &limited<first_bytes>, "texts"_a, "n_bytes"_a);
    m.def("first_bytes_of_long_line", &limited<first_bytes_of_long_line>, "texts"_a, "n_bytes"_a);
}

}  // namespace textgauge
