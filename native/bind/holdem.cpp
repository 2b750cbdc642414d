#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/core/budget.hpp"
#include "native/holdem/equity.hpp"
#include "native/holdem/evaluator.hpp"
#include "native/holdem/table.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::holdem;
using mingpai::core::Budget;

namespace mingpai::bind {

namespace {

using CardArray = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RangeArray = nb::ndarray<const float, nb::shape<-1, kCombos>, nb::c_contig, nb::device::cpu>;
using RankArray = nb::ndarray<nb::numpy, uint16_t, nb::ndim<1>>;

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
    auto ranks = new_array<HandRank, nb::ndim<1>>({count});
    size_t ranked;
    {
        nb::gil_scoped_release release;
        ranked = rank_hands(cards.data(), size, count, ranks.data());
    }
    verify_all_ranked(ranked, count);
    return ranks;
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

using Hole = std::optional<std::pair<int, int>>;

Card known_card(int card) {
    if (card < 0 || card >= kCards) throw nb::value_error(("no card: " + std::to_string(card)).c_str());
    return static_cast<Card>(card);
}

Holes holes_of(const std::vector<Hole>& hands) {
    Holes holes;
    holes.fill({kUnknownCard, kUnknownCard});
    for (size_t seat = 0; seat < hands.size() && seat < kMaxSeats; ++seat) {
        if (hands[seat]) holes[seat] = {known_card(hands[seat]->first), known_card(hands[seat]->second)};
    }
    return holes;
}

Table make_table(const std::vector<Chips>& stacks, int button, Chips small, Chips big, Chips ante, const TableRules& rules,
                 const std::vector<Hole>& hands, const std::vector<int>& board) {
    if (stacks.size() > kMaxSeats || hands.size() > stacks.size()) throw nb::value_error("a table has 2 to 10 seats");
    if (board.size() > kBoardCards) throw nb::value_error("a board has at most 5 cards");
    TableSetup setup;
    setup.seats = static_cast<int>(stacks.size());
    setup.button = button;
    setup.small_blind = small;
    setup.big_blind = big;
    setup.ante = ante;
    std::copy(stacks.begin(), stacks.end(), setup.stacks.begin());
    Board cards;
    cards.fill(kUnknownCard);
    std::transform(board.begin(), board.end(), cards.begin(), known_card);
    return Table(setup, rules, holes_of(hands), cards);
}

std::vector<Chips> by_seat(const Table& table, const std::array<Chips, kMaxSeats>& values) {
    return {values.begin(), values.begin() + table.setup().seats};
}

std::vector<int> seats_of(uint32_t bits) {
    std::vector<int> seats;
    for (; bits; bits &= bits - 1) seats.push_back(core::lowest(bits));
    return seats;
}

std::optional<int> seat_or_none(int seat) { return seat < 0 ? std::nullopt : std::optional<int>(seat); }

std::vector<Hole> hands_of(const Table& table) {
    std::vector<Hole> hands;
    for (int seat = 0; seat < table.setup().seats; ++seat) {
        const auto& hole = table.holes()[seat];
        hands.push_back(hole[0] == kUnknownCard ? Hole{} : Hole{{hole[0], hole[1]}});
    }
    return hands;
}

void verify_seat(const Table& table, int seat) {
    if (seat < 0 || seat >= table.setup().seats) throw nb::value_error(("no seat " + std::to_string(seat)).c_str());
}

void bind_table(nb::module_& m) {
    nb::enum_<Street>(m, "Street").value("PREFLOP", Street::kPreflop).value("FLOP", Street::kFlop).value("TURN", Street::kTurn)
        .value("RIVER", Street::kRiver).value("OVER", Street::kOver);
    nb::enum_<Split>(m, "Split", "What happens to chips that do not divide among the winners of a pot.")
        .value("BY_SEAT", Split::kBySeat, "One unit each, from the first winner after the button on.")
        .value("FIRST", Split::kFirst, "All to the first winner after the button.")
        .value("DISCARDED", Split::kDiscarded, "Taken off the table.");
    nb::enum_<ActionKind>(m, "ActionKind").value("FOLD", ActionKind::kFold).value("CHECK", ActionKind::kCheck)
        .value("CALL", ActionKind::kCall).value("RAISE", ActionKind::kRaise);
    nb::class_<TableRules>(m, "TableRules")
        .def("__init__", [](TableRules* self, Split split, Chips unit, bool reopens, bool posted, bool heads_up, bool fold,
                            bool always_open) {
            new (self) TableRules{split, unit, reopens, posted, heads_up, fold, always_open};
        }, "split"_a, "unit"_a, "short_opening_reopens"_a, "posted_blind_counts"_a, "small_blind_only_heads_up"_a, "may_fold_unbet"_a,
           "is_always_open"_a)
        .def_ro("split", &TableRules::split)
        .def_ro("unit", &TableRules::unit, "Units in a chip.")
        .def_ro("short_opening_reopens", &TableRules::short_opening_reopens)
        .def_ro("posted_blind_counts", &TableRules::posted_blind_counts)
        .def_ro("small_blind_only_heads_up", &TableRules::small_blind_only_heads_up)
        .def_ro("may_fold_unbet", &TableRules::may_fold_unbet)
        .def_ro("is_always_open", &TableRules::is_always_open);
    nb::class_<Legal>(m, "Legal", "What the seat to act may do.")
        .def_ro("fold", &Legal::fold)
        .def_ro("check", &Legal::check)
        .def_ro("call", &Legal::call)
        .def_ro("can_raise", &Legal::raise)
        .def_ro("call_cost", &Legal::call_cost, "Units that a call puts in.")
        .def_ro("min_to", &Legal::min_to, "Least total for the street that a raise may name.")
        .def_ro("max_to", &Legal::max_to, "The total of going all-in.");
    nb::class_<Pot>(m, "Pot")
        .def_ro("amount", &Pot::amount)
        .def_prop_ro("seats", [](const Pot& pot) { return seats_of(pot.seats); }, "Who can win it.")
        .def_prop_ro("winners", [](const Pot& pot) { return seats_of(pot.winners); },
             "Who did; nobody while the hand goes on.");
    nb::class_<Table>(m, "Table", "One hand of no-limit hold'em; all amounts in units.")
        .def("__init__", [](Table* self, const std::vector<Chips>& stacks, int button, Chips small, Chips big, Chips ante,
                            const TableRules& rules, const std::vector<Hole>& hands, const std::vector<int>& board) {
            new (self) Table(make_table(stacks, button, small, big, ante, rules, hands, board));
        }, "stacks"_a, "button"_a, "small_blind"_a, "big_blind"_a, "ante"_a, "rules"_a, "hands"_a, "board"_a)
        .def(nb::init<const Table&>(), "other"_a)
        .def_prop_ro("seats", [](const Table& t) { return t.setup().seats; })
        .def_prop_ro("button", [](const Table& t) { return t.setup().button; })
        .def_prop_ro("small_blind", [](const Table& t) { return t.setup().small_blind; })
        .def_prop_ro("big_blind", [](const Table& t) { return t.setup().big_blind; })
        .def_prop_ro("ante", [](const Table& t) { return t.setup().ante; })
        .def_prop_ro("starting_stacks", [](const Table& t) { return by_seat(t, t.setup().stacks); })
        .def_prop_ro("small_blind_seat", &Table::small_blind_seat)
        .def_prop_ro("big_blind_seat", [](const Table& t) { return seat_or_none(t.big_blind_seat()); },
             "None where nobody posts it.")
        .def_prop_ro("rules", [](const Table& t) { return t.rules(); })
        .def_prop_ro("street", [](const Table& t) { return t.status().street; })
        .def_prop_ro("to_act", [](const Table& t) { return seat_or_none(t.status().to_act); })
        .def_prop_ro("is_over", &Table::is_over)
        .def_prop_ro("stacks", [](const Table& t) { return by_seat(t, t.status().stacks); }, "Behind the bets.")
        .def_prop_ro("bets", [](const Table& t) { return by_seat(t, t.status().bets); }, "Of this street.")
        .def_prop_ro("paid", [](const Table& t) { return by_seat(t, t.status().paid); },
             "Of the whole hand, antes included.")
        .def_prop_ro("current_bet", [](const Table& t) { return t.status().current_bet; },
             "Total for the street to stay in.")
        .def_prop_ro("discarded", [](const Table& t) { return t.status().discarded; }, "Units lost in splits.")
        .def_prop_ro("pot", &Table::pot, "All that was paid.")
        .def_prop_ro("dealt_seats", [](const Table& t) { return seats_of(t.status().dealt); })
        .def_prop_ro("live_seats", [](const Table& t) { return seats_of(t.status().live); })
        .def_prop_ro("shown_seats", [](const Table& t) { return seats_of(t.status().shown); })
        .def_prop_ro("hands", &hands_of, "Two cards for each seat, None where not known or not dealt.")
        .def_prop_ro("board", [](const Table& t) {
            return std::vector<int>(t.board().begin(), t.board().begin() + t.status().board_count);
        }, "The cards that lie open.")
        .def_prop_ro("full_board", [](const Table& t) {
            std::vector<int> cards;
            for (Card card : t.board()) if (card != kUnknownCard) cards.push_back(card);
            return cards;
        }, "The cards known, also those not open yet.")
        .def("legal", &Table::legal)
        .def("why_illegal", [](const Table& t, ActionKind kind, Chips to) -> std::optional<std::string> {
            const char* why = t.why_illegal({kind, to});
            return why ? std::optional<std::string>(why) : std::nullopt;
        }, "kind"_a, "to"_a = 0, "The code of the rule that forbids it; None when it is legal.")
        .def("act", [](Table& t, ActionKind kind, Chips to) { t.act({kind, to}); }, "kind"_a, "to"_a = 0)
        .def("undo", &Table::undo)
        .def_prop_ro("actions", [](const Table& t) {
            std::vector<nb::tuple> out;
            for (size_t i = 0; i < t.actions().size(); ++i) out.push_back(nb::make_tuple(t.actor(i), t.actions()[i].kind, t.actions()[i].to));
            return out;
        }, nb::sig("def actions(self) -> list[tuple[int, ActionKind, int]]"),
              "Seat, kind and, for a raise, the total for the street.")
        .def_prop_ro("action_streets", [](const Table& t) {
            std::vector<int> out(t.actions().size());
            for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(t.street_of(i));
            return out;
        }, "The street of each action, 0 before the flop.")
        .def("pots", &Table::pots)
        .def("payoffs", [](const Table& t) { return by_seat(t, t.payoffs()); })
        .def("masked", [](const Table& t, int seat) { verify_seat(t, seat); return t.masked(seat); }, "seat"_a,
             "Without what the seat may not know.")
        .def("filled", [](const Table& t, uint64_t seed) { core::Rng rng(seed); return t.filled(rng); }, "seed"_a,
             "Unknown cards drawn uniformly.")
        .def("with_hands", [](const Table& t, const std::vector<Hole>& hands, uint64_t seed) {
            core::Rng rng(seed);
            return t.with_holes(holes_of(hands), rng);
        }, "hands"_a, "seed"_a, "Unknown hands as given, the rest drawn uniformly.")
        .def("is_consistent", &Table::is_consistent);
}

}  // namespace

void bind_holdem(nb::module_& m) {
    bind_table(m);
    m.attr("COMBOS") = kCombos;
    m.attr("CATEGORY_SHIFT") = kCategoryShift;
    m.def("evaluate", &evaluate, "cards"_a.noconvert(),
          "Ranks of hands of five to seven cards, one hand a row. Larger is stronger; rank >> CATEGORY_SHIFT is the category.");
    m.def("evaluate_set", &evaluate_set, "cards"_a, "The rank of one set of five to seven cards, bit c for card c.");
    m.def("count_categories", [](int size) { verify_hand_size(size); return count_categories(size); }, "size"_a,
          nb::call_guard<nb::gil_scoped_release>(), "How many hands of `size` cards each category has, by enumeration.");
    m.def("checksum", &checksum, "cards"_a.noconvert(), "rounds"_a,
          "Ranks seven-card hands in a native loop; for benchmarks.");
    m.def("category_sizes", [] { return Evaluator::get().category_sizes(); }, "How many ranks each category has.");
    m.def("combo_index", [](int a, int b) {
        if (a < 0 || b < 0 || a >= kCards || b >= kCards || a == b) throw nb::value_error("a combination is two different cards 0..51");
        return combo_of(static_cast<Card>(a), static_cast<Card>(b));
    }, "a"_a, "b"_a, "The number of the combination of two cards, 0..1325.");
    m.def("combo_cards", [](int combo) {
        if (combo < 0 || combo >= kCombos) throw nb::value_error("combinations are numbered 0..1325");
        return nb::make_tuple(kComboCards[combo].low, kComboCards[combo].high);
    }, "combo"_a, nb::sig("def combo_cards(combo: int) -> tuple[int, int]"),
          "The two cards of a combination, the lower one first.");

    nb::enum_<EquityMethod>(m, "EquityMethod", "How equity() finds its answer.")
        .value("AUTO", EquityMethod::kAuto,
             "Exact within the work limit, else a walk for four or more wide ranges, else independent samples.")
        .value("EXACT", EquityMethod::kExact, "All hands and boards.")
        .value("WALK", EquityMethod::kWalk, "A Markov walk over the hands with a fresh board at each step.")
        .value("INDEPENDENT", EquityMethod::kIndependent, "Independent samples with importance weights.");
    nb::class_<EquitySettings>(m, "EquitySettings")
        .def("__init__", [](EquitySettings* self, EquityMethod method, uint64_t samples, double target_error, uint64_t seed,
                            int threads, double exact_work) {
            new (self) EquitySettings{method, samples, target_error, seed, threads, exact_work};
        }, "method"_a = EquityMethod::kAuto, "samples"_a = EquitySettings{}.samples, "target_error"_a = 0.0, "seed"_a = 0, "threads"_a = 1,
           "exact_work"_a = EquitySettings{}.exact_work)
        .def_ro("method", &EquitySettings::method)
        .def_ro("samples", &EquitySettings::samples, "At most that many samples; with a target error, the limit.")
        .def_ro("target_error", &EquitySettings::target_error,
             "Stop when every standard error is at or below it; 0 takes all samples.")
        .def_ro("seed", &EquitySettings::seed)
        .def_ro("threads", &EquitySettings::threads, "Does not change the answer.")
        .def_ro("exact_work", &EquitySettings::exact_work, "Hands ranked above which AUTO samples.");
    nb::class_<EquityResult>(m, "EquityResult")
        .def_ro("method", &EquityResult::method, "How the answer was found; never AUTO.")
        .def_prop_ro("equities", [](const EquityResult& r) { return first_of(r.equities, r.players); },
             "Share of the pot of each player; sums to 1.")
        .def_prop_ro("wins", [](const EquityResult& r) { return first_of(r.wins, r.players); },
             "Probability of winning alone.")
        .def_prop_ro("ties", [](const EquityResult& r) { return first_of(r.ties, r.players); },
             "Probability of sharing the pot.")
        .def_prop_ro("standard_errors", [](const EquityResult& r) { return first_of(r.standard_errors, r.players); },
             "Of the equities; 0 when exact.")
        .def_ro("samples", &EquityResult::samples, "Samples drawn, or hands and boards enumerated.")
        .def_ro("effective_samples", &EquityResult::effective_samples,
             "Independent samples of equal weight that would err as much.")
        .def_ro("reached_target", &EquityResult::reached_target,
             "False when samples or budget ran out before the target error.");
    m.def("equity", &run_equity, "weights"_a.noconvert(), "board"_a, "dead"_a, "settings"_a, "budget"_a.none() = nb::none(),
          "Each player's share of the pot; weights has a row of 1326 for each player, board and dead are card sets.");
}

}  // namespace mingpai::bind
