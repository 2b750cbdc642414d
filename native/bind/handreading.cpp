#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/handreading/bands.hpp"
#include "native/handreading/strength.hpp"
#include "native/handreading/styles.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::handreading;

namespace mingpai::bind {

namespace {

template <typename T>
using Column = nb::ndarray<nb::numpy, T, nb::shape<kCombos>>;

template <typename T>
Column<T> column(const std::array<T, kCombos>& values) {
    T* copy = new T[kCombos];
    std::copy(values.begin(), values.end(), copy);
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Column<T>(copy, {static_cast<size_t>(kCombos)}, owner);
}

void require_board(uint64_t board) {
    const int cards = core::popcount(board);
    if (cards < 3 || cards > holdem::kBoardCards || (board & ~holdem::kDeck)) throw nb::value_error("board: a set of three to five cards");
}

template <typename T, size_t... kShape>
using Input = nb::ndarray<const T, nb::shape<kShape...>, nb::c_contig, nb::device::cpu>;

Column<float> likelihood_of(Input<float, kCombos> equities, float power, float shift, Input<float, kActs, 3> bands,
                            Input<float, kActs> often, int act, float theta, float fall, float tremble) {
    if (act < 0 || act >= kActs || often.data()[act] <= 0) throw nb::value_error("act: one of the acts that are ever taken");
    BandQuery query{power, shift, {}, {}, act, theta, fall, tremble};
    for (int i = 0; i < kActs; ++i) {
        query.bands[i] = {bands.data()[3 * i], bands.data()[3 * i + 1], bands.data()[3 * i + 2]};
        query.often[i] = often.data()[i];
    }
    std::array<float, kCombos> out;
    band_likelihood(equities.data(), query, out.data());
    return column(out);
}

void require_turn(const holdem::Table& table) {
    if (table.is_over()) throw nb::value_error("table: nobody is to act");
    if (table.holes()[table.status().to_act][0] == holdem::kUnknownCard) throw nb::value_error("table: the hand of the seat to act is not known");
}

void play_styles(holdem::Table& table, const std::vector<std::optional<Style>>& styles, uint64_t seed, core::Budget* budget) {
    if (static_cast<int>(styles.size()) != table.setup().seats) throw nb::value_error("styles: one for each seat");
    core::Rng rng(seed);
    while (!table.is_over() && styles[table.status().to_act]) {
        require_turn(table);
        if (budget && !budget->spend(1)) return;
        table.act(style_action(table, *styles[table.status().to_act], rng));
    }
}

void bind_styles(nb::module_& m) {
    nb::class_<Style>(m, "Style", "A rule player's habits; fields as in mingpai/agents/holdem_styles.py.")
        .def(nb::init<>())
        .def_rw("limp", &Style::limp)
        .def_rw("open", &Style::open)
        .def_rw("call_raise", &Style::call_raise)
        .def_rw("reraise", &Style::reraise)
        .def_rw("late", &Style::late)
        .def_rw("caution", &Style::caution)
        .def_rw("open_size", &Style::open_size)
        .def_rw("bet", &Style::bet)
        .def_rw("raise_at", &Style::raise)
        .def_rw("margin", &Style::margin)
        .def_rw("fear", &Style::fear)
        .def_rw("bluff", &Style::bluff)
        .def_rw("bluff_raise", &Style::bluff_raise)
        .def_rw("follow_up", &Style::follow_up)
        .def_rw("slow", &Style::slow)
        .def_rw("size", &Style::size)
        .def_rw("samples", &Style::samples);
    m.def(
        "style_action",
        [](const holdem::Table& table, const Style& style, uint64_t seed) {
            require_turn(table);
            core::Rng rng(seed);
            const holdem::Action action = style_action(table, style, rng);
            return std::make_tuple(action.kind, action.to);
        },
        "table"_a, "style"_a, "seed"_a, "What a style does for the seat to act: kind, and total of a raise in units.");
    m.def("play_styles", &play_styles, "table"_a, "styles"_a, "seed"_a, "budget"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
          "Plays the seats that have a style until one without is to act or the hand is over.");
}

}  // namespace

void bind_handreading(nb::module_& m) {
    m.def(
        "strengths",
        [](uint64_t board, int runouts, uint64_t seed) {
            if (board) require_board(board);
            if (runouts < 1) throw nb::value_error("runouts: at least 1");
            Strengths found;
            {
                nb::gil_scoped_release release;
                found = strengths(board, runouts, seed);
            }
            return std::make_tuple(column(found.now), column(found.equity), column(found.spread), column(found.classes), column(found.is_live));
        },
        "board"_a, "runouts"_a, "seed"_a = 0,
        "For each of the 1326 combinations against a uniform hand on a board: share now, expected share on the full board, its\n"
        "standard deviation, class of hand (0 .. 10), and 1 where no board card blocks it.");
    m.def(
        "hand_class",
        [](uint64_t hand, uint64_t board) {
            if (core::popcount(hand) != 2 || (hand & board) || ((hand | board) & ~holdem::kDeck)) throw nb::value_error("hand: a set of two cards off the board");
            if (board) require_board(board);
            return static_cast<int>(hand_class(hand, board));
        },
        "hand"_a, "board"_a, "Class of hand (0 .. 10) of two cards on a board of none or three to five.");
    m.def(
        "outs",
        [](uint64_t hand, uint64_t board, float gain, int samples, uint64_t seed) {
            if (core::popcount(hand) != 2 || (hand & board)) throw nb::value_error("hand: a set of two cards off the board");
            if (core::popcount(board) < 3 || core::popcount(board) > 4) throw nb::value_error("board: a set of three or four cards");
            return outs(hand, board, gain, samples, seed);
        },
        "hand"_a, "board"_a, "gain"_a, "samples"_a, "seed"_a = 0, nb::call_guard<nb::gil_scoped_release>(),
        "Cards that win a hand at least the share `gain` of the equity it is missing, against a uniform hand.");
    m.def("band_likelihood", &likelihood_of, "equities"_a, "power"_a, "shift"_a, "bands"_a, "often"_a, "act"_a, "theta"_a, "fall"_a, "tremble"_a,
          "P(act | hand) of the default model for each combination.");
    bind_styles(m);
}

}  // namespace mingpai::bind
