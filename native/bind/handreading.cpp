#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>

#include "native/bind/parts.hpp"
#include "native/handreading/strength.hpp"

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
}

}  // namespace mingpai::bind
