#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/handreading/bands.hpp"
#include "native/handreading/family.hpp"
#include "native/handreading/planner.hpp"
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
    return copied<T, nb::shape<kCombos>>(values, {kCombos});
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
        if (budget && budget->spend(1)) return;
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

using Range = Input<float, kCombos>;

nb::tuple responses_of(const std::vector<Style>& styles, const BettingSpot& spot, const Range& axis) {
    if (styles.empty()) throw nb::value_error("styles: at least one");
    AnswerChances mean{}, chances;
    for (const Style& style : styles) {
        respond(style, spot, axis.data(), chances);
        for (int answer = 0; answer < kAnswers; ++answer) {
            for (int combo = 0; combo < kCombos; ++combo) mean[answer][combo] += chances[answer][combo] / static_cast<float>(styles.size());
        }
    }
    return nb::make_tuple(column(mean[0]), column(mean[1]), column(mean[2]));
}

void bind_family(nb::module_& m) {
    nb::class_<BettingSpot>(m, "BettingSpot", "What a player faces when he acts.")
        .def("__init__", [](BettingSpot* self, bool is_preflop, bool is_free, bool has_led, int others, int raises, double price, double cost,
                            double lateness) {
                 if (others < 1 || others >= holdem::kMaxSeats) throw nb::value_error("others: 1 to 9");
                 new (self) BettingSpot{is_preflop, is_free, has_led, others, raises, price, cost, lateness};
             }, "is_preflop"_a, "is_free"_a, "has_led"_a, "others"_a, "raises"_a, "price"_a, "cost"_a, "lateness"_a);
    nb::enum_<Answer>(m, "Answer", "What a player does; checks are calls.").value("FOLD", Answer::kFold).value("CALL", Answer::kCall).value("RAISE", Answer::kRaise);
    nb::class_<Learner>(m, "Learner", "The style of a player, learned from what he does.")
        .def(nb::init<>())
        .def("observe", [](Learner& self, const BettingSpot& spot, Answer answer, const Range& axis, const Range& weights) {
            self.observe(spot, answer, axis.data(), weights.data());
        }, "situation"_a, "answer"_a, "axis"_a, "weights"_a, "Learn from an action of a player who held these combinations.")
        .def("observe_size", &Learner::observe_size, "is_preflop"_a, "size"_a, "Learn from a raise's share of the pot, or an opening raise in big blinds.")
        .def_prop_ro("style", [](const Learner& self) { return self.style(); }, "The mean of every number.")
        .def("draw", [](const Learner& self, int count, uint64_t seed) {
            core::Rng rng(seed);
            std::vector<Style> drawn;
            for (int i = 0; i < count; ++i) drawn.push_back(self.draw(rng));
            return drawn;
        }, "count"_a, "seed"_a, "Players that may be the one.")
        .def("state", &Learner::state, "Everything learned.")
        .def("restore", &Learner::restore, "state"_a, "Take back what `state` gave.");
    m.def("respond", &responses_of, "styles"_a, "situation"_a, "axis"_a,
          "Chances of folding, calling (or checking) and raising of every combination, on average over some styles.");
    m.def(
        "multiway",
        [](const Range& equity, const Range& spread, int others) {
            std::array<float, kCombos> shares;
            multiway(equity.data(), spread.data(), others, shares.data());
            return column(shares);
        },
        "equity"_a, "spread"_a, "others"_a, "Equity against some uniform hands from mean and spread of the share against one.");
    m.def("starting_places", [] { return column(starting_places()); }, "For each combination the share of all that start better.");
}

using RangeRows = nb::ndarray<const float, nb::shape<-1, kCombos>, nb::c_contig, nb::device::cpu>;

PlanResult run_plan(const holdem::Table& table, const RangeRows& ranges, const Range& axis, const std::vector<std::vector<Style>>& styles,
                    const std::vector<Style>& plans, const std::vector<std::tuple<holdem::ActionKind, holdem::Chips>>& actions, int deals,
                    double risk, uint64_t seed, const std::vector<std::vector<double>>& fold_offsets, core::Budget* budget,
                    const std::vector<std::vector<double>>& fold_limits) {
    require_turn(table);
    const size_t seats = static_cast<size_t>(table.setup().seats);
    if (ranges.shape(0) != seats || styles.size() != seats) throw nb::value_error("ranges, styles: one for each seat");
    PlanQuery query;
    query.table = &table;
    query.ranges = ranges.data();
    query.axis = axis.data();
    std::copy(styles.begin(), styles.end(), query.styles.begin());
    query.plans = plans;
    for (const auto& [kind, to] : actions) {
        if (table.why_illegal({kind, to})) throw nb::value_error("actions: only legal ones");
        query.actions.push_back({kind, to});
    }
    if (!fold_offsets.empty() && fold_offsets.size() != actions.size()) throw nb::value_error("fold_offsets: a row for each action");
    for (const std::vector<double>& row : fold_offsets) {
        if (row.size() != seats) throw nb::value_error("fold_offsets: one for each seat");
        std::copy(row.begin(), row.end(), query.fold_offsets.emplace_back().begin());
    }
    if (!fold_limits.empty() && fold_limits.size() != fold_offsets.size()) throw nb::value_error("fold_limits: as many rows as fold_offsets");
    for (const std::vector<double>& row : fold_limits) {
        if (row.size() != seats) throw nb::value_error("fold_limits: one for each seat");
        std::copy(row.begin(), row.end(), query.fold_limits.emplace_back().begin());
    }
    query.deals = deals;
    query.risk = risk;
    query.seed = seed;
    core::Budget unlimited;
    nb::gil_scoped_release release;
    return plan(query, budget ? *budget : unlimited);
}

void bind_planner(nb::module_& m) {
    nb::class_<PlanRow>(m, "PlanRow", "What an action is worth, in units won from now on.")
        .def_ro("value", &PlanRow::value, "Certainty equivalent with the best plan.")
        .def_ro("mean", &PlanRow::mean, "Mean, without aversion to risk.")
        .def_ro("error", &PlanRow::error, "Standard error of the mean.")
        .def_ro("folds", &PlanRow::folds, "Share of the deals in which everybody folded to the action.")
        .def_ro("predicted", &PlanRow::predicted, "The same by the styles alone, where fold_offsets changed it.")
        .def_ro("plan", &PlanRow::plan, "The best plan to go on with.");
    nb::class_<PlanResult>(m, "PlanResult", "The actions of a plan, each with what it is worth.")
        .def_ro("rows", &PlanResult::rows)
        .def_ro("deals", &PlanResult::deals, "Deals played out.");
    m.def("plan", &run_plan, "table"_a, "ranges"_a, "axis"_a, "styles"_a, "plans"_a, "actions"_a, "deals"_a, "risk"_a, "seed"_a,
          "fold_offsets"_a = std::vector<std::vector<double>>{}, "budget"_a = nb::none(), "fold_limits"_a = std::vector<std::vector<double>>{},
          "The value of each action: the hand played out against ranges and styles, oneself going on by the best of some plans.");
}

}  // namespace

void bind_handreading(nb::module_& m) {
    m.def(
        "strengths",
        [](uint64_t board, int runouts, uint64_t seed) {
            if (board) require_board(board);
            if (runouts < 1) throw nb::value_error("runouts: at least 1");
            Strengths hands;
            {
                nb::gil_scoped_release release;
                hands = strengths(board, runouts, seed);
            }
            return std::make_tuple(column(hands.now), column(hands.equity), column(hands.spread), column(hands.classes), column(hands.is_live));
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
    bind_family(m);
    bind_planner(m);
}

}  // namespace mingpai::bind
