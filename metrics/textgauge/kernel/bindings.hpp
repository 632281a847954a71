// What the files of bindings need: arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace textgauge {

namespace nb = nanobind;

// A contiguous array of one dimension that Python hands in.
template <class T>
using ArrayView = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const ArrayView<T>& array) {
    return {array.data(), array.shape(0)};
}

// NumPy does not take a null pointer for an empty array.
template <class T>
T* data_of(T* data) {
    static std::remove_const_t<T> none{};
    return data ? data : &none;
}

// A NumPy array that takes over a vector; shape (n_rows,) or (n_rows, n_columns).
template <class T>
nb::object owned(std::vector<T>&& values) {
    auto* held = new std::vector<T>(std::move(values));
    const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data_of(held->data()), {held->size()}, owner));
}
template <class T>
nb::object owned(std::vector<T>&& values, std::size_t n_columns) {
    auto* held = new std::vector<T>(std::move(values));
    const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t n_rows = n_columns ? held->size() / n_columns : 0;
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(data_of(held->data()), {n_rows, n_columns}, owner));
}

template <class T>
nb::object owned(std::vector<T>&& values, std::size_t n_columns, std::size_t depth) {
    auto* held = new std::vector<T>(std::move(values));
    const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const auto n_numbers = n_columns * depth;
    const std::size_t n_rows = n_numbers ? held->size() / n_numbers : 0;
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<3>>(data_of(held->data()), {n_rows, n_columns, depth}, owner));
}

// The same memory, read-only, kept alive by an object of Python's.
template <class T>
nb::object borrowed(std::span<const T> values, nb::handle owner) {
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data_of(values.data()), {values.size()}, owner));
}

// Holds an object of Python's; the last copy may go away on any thread.
std::shared_ptr<const void> held(nb::object object);

void bind_texts(nb::module_& m);        // texts.cpp
void bind_counts(nb::module_& m);       // bindings_counts.cpp
void bind_one_segment(nb::module_& m);  // bindings_one.cpp

}  // namespace textgauge
