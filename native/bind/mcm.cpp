#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <variant>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/handsplit/inference.hpp"
#include "native/mcm/batch.hpp"
#include "native/mcm/combinations.hpp"
#include "native/mcm/look_ahead.hpp"
#include "native/mcm/network.hpp"
#include "native/mcm/open_judge.hpp"
#include "native/mcm/planes.hpp"
#include "native/mcm/playouts.hpp"
#include "native/mcm/whole_deals.hpp"
#include "native/mcm/position.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::mcm;
using mingpai::core::Budget;
using mingpai::doudizhu::Rules;

namespace mingpai::bind {
namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;

RowSizes rows_of(bool open) { return open ? kOpenRows : kClosedRows; }

Objective objective_of(bool for_points) { return for_points ? Objective::Points : Objective::Win; }

void bind_samples(nb::module_& m) {
    nb::class_<Samples>(m, "Samples", "The latest decisions with their returns; the oldest are overwritten.")
        .def("__init__", [](Samples* self, size_t capacity, bool open) { new (self) Samples(capacity, rows_of(open)); },
             "capacity"_a, "open"_a = false, "open: rows with the hands of the others.")
        .def_prop_ro("capacity", &Samples::capacity)
        .def("__len__", &Samples::size)
        .def_prop_ro("added", &Samples::added, "Decisions added since the start.")
        .def("extend", [](Samples& self, Matrix<const uint8_t> states, Matrix<const uint8_t> moves, Array<const float, 1> wins,
                          Array<const float, 1> points) {
            const auto rows = static_cast<int64_t>(wins.shape(0));
            const RowSizes& sizes = self.sizes();
            verify_shape(states, rows, sizes.state, "states");
            verify_shape(moves, rows, sizes.move, "moves");
            if (static_cast<int64_t>(points.shape(0)) != rows) throw nb::value_error("points: expected one for each row");
            for (int64_t i = 0; i < rows; ++i) {
                self.add(states.data() + i * sizes.state, moves.data() + i * sizes.move, wins.data()[i], points.data()[i]);
            }
        }, "states"_a, "moves"_a, "wins"_a, "points"_a, "Adds decisions that were made elsewhere.")
        .def_prop_ro("states", [](nb::handle self) {
            auto& s = nb::cast<Samples&>(self);
            return view_of(self, s.states, s.capacity(), s.sizes().state);
        }, "One row for each decision.")
        .def_prop_ro("moves", [](nb::handle self) {
            auto& s = nb::cast<Samples&>(self);
            return view_of(self, s.moves, s.capacity(), s.sizes().move);
        }, "One row for each decision: the move made.")
        .def_prop_ro("wins", [](nb::handle self) {
            auto& s = nb::cast<Samples&>(self);
            return view_of(self, s.wins, s.capacity(), 0);
        }, "Return in [0, 1].")
        .def_prop_ro("points", [](nb::handle self) {
            auto& s = nb::cast<Samples&>(self);
            return view_of(self, s.points, s.capacity(), 0);
        }, "Return in stakes of a farmer at the time of the decision.");
}

void bind_counts(nb::module_& m) {
    nb::class_<BatchCounts>(m, "BatchCounts")
        .def_ro("deals", &BatchCounts::deals, "Finished deals.")
        .def_ro("decisions", &BatchCounts::decisions, "Choices among more than one move.")
        .def_ro("options", &BatchCounts::options, "Legal moves in them.")
        .def_ro("moves", &BatchCounts::moves, "All moves, forced ones included.")
        .def_ro("landlord_wins", &BatchCounts::landlord_wins)
        .def_ro("bombs", &BatchCounts::bombs)
        .def_ro("proved", &BatchCounts::proved, "Decisions whose return the solver gave.");
}

void observe(Batch& batch, Matrix<uint8_t> states, Matrix<uint8_t> moves) {
    verify_shape(states, batch.tables(), batch.rows().state, "states");
    verify_shape(moves, batch.options(), batch.rows().move, "moves");
    nb::gil_scoped_release release;
    batch.observe(states.data(), moves.data());
}

void act(Batch& batch, Matrix<const float> values, Matrix<const uint8_t> states, Matrix<const uint8_t> moves, float explore,
         float lambda, std::optional<Matrix<const float>> judged) {
    verify_shape(values, batch.options(), kValueColumns, "values");
    if (judged) verify_shape(*judged, batch.options(), kValueColumns, "judged");
    verify_shape(states, batch.tables(), batch.rows().state, "states");
    verify_shape(moves, batch.options(), batch.rows().move, "moves");
    nb::gil_scoped_release release;
    batch.act(values.data(), judged ? judged->data() : values.data(), states.data(), moves.data(), explore, lambda);
}

void play(Batch& batch, Array<const int32_t, 1> choices) {
    if (static_cast<int>(choices.shape(0)) != batch.tables()) throw nb::value_error("choices: expected one for each table");
    for (int i = 0; i < batch.tables(); ++i) {
        const auto count = static_cast<int>(batch.moves(i).size());
        const int choice = choices.data()[i];
        if (count > 0 && (choice < 0 || choice >= count)) throw nb::value_error("choices: no such move at a table");
    }
    nb::gil_scoped_release release;
    batch.play({choices.data(), choices.shape(0)});
}

template <class Get>
auto per_table(const Batch& batch, Get get) {
    std::vector<int32_t> out;
    for (int i = 0; i < batch.tables(); ++i) out.push_back(batch.table(i).is_over() ? get(batch.table(i), i) : -1);
    return copied(out);
}

// Decisions as combinational Q-learning sees them, one after the other.
struct CombinationRows {
    const ruleplay::Splitter& splitter;
    CombinationSettings settings;
    std::vector<uint8_t> rows{};      // of groups, kMoveSize each
    std::vector<int64_t> of{};        // the decision of each group
    std::vector<int32_t> choices{};   // of each group
    std::vector<std::vector<int32_t>> splits{};
    std::vector<int64_t> split_of{};  // the decision of each split
    TurnCache turns{};
    int64_t decisions = 0;

    void add(const Play& play, Hand hand, const std::vector<Move>& legal, const Rules& rules) {
        const Combinations ways = combinations(splitter, hand, legal, settings);
        const SeatView view{play, hand, Objective::Win, rules};
        const Hand unseen = view.unseen();
        const Odds odds = view.odds(unseen);
        const auto first = static_cast<int32_t>(of.size());
        rows.resize(rows.size() + ways.groups.size() * kMoveSize);
        uint8_t* row = rows.data() + static_cast<size_t>(first) * kMoveSize;
        for (const Move& move : ways.groups) {
            view.write_move(move, unseen, odds, turns(hand), turns(hand - move.cards), row);
            row += kMoveSize;
        }
        of.resize(of.size() + ways.groups.size(), decisions);
        choices.insert(choices.end(), ways.choices.begin(), ways.choices.end());
        for (const auto& split : ways.splits) {
            splits.emplace_back();
            for (const int32_t group : split) splits.back().push_back(first + group);
            split_of.push_back(decisions);
        }
        ++decisions;
    }

    nb::tuple arrays() const {
        auto row_array = new_array<uint8_t>({of.size(), size_t{kMoveSize}});
        std::copy(rows.begin(), rows.end(), row_array.data());
        size_t parts = 0;
        for (const auto& split : splits) parts = std::max(parts, split.size());
        auto split_array = new_array<int64_t>({splits.size(), parts});
        std::fill_n(split_array.data(), splits.size() * parts, static_cast<int64_t>(of.size()));
        for (size_t i = 0; i < splits.size(); ++i) std::ranges::copy(splits[i], split_array.data() + i * parts);
        return nb::make_tuple(row_array, copied(of), copied(choices), split_array, copied(split_of));
    }
};

CombinationSettings combination_settings(int slack, int most) {
    if (slack < 0 || most < 1) throw nb::value_error("slack, most: expected at least 0 and 1");
    return {slack, most};
}

nb::tuple position_combinations(const std::vector<const Position*>& positions, const ruleplay::Splitter& splitter, int slack,
                                int most) {
    CombinationRows rows{splitter, combination_settings(slack, most)};
    for (const Position* position : positions) rows.add(position->play, position->hand, position->moves, position->rules);
    return rows.arrays();
}

nb::tuple batch_combinations(const Batch& batch, const ruleplay::Splitter& splitter, int slack, int most) {
    CombinationRows rows{splitter, combination_settings(slack, most)};
    for (int i = 0; i < batch.tables(); ++i) {
        const OpenTable& table = batch.table(i);
        if (table.is_over()) {
            ++rows.decisions;
        } else {
            rows.add(table.play, table.hands[table.play.turn], batch.moves(i), batch.rules(i));
        }
    }
    return rows.arrays();
}

void bind_batch(nb::module_& m) {
    nb::class_<Batch>(m, "Batch", "Many deals played side by side. Roles: 0 the landlord, 1 the seat after him, 2 before him.")
        .def(
            "__init__",
            [](Batch* self, int tables, uint64_t seed, const std::variant<Rules, std::vector<Rules>>& rules, double bid_share,
               double points_share, bool deals_again, Samples* samples, bool open, int exact_cards, int most_doublings) {
                if (tables < 1) throw nb::value_error("tables: expected at least 1");
                if (most_doublings < 0) throw nb::value_error("most_doublings: expected at least 0");
                std::vector<Rules> profiles = std::holds_alternative<Rules>(rules) ? std::vector{std::get<Rules>(rules)}
                                                                                   : std::get<std::vector<Rules>>(rules);
                if (profiles.empty()) throw nb::value_error("rules: expected at least one");
                if (samples && samples->sizes() != rows_of(open)) throw nb::value_error("samples: rows of another size");
                // Without the hands of the others what they make of a move cannot be known.
                if (exact_cards && !open) throw nb::value_error("exact_cards: only with open rows");
                new (self) Batch({tables, seed, std::move(profiles), bid_share, points_share, deals_again, rows_of(open), most_doublings,
                                  exact_cards}, samples);
            },
            "tables"_a, "seed"_a, "rules"_a, "bid_share"_a = 0.0, "points_share"_a = 0.0, "deals_again"_a = true,
            "samples"_a = nb::none(), "open"_a = false, "exact_cards"_a = 0, "most_doublings"_a = 3, nb::keep_alive<1, 8>(),
            "rules: of several each deal draws one; bid_share: deals whose landlord is chosen by strength; points_share: deals played for points; open: rows with the "
            "hands of the others; exact_cards: from so many cards in all hands on the return is what the solver proves, in points once nothing can double; "
            "most_doublings: returns in points are cut at 2 to this power, in stakes at the time of the decision.")
        .def("__len__", &Batch::tables)
        .def_prop_ro("options", &Batch::options, "Legal moves of all tables that wait for a decision.")
        .def("offsets", [](const Batch& self) { return copied(self.offsets()); }, "Moves of table i: rows offsets[i] to offsets[i + 1].")
        .def("turns", [](const Batch& self) { return copied(self.turns()); }, "Role to move at each table; -1 when over.")
        .def("moves", [](const Batch& self, int table) {
            if (table < 0 || table >= self.tables()) throw nb::index_error("no such table");
            return self.moves(table);
        }, "table"_a)
        .def("hands", [](const Batch& self, int table) {
            if (table < 0 || table >= self.tables()) throw nb::index_error("no such table");
            return self.table(table).hands;
        }, "table"_a, "Cards each role holds now.")
        .def("bottom", [](const Batch& self, int table) {
            if (table < 0 || table >= self.tables()) throw nb::index_error("no such table");
            return self.table(table).play.bottom;
        }, "table"_a, "Bottom cards that the landlord has not played yet.")
        .def_prop_ro("counts", &Batch::counts)
        .def("winners", [](const Batch& self) { return per_table(self, [](const OpenTable& t, int) { return int32_t{t.play.owner}; }); },
             "Role that went out; -1 while the deal goes on.")
        .def("doublings", [](const Batch& self) {
            return per_table(self, [&](const OpenTable& t, int i) { return t.play.doublings(self.rules(i)); });
        }, "Doublings of the stake, as far as the rules count them; -1 while the deal goes on.")
        .def("observe", &observe, "states"_a, "moves"_a, "Writes the features of every table and of every legal move.")
        .def("act", &act, "values"_a, "states"_a, "moves"_a, "explore"_a, "lambda_"_a, "judged"_a = nb::none(),
             "Makes the best moves by values (logit of winning, points), or any move with chance explore. judged: values of the "
             "same moves that later returns are mixed with, where another network gives them.")
        .def("combinations", &batch_combinations, "splitter"_a, "slack"_a, "most"_a,
             nb::sig("def combinations(self, splitter: mingpai._native.ruleplay.Splitter, slack: int, most: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
             "As position_combinations, of every table; a table that is over has no groups.")
        .def("play", &play, "choices"_a, "Makes the given move of each table.");
}

nb::tuple observe_positions(const std::vector<const Position*>& positions, bool for_points) {
    size_t rows = 0;
    for (const Position* position : positions) rows += position->moves.size();
    auto states = new_array<uint8_t>({positions.size(), size_t{kStateSize}});
    auto moves = new_array<uint8_t>({rows, size_t{kMoveSize}});
    auto offsets = new_array<int32_t>({positions.size() + 1});
    size_t row = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
        positions[i]->observe(objective_of(for_points), states.data() + i * kStateSize, moves.data() + row * kMoveSize);
        row += positions[i]->moves.size();
        offsets.data()[i + 1] = static_cast<int32_t>(row);
    }
    return nb::make_tuple(states, moves, offsets);
}

auto planes(const std::vector<const Position*>& positions) {
    auto out = new_array<uint8_t>({positions.size(), size_t{kPlanes}, size_t{kPlaneRows}, size_t{doudizhu::kRanks}});
    for (size_t i = 0; i < positions.size(); ++i) {
        write_planes(positions[i]->play.turn, positions[i]->hand, positions[i]->history, out.data() + i * kTensorSize);
    }
    return out;
}

// Decisions of played deals as arrays: lesson i is the choice at ply lessons[i][1] of deal lessons[i][0].
struct PlayedDeals {
    Matrix<const uint64_t> hands;  // by role, as the play began
    Array<const uint64_t, 1> cards;
    Matrix<const uint8_t> kinds;  // type, rank and length of each move
    Array<const int32_t, 1> starts;

    Move move(size_t i) const {
        const uint8_t* kind = kinds.data() + 3 * i;
        const Hand hand = cards.data()[i];
        return {hand, static_cast<doudizhu::Type>(kind[0]), kind[1], kind[2], static_cast<uint8_t>(doudizhu::card_count(hand))};
    }
};

void verify_moves(const Array<const uint64_t, 1>& cards, const Matrix<const uint8_t>& kinds) {
    verify_shape(kinds, static_cast<int64_t>(cards.shape(0)), 3, "kinds");
    for (size_t i = 0; i < cards.shape(0); ++i) {
        if (kinds.data()[3 * i] >= doudizhu::kTypes || kinds.data()[3 * i + 1] + kinds.data()[3 * i + 2] > doudizhu::kRanks) {
            throw nb::value_error("kinds: no such move");
        }
    }
}

// The tensors of lessons, and the hand of each at its time.
nb::tuple lesson_planes(Matrix<const uint64_t> hands, Array<const uint64_t, 1> cards, Matrix<const uint8_t> kinds,
                        Array<const int32_t, 1> starts, Matrix<const int32_t> lessons) {
    const PlayedDeals deals{hands, cards, kinds, starts};
    verify_shape(hands, 0, kRoles, "hands");
    verify_shape(kinds, static_cast<int64_t>(cards.shape(0)), 3, "kinds");
    const size_t count = lessons.shape(0);
    auto out = new_array<uint8_t>({count, size_t{kPlanes}, size_t{kPlaneRows}, size_t{doudizhu::kRanks}});
    auto held = new_array<uint64_t>({count});
    std::vector<Move> history;
    for (size_t i = 0; i < count; ++i) {
        const int32_t deal = lessons.data()[2 * i], ply = lessons.data()[2 * i + 1];
        if (deal < 0 || deal + 1 >= static_cast<int32_t>(starts.shape(0)) || deal >= static_cast<int32_t>(hands.shape(0)) || ply < 0 ||
            starts.data()[deal] + ply > starts.data()[deal + 1] || starts.data()[deal + 1] > static_cast<int32_t>(cards.shape(0))) {
            throw nb::value_error("lessons: no such decision");
        }
        const int role = ply % kRoles;
        Hand hand = hands.data()[kRoles * deal + role];
        history.clear();
        for (int32_t at = 0; at < ply; ++at) {
            history.push_back(deals.move(static_cast<size_t>(starts.data()[deal] + at)));
            if (at % kRoles == role) hand -= history.back().cards;
        }
        held.data()[i] = hand;
        write_planes(role, hand, history, out.data() + i * kTensorSize);
    }
    return nb::make_tuple(out, held);
}

// The planes of candidates: of each the role that may make it and the hand it is made from.
auto candidate_planes(Array<const uint8_t, 1> roles, Array<const uint64_t, 1> hands, Array<const uint64_t, 1> cards,
                      Matrix<const uint8_t> kinds) {
    const size_t count = cards.shape(0);
    verify_moves(cards, kinds);
    if (roles.shape(0) != count || hands.shape(0) != count) throw nb::value_error("roles, hands: expected one for each move");
    auto out = new_array<uint8_t>({count, size_t{kCandidateRows}, size_t{doudizhu::kRanks}});
    for (size_t i = 0; i < count; ++i) {
        if (!doudizhu::holds(hands.data()[i], cards.data()[i])) throw nb::value_error("hands: a move is not in its hand");
        const uint8_t* kind = kinds.data() + 3 * i;
        const Move move{cards.data()[i], static_cast<doudizhu::Type>(kind[0]), kind[1], kind[2], 0};
        write_candidate(roles.data()[i], hands.data()[i], move, out.data() + i * kCandidateSize);
    }
    return out;
}

void bind_positions(nb::module_& m) {
    nb::class_<Position>(m, "Position", "A decision of one seat, from what it has seen.")
        .def("__init__", [](Position* self, int role, Hand hand, Hand bottom, std::array<uint8_t, kRoles> counts,
                            const std::vector<Move>& history, const Rules& rules, Hand deck) {
            if (role < 0 || role >= kRoles) throw nb::value_error("role: expected 0, 1 or 2");
            new (self) Position({role, hand, bottom, counts, deck}, history, rules);
        }, "role"_a, "hand"_a, "bottom"_a, "counts"_a, "history"_a, "rules"_a, "deck"_a = doudizhu::kFullDeck,
           "role: 0 the landlord, 1 the seat after him, 2 before him. bottom: as turned up. counts: cards each role holds. "
           "history: all moves of the deal.")
        .def_ro("moves", &Position::moves, "Legal moves.")
        .def_ro("hand", &Position::hand)
        .def_prop_ro("role", [](const Position& self) { return int{self.play.turn}; })
        .def_prop_ro("bombs", [](const Position& self) { return int{self.play.bombs}; }, "Bombs and rockets so far.");
    m.def("position_combinations", &position_combinations, "positions"_a, "splitter"_a, "slack"_a, "most"_a,
          nb::sig("def position_combinations(positions: collections.abc.Sequence[Position], "
                  "splitter: mingpai._native.ruleplay.Splitter, slack: int, most: int) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
          "For combinational Q-learning: rows of groups, the position of each, its index among the legal moves (-1: not now), the "
          "splits as rows of groups (filled up by the number of groups), and the position of each split.");
    m.def("planes", &planes, "positions"_a, "The paper's tensors: (positions, 29 planes, 15 rows, 15 ranks).");
    m.def("lesson_planes", &lesson_planes, "hands"_a, "cards"_a, "kinds"_a, "starts"_a, "lessons"_a,
          nb::sig("def lesson_planes(hands: numpy.typing.NDArray[numpy.uint64], cards: numpy.typing.NDArray[numpy.uint64], "
                  "kinds: numpy.typing.NDArray[numpy.uint8], starts: numpy.typing.NDArray[numpy.int32], "
                  "lessons: numpy.typing.NDArray[numpy.int32]) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint64]]"),
          "The paper's tensors for decisions (deal, ply) of played deals, and the hand of each decision.");
    m.def("candidate_planes", &candidate_planes, "roles"_a, "hands"_a, "cards"_a, "kinds"_a,
          "Candidates as planes: (moves, 19 rows, 15 ranks), the last four rows what is left of the hand.");
    m.def("observe_positions", &observe_positions, "positions"_a, "for_points"_a,
          nb::sig("def observe_positions(positions: collections.abc.Sequence[Position], for_points: bool) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8], "
                  "numpy.typing.NDArray[numpy.int32]]"),
          "Rows of states, rows of moves, and where the moves of each position start.");
}

// The trained weights by the names of network.py; they are copied.
Network network_of(const nb::dict& weights) {
    std::vector<nb::object> kept;  // arrays live as long as the pointers into them are used
    const auto array = [&](const std::string& name) {
        if (!weights.contains(name.c_str())) throw nb::value_error(("weights: no array is called " + name).c_str());
        kept.push_back(weights[name.c_str()]);
        return kept.back();
    };
    const auto matrix = [&](const std::string& name) {
        const auto values = nb::cast<Matrix<const float>>(array(name));
        return TrainedMatrix{values.data(), static_cast<int>(values.shape(0)), static_cast<int>(values.shape(1))};
    };
    const auto vector = [&](const std::string& name, int size) {
        const auto values = nb::cast<Array<const float, 1>>(array(name));
        if (static_cast<int>(values.shape(0)) != size) throw nb::value_error((name + ": another size was expected").c_str());
        return values.data();
    };
    const auto layer = [&](const std::string& name) {
        const TrainedMatrix weight = matrix(name + ".weight");
        return TrainedLayer{weight, vector(name + ".bias", weight.rows)};
    };
    TrainedNetwork trained;
    trained.state_weights = matrix("state_weights");
    trained.state_bias = vector("state_bias", trained.state_weights.columns);
    for (int i = 0; weights.contains(("blocks." + std::to_string(i) + ".weight").c_str()); ++i) {
        trained.blocks.push_back(layer("blocks." + std::to_string(i)));
    }
    trained.project = layer("project");
    trained.move_weights = matrix("move_weights");
    trained.hidden = layer("hidden");
    trained.out = layer("out");
    return Network(trained);
}

nb::ndarray<nb::numpy, float> network_values(const Network& network, const std::vector<const Position*>& positions, bool for_points,
                                             const std::optional<std::vector<OtherHands>>& others) {
    if (others && others->size() != positions.size()) throw nb::value_error("others: expected two hands for each position");
    Questions questions;
    TurnCache turns;
    for (size_t i = 0; i < positions.size(); ++i) {
        const Position& position = *positions[i];
        questions.add({position.play, position.hand, objective_of(for_points), position.rules}, position.moves, turns,
                      others ? &(*others)[i] : nullptr);
    }
    Network::Scratch scratch;
    std::vector<float> values;
    network.values(questions, scratch, values);
    auto out = new_array<float>({values.size() / kValueColumns, size_t{kValueColumns}});
    std::copy(values.begin(), values.end(), out.data());
    return out;
}

void bind_network(nb::module_& m) {
    nb::class_<Network>(m, "Network", "The value network in whole numbers: the same result on every processor.")
        .def("__init__", [](Network* self, const nb::dict& weights) { new (self) Network(network_of(weights)); }, "weights"_a,
             nb::sig("def __init__(self, weights: dict[str, numpy.typing.NDArray[numpy.float32]]) -> None"),
             "weights: arrays by the names of the trained network.")
        .def("values", &network_values, "positions"_a, "for_points"_a, "others"_a = nb::none(),
             "For each legal move of each position the logit of winning and points. others: for a network that sees all hands, those "
             "of the next and the previous seat.");
    nb::class_<OpenJudges, endgame::JudgeMaker>(m, "OpenJudges", "A network that sees all hands, as the judge of the endgame solver.")
        .def(nb::init<std::shared_ptr<const Network>>(), "network"_a);
}

// A part of a feature row: its name, first place and number of places.
struct Span {
    const char* name;
    int start, places;
};

template <size_t N>
nb::dict layout_of(const Span (&spans)[N]) {
    nb::dict out;
    for (const Span& span : spans) out[span.name] = nb::make_tuple(span.start, span.places);
    return out;
}

void bind_layout(nb::module_& m) {
    using namespace layout;
    static constexpr Span kState[] = {
        {"hand", kHand, kThermometer},
        {"unseen", kUnseen, kThermometer},
        {"played", kPlayed, kThermometer},
        {"next_played", kPlayed + kThermometer, kThermometer},
        {"previous_played", kPlayed + 2 * kThermometer, kThermometer},
        {"recent", kRecent, kFullMoves * kThermometer},
        {"bottom", kBottom, kThermometer},
        {"cards_left", kCardsLeft, kHandSizes},
        {"next_cards_left", kCardsLeft + kHandSizes, kHandSizes},
        {"previous_cards_left", kCardsLeft + 2 * kHandSizes, kHandSizes},
        {"last_type", kLastType, doudizhu::kTypes},
        {"last_rank", kLastRank, doudizhu::kRanks},
        {"last_length", kLastLength, kLengths},
        {"last_owner", kLastOwner, kRoles},
        {"bombs", kBombs, kBombCounts},
        {"role", kRole, kRoles},
        {"turns", kTurns, kTurnCounts},
        {"next_passed_single", kPassed, kPassedRanks},
        {"next_passed_pair", kPassed + kPassedRanks, kPassedRanks},
        {"next_passed_triple", kPassed + 2 * kPassedRanks, kPassedRanks},
        {"next_passed_straight", kPassed + 3 * kPassedRanks, kPassedRanks},
        {"previous_passed_single", kPassed + 4 * kPassedRanks, kPassedRanks},
        {"previous_passed_pair", kPassed + 5 * kPassedRanks, kPassedRanks},
        {"previous_passed_triple", kPassed + 6 * kPassedRanks, kPassedRanks},
        {"previous_passed_straight", kPassed + 7 * kPassedRanks, kPassedRanks},
        {"older", kOlder, kOlderMoves * kOlderMove},
        {"unseen_bombs", kUnseenBombs, kBombCounts},
        {"for_points", kForPoints, 1},
        {"losing", kLosing, kLosingCounts},
        {"no_spring", kNoSpring, 1},
        {"no_bombs", kNoBombs, 1},
    };
    static constexpr Span kMove[] = {
        {"cards", kCards, kThermometer},
        {"rest", kRest, kThermometer},
        {"type", kType, doudizhu::kTypes},
        {"rank", kRank, doudizhu::kRanks},
        {"length", kLength, kLengths},
        {"rest_size", kRestSize, kHandSizes},
        {"rest_turns", kRestTurns, kTurnCounts},
        {"turn_change", kTurnChange, kTurnChanges},
        {"higher_unseen", kHigher, kHigherCounts},
        {"goes_out", kGoesOut, 1},
        {"is_bomb", kIsBomb, 1},
        {"rest_losing", kRestLosing, kLosingCounts},
        {"rest_winners", kRestWinners, kWinnerCounts},
        {"next_stands", kStands, kChances},
        {"previous_stands", kStands + kChances, kChances},
    };
    m.def("state_layout", [] { return layout_of(kState); }, nb::sig("def state_layout() -> dict[str, tuple[int, int]]"),
          "First place and number of places of each part of a row of a state.");
    m.def("move_layout", [] { return layout_of(kMove); }, nb::sig("def move_layout() -> dict[str, tuple[int, int]]"),
          "First place and number of places of each part of a row of a move.");
}

// What the inference believes, as the playouts take it.
std::vector<WeighedHand> hands_of(const handsplit::Worlds& worlds) {
    std::vector<WeighedHand> hands;
    for (int i = 0; i < worlds.size(); ++i) hands.push_back({worlds.first_hand(i), worlds.weight(i)});
    return hands;
}

auto look_ahead(LookAhead& self, const Batch& batch, Array<const int32_t, 1> rows, int depth) {
    if (depth < 1) throw nb::value_error("depth: expected at least 1");
    for (size_t i = 0; i < rows.shape(0); ++i) {
        if (rows.data()[i] < 0 || rows.data()[i] >= batch.options()) throw nb::value_error("rows: no such move");
    }
    std::vector<float> values;
    {
        nb::gil_scoped_release release;
        values = self.values(batch, std::span(rows.data(), rows.shape(0)), depth);
    }
    return copied(values);
}

auto stakes_of(const Network& network, const Rules& rules, const ruleplay::Weights& weights, Array<const uint64_t, 2> hands,
               Array<const uint64_t, 1> bottoms) {
    if (hands.shape(1) != kRoles || hands.shape(0) != bottoms.shape(0)) throw nb::value_error("hands: expected three of each deal");
    std::vector<DealtCards> deals;
    for (size_t i = 0; i < bottoms.shape(0); ++i) {
        const uint64_t* of = hands.data() + kRoles * i;
        deals.push_back({{of[0], of[1], of[2]}, bottoms.data()[i]});
        for (const Hand hand : deals.back().hands) {
            if (doudizhu::card_count(hand) != doudizhu::kDealtCards) throw nb::value_error("hands: expected 17 cards each");
        }
        if (of[0] + of[1] + of[2] + bottoms.data()[i] != doudizhu::kFullDeck) throw nb::value_error("hands: expected one whole deck");
    }
    std::vector<float> stakes;
    {
        nb::gil_scoped_release release;
        stakes = landlord_stakes(network, rules, weights, deals);
    }
    return copied(stakes);
}

void bind_playouts(nb::module_& m) {
    nb::class_<ReadingSettings>(m, "ReadingSettings", "How the network reads the belief again.")
        .def(nb::init<>())
        .def_rw("worlds", &ReadingSettings::worlds, "Worlds that are read again; 0 leaves the belief as it is.")
        .def_rw("temperature", &ReadingSettings::temperature, "Of the softmax over the network's values, in logits; 0: each player's own.")
        .def_rw("noise", &ReadingSettings::noise, "Share of moves that follow no value.")
        .def_rw("tempering", &ReadingSettings::tempering, "Exponent of the network's likelihood.")
        .def_rw("kept", &ReadingSettings::kept, "Exponent of the weight that the belief had given.");
    nb::class_<Reader>(m, "Reader", "The others' moves as the network would have chosen them. Not for several threads at once.")
        .def(nb::init<std::shared_ptr<const Network>>(), "network"_a)
        .def("log_likelihoods", &Reader::log_likelihoods, "situation"_a, "settings"_a, "hands"_a, "budget"_a, Release(),
             "log of the likelihood of everything the others were seen to do, for each hand of the next role.");
    nb::class_<PlayoutSettings>(m, "PlayoutSettings")
        .def(nb::init<>())
        .def_rw("worlds", &PlayoutSettings::worlds, "Worlds that each candidate is played out on, at most.")
        .def_rw("round", &PlayoutSettings::round, "Worlds between two looks at the standings.")
        .def_rw("width", &PlayoutSettings::width, "Candidates at most.")
        .def_rw("margin", &PlayoutSettings::margin, "How far below the best a candidate may be valued: logits, or half stakes.")
        .def_rw("trust", &PlayoutSettings::trust, "The network's own value counts as so many worlds.")
        .def_rw("judge_trust", &PlayoutSettings::judge_trust, "The judge's mean over the worlds counts as so many worlds.")
        .def_rw("judges_read", &PlayoutSettings::judges_read, "The judge values all worlds that were read, by weight; else those drawn of them.")
        .def_rw("plays_out", &PlayoutSettings::plays_out, "False: the network, the hints and the judge decide.")
        .def_rw("depth", &PlayoutSettings::depth, "Decisions of a playout after which the judge values it; 0: to the end of the deal.")
        .def_rw("clear", &PlayoutSettings::clear, "Standard errors of the paired difference that drop a candidate.")
        .def_rw("points", &PlayoutSettings::points, "Maximise points instead of the probability to win.")
        .def_rw("threads", &PlayoutSettings::threads)
        .def_rw("reading", &PlayoutSettings::reading, "How the belief is read again before.");
    nb::class_<LookAhead>(m, "LookAhead", "Moves of a batch played on with the hands as dealt, until a judge values what is left.")
        .def(nb::init<std::shared_ptr<const Network>, std::shared_ptr<const Network>, const ruleplay::Weights&>(), "network"_a,
             "judge"_a, "weights"_a, "network plays for all seats; judge, an open network, values the end.")
        .def("values", &look_ahead, "batch"_a, "rows"_a, "depth"_a,
             "What moves (rows of observe) are worth to the seat to move after so many decisions more: the chance to win, or points, by "
             "what the deal is played for.");
    m.def("landlord_stakes", &stakes_of, "network"_a, "rules"_a, "weights"_a, "hands"_a, "bottoms"_a,
          "Of each deal three numbers: stakes that the landlord wins when the first, second, third seat is landlord, the network playing "
          "all seats for points.");
    nb::class_<Hint>(m, "Hint", "What something else makes of a move: a tree search.")
        .def("__init__", [](Hint* self, const Move& move, double value, double weight, bool is_candidate) {
            new (self) Hint{move, value, weight, is_candidate};
        }, "move"_a, "value"_a, "weight"_a, "is_candidate"_a,
           "value: in the unit of the results; weight: counts as so many worlds; is_candidate: played out in any case.");
    nb::class_<PlayedMove>(m, "PlayedMove")
        .def_ro("move", &PlayedMove::move)
        .def_ro("network", &PlayedMove::network, "The network's value: probability to win, or stakes of a farmer now.")
        .def_ro("value", &PlayedMove::value, "Mean result of the worlds played, the network's value and the hint counted in.")
        .def_ro("worlds", &PlayedMove::worlds, "Worlds played; 0 for a move that was no candidate.");
    nb::class_<PlayoutResult>(m, "PlayoutResult")
        .def_ro("moves", &PlayoutResult::moves, "All legal moves, best first.")
        .def_ro("playouts", &PlayoutResult::playouts)
        .def_ro("decisions", &PlayoutResult::decisions, "Decisions of the network in all playouts.");
    nb::class_<PlayoutSearcher>(m, "PlayoutSearcher", "Playouts by the network on worlds of a belief. Not for several threads at once.")
        .def(nb::init<std::shared_ptr<const Network>, std::shared_ptr<const Network>,
                      std::shared_ptr<const Network>, const Rules&, const ruleplay::Weights&>(),
             "network"_a, "player"_a, "judge"_a.none(), "rules"_a, "weights"_a,
             "network values the legal moves; player, which may be smaller, plays the worlds out; judge, an open network, values "
             "the candidates in each world.")
        .def("search",
             [](PlayoutSearcher& self, const ruleplay::Situation& situation, const handsplit::Worlds& worlds, const std::vector<Hint>& hints,
                const PlayoutSettings& settings, uint64_t seed, Budget& budget) {
                 return self.search(situation, hands_of(worlds), hints, settings, seed, budget);
             },
             "situation"_a, "worlds"_a, "hints"_a, "settings"_a, "seed"_a, "budget"_a, Release(),
             "hints add to what the network and the worlds say of a move, and may make it a candidate.");
}

}  // namespace

void bind_mcm(nb::module_& m) {
    m.attr("FEATURE_VERSION") = kFeatureVersion;
    m.attr("STATE_SIZE") = kStateSize;
    m.attr("UNTOLD_STATE_SIZE") = kUntoldStateSize;
    m.attr("MOVE_SIZE") = kMoveSize;
    m.attr("OPEN_STATE_SIZE") = kOpenRows.state;
    m.attr("OPEN_MOVE_SIZE") = kOpenRows.move;
    bind_layout(m);
    bind_samples(m);
    bind_counts(m);
    bind_positions(m);
    bind_batch(m);
    bind_network(m);
    m.def("estimated_turns", &estimated_turns, "hand"_a, "Turns a hand needs when nobody interferes, bombs kept whole.");
    bind_playouts(m);
}

}  // namespace mingpai::bind
