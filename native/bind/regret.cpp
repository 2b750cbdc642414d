#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/regret/cfr.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace mingpai::bind {

namespace {

using Strategy = nb::ndarray<nb::numpy, uint8_t, nb::shape<regret::kRows, regret::kChoices>>;
using GivenStrategy = nb::ndarray<const uint8_t, nb::shape<regret::kRows, regret::kChoices>, nb::c_contig, nb::device::cpu>;

enum class Classes : uint8_t { kTwelve, kEight };

const regret::SmallGame& game_of(Classes classes) { return classes == Classes::kEight ? regret::kEight : regret::kTwelve; }

Strategy strategy_of(const regret::CfrTrainer& trainer) {
    return copied<uint8_t, nb::shape<regret::kRows, regret::kChoices>>(trainer.strategy(), {regret::kRows, regret::kChoices});
}

std::tuple<holdem::ActionKind, holdem::Chips> act(const holdem::Table& table, const GivenStrategy& strategy, uint64_t seed, Classes classes) {
    if (table.is_over()) throw nb::value_error("table: nobody is to act");
    if (table.holes()[table.status().to_act][0] == holdem::kUnknownCard) throw nb::value_error("table: the hand of the seat to act is not known");
    core::Rng rng(seed);
    const holdem::Action action = regret::strategy_action(table, strategy.data(), game_of(classes), rng);
    return {action.kind, action.to};
}

}  // namespace

void bind_regret(nb::module_& m) {
    m.attr("ROWS") = regret::kRows;
    m.attr("CHOICES") = regret::kChoices;
    nb::enum_<Classes>(m, "Classes", "The small games, by their classes of hands.")
        .value("TWELVE", Classes::kTwelve, "twelve classes, raises of half a pot and a pot")
        .value("EIGHT", Classes::kEight, "eight classes with other ends, raises of 0.35 and 0.75 pots");
    nb::class_<regret::CfrTrainer>(m, "CfrTrainer", "Counterfactual regret minimisation on a small game of hold'em.")
        .def(
            "__init__",
            [](regret::CfrTrainer* self, int seats, uint64_t seed, Classes classes) {
                new (self) regret::CfrTrainer(seats, seed, game_of(classes));
            },
            "seats"_a, "seed"_a, "classes"_a = Classes::kTwelve)
        .def(
            "run",
            [](regret::CfrTrainer& self, uint64_t deals, core::Budget* budget) {
                core::Budget unlimited;
                nb::gil_scoped_release release;
                return self.run(deals, budget ? *budget : unlimited);
            },
            "deals"_a, "budget"_a = nb::none(), "Walk some deals; returns how many were walked in all.")
        .def("strategy", &strategy_of, "The average strategy: for each row the chance of each choice, in 255ths.");
    m.def("strategy_action", &act, "table"_a, "strategy"_a, "seed"_a, "classes"_a = Classes::kTwelve,
          "What a player of a strategy does for the seat to act: kind, and total of a raise in units.");
}

}  // namespace mingpai::bind
