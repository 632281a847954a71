// What the files of bindings need: arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "contents.hpp"

namespace textgauge {

namespace nb = nanobind;

// A contiguous array of one dimension that Python hands in.
template <class T>
using ArrayView = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const ArrayView<T>& array) {
    return {array.data(), array.shape(0)};
}

// How many numbers an array of these sizes has. Python may give any sizes: a product that wraps around would be an array
// that is shorter than its shape.
template <class... Sizes>
std::size_t checked_product(Sizes... sizes) {
    constexpr std::size_t most = PTRDIFF_MAX / sizeof(double);
    std::size_t product = 1;
    for (const std::size_t size : {std::size_t{1}, static_cast<std::size_t>(sizes)...}) {
        if (size != 0 && product > most / size) throw std::length_error("expected results of fewer than 2**60 numbers");
        product *= size;
    }
    return product;
}

// NumPy does not take a null pointer for an empty array.
template <class T>
T* data_of(T* data) {
    static std::remove_const_t<T> none{};
    return data ? data : &none;
}

// A NumPy array of a shape that takes over a vector.
template <class T, class Allocator>
nb::object owned_of(std::vector<T, Allocator>&& values, std::span<const std::size_t> shape) {
    using Vector = std::vector<T, Allocator>;
    auto* held = new Vector(std::move(values));
    const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Vector*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data_of(held->data()), shape.size(), shape.data(), owner));
}

// The same, shape (n_rows, *row).
template <class T, class Allocator, class... Sizes>
nb::object owned(std::vector<T, Allocator>&& values, Sizes... row) {
    const std::size_t n_numbers = (std::size_t{1} * ... * row);
    const std::size_t shape[] = {n_numbers ? values.size() / n_numbers : 0, row...};
    return owned_of(std::move(values), shape);
}

// The same memory, read-only, kept alive by an object of Python's.
template <class T>
nb::object borrowed(std::span<const T> values, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data_of(values.data()), {values.size()}, owner));
}

// Whether offsets ascend from 0 to an end.
inline bool are_offsets(std::span<const std::int64_t> offsets, std::size_t end) {
    return !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(end) &&
           std::is_sorted(offsets.begin(), offsets.end());
}

// Offsets of references; None: every hypothesis has one.
using ReferenceOffsets = std::optional<ArrayView<std::int64_t>>;

// A copy: while the GIL is released, another thread may write into an array of Python's.
inline std::vector<std::int64_t> checked_reference_offsets(const ReferenceOffsets& array, std::size_t n_hypotheses,
                                                           std::size_t n_references) {
    std::vector<std::int64_t> offsets(n_hypotheses + 1);
    if (array) {
        const auto given = span_of(*array);
        offsets.assign(given.begin(), given.end());
    } else {
        std::iota(offsets.begin(), offsets.end(), 0);
    }
    if (offsets.size() != n_hypotheses + 1 || !are_offsets(offsets, n_references))
        throw nb::value_error(
            "reference_offsets: expected ascending numbers from 0 to the number of references, "
            "one more than hypotheses");
    return offsets;
}

// A tuple of its own: another thread may change a list, and a sequence may make its items afresh.
inline nb::object tuple_of(nb::handle values) {
    PyObject* tuple = PySequence_Tuple(values.ptr());
    if (!tuple) throw nb::python_error();
    return nb::steal(tuple);
}

// Holds an object of Python's; the last copy may go away on any thread.
std::shared_ptr<const void> held(nb::object object);

// What two columns contain; None if that is nothing to know of.
nb::object shown_contents(const std::pair<Contents, Contents>& sides);

void bind_texts(nb::module_& m);   // bindings_texts.cpp
void bind_counts(nb::module_& m);  // bindings_counts.cpp
void bind_meteor(nb::module_& m);  // bindings_meteor.cpp
void bind_scores(nb::module_& m);  // bindings_scores.cpp
void bind_rankings(nb::module_& m);  // bindings_rankings.cpp

}  // namespace textgauge
