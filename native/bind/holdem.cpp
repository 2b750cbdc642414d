#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/holdem/equity.hpp"
#include "native/holdem/evaluator.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::holdem;
using mingpai::core::Budget;

namespace mingpai::bind {

namespace {

using CardArray = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SetArray = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RangeArray = nb::ndarray<const float, nb::shape<-1, kCombos>, nb::c_contig, nb::device::cpu>;
using OneRange = nb::ndarray<const float, nb::shape<kCombos>, nb::c_contig, nb::device::cpu>;
using RankArray = nb::ndarray<nb::numpy, uint16_t, nb::ndim<1>>;
using FloatArray = nb::ndarray<nb::numpy, float, nb::ndim<1>>;

template <class Array, class T>
Array owned_array(T* data, size_t size) {
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(data, {size}, owner);
}

void verify_hand_size(int64_t size) {
    if (size < kMinHand || size > kMaxHand) throw nb::value_error(("a hand has 5 to 7 cards, not " + std::to_string(size)).c_str());
}

void verify_all_ranked(size_t ranked, size_t count) {
    if (ranked == count) return;
    throw nb::value_error(("hand " + std::to_string(ranked) + " holds a card twice, a number outside 0..51 or another count").c_str());
}

RankArray evaluate(const CardArray& cards) {
    const auto size = static_cast<int>(cards.shape(1));
    verify_hand_size(size);
    const size_t count = cards.shape(0);
    auto* out = new HandRank[count];
    RankArray array = owned_array<RankArray>(out, count);
    size_t ranked;
    {
        nb::gil_scoped_release release;
        ranked = rank_hands(cards.data(), size, count, out);
    }
    verify_all_ranked(ranked, count);
    return array;
}

RankArray evaluate_sets(const SetArray& sets, int size) {
    verify_hand_size(size);
    const size_t count = sets.shape(0);
    auto* out = new HandRank[count];
    RankArray array = owned_array<RankArray>(out, count);
    size_t ranked;
    {
        nb::gil_scoped_release release;
        ranked = rank_sets(sets.data(), size, count, out);
    }
    verify_all_ranked(ranked, count);
    return array;
}

HandRank evaluate_set(CardSet set) {
    verify_hand_size(core::popcount(set));
    if (set & ~kDeck) throw nb::value_error("a card set holds a card outside the deck");
    return Evaluator::get().rank_set(set);
}

uint64_t checksum(const CardArray& cards, int rounds) {
    if (cards.shape(1) != kMaxHand) throw nb::value_error("the benchmark ranks hands of seven cards");
    const size_t count = cards.shape(0);
    std::vector<HandRank> out(count);
    nb::gil_scoped_release release;
    if (rank_hands(cards.data(), kMaxHand, count, out.data()) != count) return 0;
    return rank_checksum(cards.data(), count, rounds);
}

std::vector<double> first_of(const std::array<double, kMaxPlayers>& values, int players) {
    return {values.begin(), values.begin() + players};
}

EquityResult run_equity(const RangeArray& weights, CardSet board, CardSet dead, const EquitySettings& settings, Budget* budget) {
    EquityQuery query;
    query.players = static_cast<int>(std::min<size_t>(weights.shape(0), kMaxPlayers + 1));
    query.weights = weights.data();
    query.board = board;
    query.dead = dead;
    nb::gil_scoped_release release;
    if (budget) return equity(query, settings, *budget);
    Budget unlimited;
    return equity(query, settings, unlimited);
}

nb::tuple run_equity_by_combo(const OneRange& opponent, CardSet board, CardSet dead, uint64_t runouts, uint64_t seed, Budget* budget) {
    if (runouts == 0) throw nb::value_error("at least one run-out is needed");
    const int cards = core::popcount(board);
    if (cards != 0 && (cards < 3 || cards > kBoardCards)) throw nb::value_error("a board has 0, 3, 4 or 5 cards");
    if (((board | dead) & ~kDeck) || (board & dead)) throw nb::value_error("board and dead cards must be different cards of the deck");
    auto* equities = new float[kCombos];
    auto equity_array = owned_array<FloatArray>(equities, kCombos);
    auto* mass = new float[kCombos];
    auto mass_array = owned_array<FloatArray>(mass, kCombos);
    {
        nb::gil_scoped_release release;
        Budget unlimited;
        equity_by_combo(opponent.data(), board, dead, runouts, seed, budget ? *budget : unlimited, equities, mass);
    }
    return nb::make_tuple(equity_array, mass_array);
}

}  // namespace

void bind_holdem(nb::module_& m) {
    m.attr("COMBOS") = kCombos;
    m.attr("CATEGORY_SHIFT") = kCategoryShift;
    m.def("evaluate", &evaluate, "cards"_a.noconvert(),
          "Ranks of hands of five to seven cards, one hand a row. Larger is stronger; rank >> CATEGORY_SHIFT is the category.");
    m.def("evaluate_sets", &evaluate_sets, "sets"_a.noconvert(), "size"_a, "The same for sets of cards (bit c is card c) of `size` cards each.");
    m.def("evaluate_set", &evaluate_set, "cards"_a, "The rank of one set of five to seven cards.");
    m.def("count_categories", [](int size) { verify_hand_size(size); return count_categories(size); }, "size"_a,
          nb::call_guard<nb::gil_scoped_release>(), "How many hands of `size` cards each category has, by enumeration.");
    m.def("checksum", &checksum, "cards"_a.noconvert(), "rounds"_a, "Ranks seven-card hands in a native loop; for benchmarks.");
    m.def("category_sizes", [] { return Evaluator::get().category_sizes(); }, "How many ranks each category has.");
    m.def("combo_index", [](int a, int b) {
        if (a < 0 || b < 0 || a >= kCards || b >= kCards || a == b) throw nb::value_error("a combination is two different cards 0..51");
        return combo_of(static_cast<Card>(a), static_cast<Card>(b));
    }, "a"_a, "b"_a, "The number of the combination of two cards, 0..1325.");
    m.def("combo_cards", [](int combo) {
        if (combo < 0 || combo >= kCombos) throw nb::value_error("combinations are numbered 0..1325");
        return nb::make_tuple(kComboCards[combo].low, kComboCards[combo].high);
    }, "combo"_a, nb::sig("def combo_cards(combo: int) -> tuple[int, int]"), "The two cards of a combination, the lower one first.");

    nb::enum_<EquityMethod>(m, "EquityMethod", "How equity() finds its answer.")
        .value("AUTO", EquityMethod::kAuto, "Exact within the work limit, else independent samples.")
        .value("EXACT", EquityMethod::kExact, "All hands and boards.")
        .value("WALK", EquityMethod::kWalk, "A Markov walk over the hands with a fresh board at each step.")
        .value("INDEPENDENT", EquityMethod::kIndependent, "Independent samples with importance weights.");
    nb::class_<EquitySettings>(m, "EquitySettings")
        .def("__init__", [](EquitySettings* self, EquityMethod method, uint64_t samples, double target_error, uint64_t seed, int threads, double exact_work) {
            new (self) EquitySettings{method, samples, target_error, seed, threads, exact_work};
        }, "method"_a = EquityMethod::kAuto, "samples"_a = EquitySettings{}.samples, "target_error"_a = 0.0, "seed"_a = 0, "threads"_a = 1,
           "exact_work"_a = EquitySettings{}.exact_work)
        .def_ro("method", &EquitySettings::method)
        .def_ro("samples", &EquitySettings::samples, "At most that many samples; with a target error, the limit.")
        .def_ro("target_error", &EquitySettings::target_error, "Stop when every standard error is at or below it; 0 takes all samples.")
        .def_ro("seed", &EquitySettings::seed)
        .def_ro("threads", &EquitySettings::threads, "Does not change the answer.")
        .def_ro("exact_work", &EquitySettings::exact_work, "Hands ranked above which AUTO samples.");
    nb::class_<EquityResult>(m, "EquityResult")
        .def_ro("method", &EquityResult::method, "How the answer was found; never AUTO.")
        .def_prop_ro("equities", [](const EquityResult& r) { return first_of(r.equities, r.players); }, "Share of the pot of each player; sums to 1.")
        .def_prop_ro("wins", [](const EquityResult& r) { return first_of(r.wins, r.players); }, "Probability of winning alone.")
        .def_prop_ro("ties", [](const EquityResult& r) { return first_of(r.ties, r.players); }, "Probability of sharing the pot.")
        .def_prop_ro("standard_errors", [](const EquityResult& r) { return first_of(r.standard_errors, r.players); }, "Of the equities; 0 when exact.")
        .def_ro("samples", &EquityResult::samples, "Samples drawn, or hands and boards enumerated.")
        .def_ro("effective_samples", &EquityResult::effective_samples, "Independent samples of equal weight that would err as much.")
        .def_ro("reached_target", &EquityResult::reached_target, "False when samples or budget ran out before the target error.");
    m.def("equity", &run_equity, "weights"_a.noconvert(), "board"_a, "dead"_a, "settings"_a, "budget"_a.none() = nb::none(),
          "Each player's share of the pot; weights has a row of 1326 for each player, board and dead are card sets.");
    m.def("equity_by_combo", &run_equity_by_combo, "opponent"_a.noconvert(), "board"_a, "dead"_a, "runouts"_a, "seed"_a,
          "budget"_a.none() = nb::none(), nb::sig("def equity_by_combo(opponent: numpy.typing.NDArray[numpy.float32], board: int, dead: int, runouts: int, seed: int, budget: mingpai._native.core.Budget | None = None) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
          "For each combination, its equity against the opponent's range, and the share of that range that it leaves.");
}

}  // namespace mingpai::bind
