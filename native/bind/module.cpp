// The extension module: one submodule for each part.
#include <nanobind/nanobind.h>

#include "native/bind/parts.hpp"

namespace nb = nanobind;

NB_MODULE(MINGPAI_VARIANT, m) {
    nb::set_leak_warnings(false);  // caches and other libraries may hold our objects until the process ends
    m.doc() = "The native core of Mingpai. Private: use the mingpai package.";
    for (const auto& part : mingpai::bind::parts) {
        nb::module_ sub = m.def_submodule(part.name, part.doc);
        part.bind(sub);
    }
}
