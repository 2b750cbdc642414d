#include <nanobind/nanobind.h>

#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/core/rng.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::core;

namespace mingpai::bind {

void bind_core(nb::module_& m) {
    nb::class_<Budget>(m, "Budget", "What a long call may spend; cancel() from another thread stops it.")
        .def(nb::init<double, uint64_t>(), "seconds"_a = 0.0, "nodes"_a = Budget::kUnlimited,
             "seconds <= 0: no time limit. nodes: no limit by default.")
        .def("cancel", &Budget::cancel)
        .def_prop_ro("is_cancelled", &Budget::is_cancelled)
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
}

}  // namespace mingpai::bind
