#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <string>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/core/sparse.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::core;

namespace mingpai::bind {
namespace {

void forward(Matrix<const uint8_t> x, Matrix<const float> weights, Matrix<const float> start, std::optional<Array<const int64_t, 1>> of,
             bool relu, Matrix<float> out) {
    const auto rows = static_cast<int64_t>(x.shape(0)), columns = static_cast<int64_t>(x.shape(1));
    const auto width = static_cast<int64_t>(weights.shape(1));
    if (width % kLane != 0) throw nb::value_error(("weights: the width must be a multiple of " + std::to_string(kLane)).c_str());
    verify_shape(weights, columns, width, "weights");
    verify_shape(start, 1, width, "start");
    verify_shape(out, rows, width, "out");
    if (of && static_cast<int64_t>(of->shape(0)) != rows) throw nb::value_error("of: expected one for each row");
    nb::gil_scoped_release release;
    sparse_forward({x.data(), rows, static_cast<int>(columns)}, weights.data(), static_cast<int>(width), start.data(),
                   of ? of->data() : nullptr, relu, out.data());
}

void backward(Matrix<const uint8_t> x, Matrix<const float> out_gradient, Matrix<float> gradient) {
    const auto rows = static_cast<int64_t>(x.shape(0)), columns = static_cast<int64_t>(x.shape(1));
    const auto width = static_cast<int64_t>(gradient.shape(1));
    verify_shape(out_gradient, rows, width, "out_gradient");
    verify_shape(gradient, columns, width, "gradient");
    if (width % kLane != 0) throw nb::value_error("gradient: bad width");
    nb::gil_scoped_release release;
    sparse_backward({x.data(), rows, static_cast<int>(columns)}, out_gradient.data(), static_cast<int>(width), gradient.data());
}

}  // namespace

void bind_core(nb::module_& m) {
    nb::class_<Budget>(m, "Budget", "What a long call may spend; cancel() from another thread stops it.")
        .def(nb::init<double, uint64_t>(), "seconds"_a = 0.0, "nodes"_a = Budget::kUnlimited,
             "seconds <= 0: no time limit. nodes: no limit by default.")
        .def("cancel", &Budget::cancel)
        .def_prop_ro("is_exhausted", &Budget::is_exhausted)
        .def_prop_ro("used", &Budget::used, "Nodes spent so far.")
        .def_prop_ro("seconds", &Budget::seconds, "Seconds since the start.");
    nb::class_<Rng>(m, "Rng", "xoshiro256** seeded by splitmix64.")
        .def(nb::init<uint64_t>(), "seed"_a)
        .def("next", &Rng::next)
        .def(
            "below",
            [](Rng& rng, uint32_t n) {
                if (n == 0) throw nb::value_error("below(n) needs n > 0");
                return rng.below(n);
            },
            "n"_a)
        .def("uniform", &Rng::uniform);
    m.def("stream_seed", &stream_seed, "seed"_a, "index"_a, "The seed of stream `index` of `seed`.");
    m.def("sparse_forward", &forward, "x"_a, "weights"_a, "start"_a, "of"_a.none(), "relu"_a, "out"_a,
          "out[i] = start[of[i]] + x[i] @ weights, cut at zero if relu. Without `of` every row starts from start[0].");
    m.def("sparse_backward", &backward, "x"_a, "out_gradient"_a, "gradient"_a, "gradient += x.T @ out_gradient.");
}

}  // namespace mingpai::bind
