// One segment for Python: str in, a tuple of numbers out.
#include <algorithm>
#include <string_view>

#include "bindings.hpp"
#include "one_segment.hpp"

namespace textgauge {
namespace {

constexpr std::int64_t largest_order = 0xFFFF;

nb::object tuple_of(nb::handle values) {
    PyObject* tuple = PySequence_Tuple(values.ptr());
    if (!tuple) throw nb::python_error();
    return nb::steal(tuple);
}

// The UTF-8 of a text, which lives as long as the text does.
std::string_view view_of(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("texts: expected str");
    Py_ssize_t n_bytes;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &n_bytes);
    if (!bytes) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(n_bytes)};
}

// A hypothesis and its references.
struct OneTexts {
    nb::object references;
    std::vector<std::string_view> views;

    OneTexts(nb::handle hypothesis, nb::handle given) : references(tuple_of(given)) {
        const auto n = nb::len(references);
        views.reserve(n + 1);
        views.push_back(view_of(hypothesis));
        for (std::size_t i = 0; i < n; ++i)
            views.push_back(view_of(PyTuple_GetItem(references.ptr(), static_cast<Py_ssize_t>(i))));
    }
};

std::vector<std::int32_t> units_of(nb::handle given) {
    const auto units = tuple_of(given);
    std::vector<std::int32_t> values(nb::len(units));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto unit = PyLong_AsLongLong(PyTuple_GetItem(units.ptr(), static_cast<Py_ssize_t>(i)));
        if (unit == -1 && PyErr_Occurred()) throw nb::python_error();
        if (unit < unit_union_lcs || unit > largest_order) throw nb::value_error("units: expected numbers from -1 to 65535");
        values[i] = static_cast<std::int32_t>(unit);
    }
    return values;
}

nb::object tuple_of_numbers(const std::vector<std::int64_t>& values) {
    const auto tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    if (!tuple.is_valid()) throw nb::python_error();
    for (std::size_t i = 0; i < values.size(); ++i) {
        PyObject* number = PyLong_FromLongLong(values[i]);
        if (!number || PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), number) != 0) throw nb::python_error();
    }
    return tuple;
}

// Calls count(), without the GIL if there is much to do.
template <class Count>
nb::object counted(const OneTexts& texts, Count count) {
    if (n_bytes_of(texts.views) < OneSegment::n_few_bytes) return tuple_of_numbers(count());
    const auto values = [&] {
        const nb::gil_scoped_release released;
        return count();
    }();
    return tuple_of_numbers(values);
}

nb::object pair_counts_of(OneSegment& one, nb::handle hypothesis, nb::handle references, nb::handle units) {
    const OneTexts texts(hypothesis, references);
    const auto wanted = units_of(units);
    return counted(texts, [&] { return one.pair_counts(texts.views, wanted); });
}

nb::object ngram_matches_of(OneSegment& one, nb::handle hypothesis, nb::handle references, std::int64_t max_order) {
    if (max_order < 1 || max_order > largest_order) throw nb::value_error("max_order: expected 1 to 65535");
    const OneTexts texts(hypothesis, references);
    return counted(texts, [&] { return one.ngram_matches(texts.views, static_cast<std::size_t>(max_order)); });
}

}  // namespace

void bind_one_segment(nb::module_& m) {
    nb::class_<OneSegment>(m, "OneSegment")
        .def(nb::init<const Cutter&>(), nb::arg("cutter"), nb::keep_alive<1, 2>())
        .def("pair_counts", &pair_counts_of, nb::arg("hypothesis"), nb::arg("references"), nb::arg("units"))
        .def("ngram_matches", &ngram_matches_of, nb::arg("hypothesis"), nb::arg("references"), nb::arg("max_order"));
}

}  // namespace textgauge
