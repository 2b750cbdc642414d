// Arrays of NumPy for the bindings: taken without a copy, or made here.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace mingpai::bind {

namespace nb = nanobind;

template <class T, int Dimensions>
using Array = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = Array<T, 2>;

// Zeros in memory that belongs to Python. `Traits` say in the stubs what is known of the shape.
template <class T, class... Traits>
nb::ndarray<nb::numpy, T, Traits...> new_array(std::initializer_list<size_t> shape) {
    size_t count = 1;
    for (const size_t side : shape) count *= side;
    T* data = new T[count]();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T, Traits...>(data, shape, owner);
}

template <class T, class... Traits>
nb::ndarray<nb::numpy, T, Traits...> copied(std::span<const T> values, std::initializer_list<size_t> shape) {
    auto out = new_array<T, Traits...>(shape);
    std::copy(values.begin(), values.end(), out.data());
    return out;
}

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> copied(const std::vector<T>& values) {
    return copied<T, nb::ndim<1>>(values, {values.size()});
}

// A view of memory owned by `self`, which stays alive with it.
template <class T>
nb::ndarray<nb::numpy, T> view_of(nb::handle self, std::vector<T>& values, size_t rows, size_t columns) {
    if (columns == 0) return nb::ndarray<nb::numpy, T>(values.data(), {rows}, self);
    return nb::ndarray<nb::numpy, T>(values.data(), {rows, columns}, self);
}

template <class T>
void verify_shape(const Matrix<T>& array, int64_t rows, int64_t columns, const char* what) {
    if (static_cast<int64_t>(array.shape(0)) < rows || static_cast<int64_t>(array.shape(1)) != columns) {
        const std::string wanted = std::to_string(rows) + " x " + std::to_string(columns);
        const std::string have = std::to_string(array.shape(0)) + " x " + std::to_string(array.shape(1));
        throw nb::value_error((std::string(what) + ": expected " + wanted + ", got " + have).c_str());
    }
}

}  // namespace mingpai::bind
