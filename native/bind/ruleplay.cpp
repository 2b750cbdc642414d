#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "native/bind/parts.hpp"
#include "native/ruleplay/duel.hpp"
#include "native/ruleplay/situation.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::ruleplay;
using mingpai::core::Budget;

namespace mingpai::bind {
namespace {

using HandArray = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Release = nb::call_guard<nb::gil_scoped_release>;

Hand checked(Hand hand) {
    if (!doudizhu::is_hand(hand) || doudizhu::card_count(hand) > doudizhu::kMaxHandCards) {
        throw nb::value_error("not a hand of at most 20 cards");
    }
    return hand;
}

Weights weights_of(const nb::dict& values) {
    Weights weights;
    for (const auto& [key, value] : values) {
        const std::string name = nb::cast<std::string>(key);
        bool known = false;
        for (const WeightName& weight : kWeightNames) {
            if (name != weight.name) continue;
            weights.*weight.field = nb::cast<float>(value);
            known = true;
        }
        if (!known) throw nb::value_error(("no weight is called " + name).c_str());
    }
    return weights;
}

void bind_split(nb::module_& m) {
    nb::class_<Splitter>(m, "Splitter", "Partitions of a hand into legal moves under given rules.")
        .def(nb::init<const Rules&>(), "rules"_a)
        .def("min_turns", [](const Splitter& self, Hand hand) { return self.min_turns(checked(hand)); }, "hand"_a,
             "L_min: the size of the smallest partition.")
        .def(
            "min_turns_sum",
            [](const Splitter& self, const HandArray& hands) {
                const uint64_t* data = hands.data();
                const size_t count = hands.shape(0);
                nb::gil_scoped_release release;
                int64_t sum = 0;
                for (size_t i = 0; i < count; ++i) sum += self.min_turns(data[i]);
                return sum;
            },
            "hands"_a, "The sum of L_min over many hands: for measuring speed.")
        .def(
            "less_split_moves",
            [](const Splitter& self, Hand hand, const Move& last, int slack) {
                return self.less_split_moves(checked(hand), last, slack);
            },
            "hand"_a, "last"_a, "slack"_a,
            "Legal moves on `last` (a pass: leads) that occur in some partition of at most L_min + slack parts.")
        .def(
            "partitions",
            [](const Splitter& self, Hand hand, int max_parts, size_t limit) {
                return self.partitions(checked(hand), max_parts, limit);
            },
            "hand"_a, "max_parts"_a, "limit"_a, Release(), "All partitions of at most `max_parts` moves, the first `limit`.");
}

void bind_weights(nb::module_& m) {
    nb::class_<Weights>(m, "Weights", "Weights of the fast rule player. Without arguments those of RHCP.")
        .def("__init__", [](Weights* self, const nb::dict& values) { new (self) Weights(weights_of(values)); },
             "values"_a = nb::dict());
}

void bind_situation(nb::module_& m) {
    nb::class_<Situation>(m, "Situation", "What one seat knows of the play, seats by role: 0 landlord, 1 down, 2 up.")
        .def(
            "__init__",
            [](Situation* self, const Rules& rules, int role, Hand hand, std::array<uint8_t, kRoles> counts, Hand bottom, Hand deck,
               const std::vector<std::pair<uint8_t, Move>>& moves) {
                std::vector<Observed> observed;
                for (const auto& [who, move] : moves) observed.push_back({who, move});
                new (self) Situation(rules, role, hand, counts, bottom, deck, std::move(observed));
            },
            "rules"_a, "role"_a, "hand"_a, "counts"_a, "bottom"_a, "deck"_a, "moves"_a)
        .def_prop_ro("role", &Situation::role)
        .def_prop_ro("first", &Situation::first, "The role that plays next.")
        .def_prop_ro("second", &Situation::second)
        .def_prop_ro("unseen", &Situation::unseen, "Cards of the two others together.")
        .def_prop_ro("known_of_landlord", &Situation::known_of_landlord)
        .def_prop_ro("turn", [](const Situation& self) { return static_cast<int>(self.now().turn); })
        .def_prop_ro("owner", [](const Situation& self) { return static_cast<int>(self.now().owner); })
        .def_prop_ro("last", [](const Situation& self) { return self.now().last; });
}

void bind_players(nb::module_& m) {
    nb::class_<Player>(m, "Player", "A fast player without search.")
        .def(
            "move",
            [](Player& self, const Situation& situation) { return self.move({situation.now(), situation.unseen()}); },
            "situation"_a);
    m.def("heuristic_player", &heuristic_player, "rules"_a, "weights"_a, "The fast rule player that looks at its hand only.");
    m.def("rule_based_player", &rule_based_player, "rules"_a, "RB: active and passive strategy.");
    m.def("remaining_value_player", &remaining_value_player, "rules"_a, "RHCP: the move that leaves the hand of greatest value.");
    m.def(
        "duel",
        [](Player& first, Player& second, int deals, uint64_t seed, Budget& budget) {
            std::vector<std::pair<int, int>> out;
            for (const DuelScore& score : duel(first, second, deals, seed, budget)) {
                out.emplace_back(score.landlord_wins, score.farmer_wins);
            }
            return out;
        },
        "first"_a, "second"_a, "deals"_a, "seed"_a, "budget"_a, Release(),
        "Duplicate deals, card play only: for each deal the wins of `first` as landlord and as both farmers.");
}

}  // namespace

void bind_ruleplay(nb::module_& m) {
    bind_split(m);
    bind_weights(m);
    bind_situation(m);
    bind_players(m);
}

}  // namespace mingpai::bind
