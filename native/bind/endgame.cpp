#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "native/bind/parts.hpp"
#include "native/endgame/brute.hpp"
#include "native/endgame/solver.hpp"
#include "native/endgame/strategy.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::endgame;
using mingpai::core::Budget;

namespace mingpai::bind {
namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;

// True, False or None: nanobind's optional.
std::optional<bool> known(Answer answer) {
    return answer == Answer::kUnknown ? std::nullopt : std::optional(answer == Answer::kWon);
}

nb::list plies_of(const std::vector<Ply>& line) {
    nb::list out;
    for (const Ply& ply : line) out.append(nb::make_tuple(ply.seat, ply.move));
    return out;
}

// A number that is no seat becomes none, which find_fault tells.
uint8_t seat_of(int number) { return number >= 0 && number < kMaxPlayers ? static_cast<uint8_t>(number) : doudizhu::kNobody; }

void check(const Position& position, const Rules& rules) {
    if (const char* fault = find_fault(position, rules)) throw nb::value_error(fault);
}

void check_follows(const Engine& engine, const Position& position) {
    bool follows = position.players == engine.root().players;
    for (int seat = 0; seat < position.players; ++seat) {
        follows = follows && doudizhu::holds(engine.root().hands[seat], position.hands[seat]);
    }
    if (!follows) throw nb::value_error("the position does not follow from the root");
}

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position", "Open cards: seat 0 is the landlord, 1 the next farmer, 2 the one before him.")
        .def(
            "__init__",
            [](Position* self, const std::vector<Hand>& hands, int turn, const Move& last, int last_by) {
                if (hands.size() != 2 && hands.size() != 3) throw nb::value_error("two or three hands");
                Position position;
                position.players = static_cast<int>(hands.size());
                std::copy(hands.begin(), hands.end(), position.hands.begin());
                position.turn = seat_of(turn);
                position.last = last;
                position.owner = seat_of(last_by);
                new (self) Position(position);
            },
            "hands"_a, "turn"_a = 0, "last"_a = Move{}, "last_by"_a = 0)
        .def_prop_ro("hands",
                     [](const Position& p) { return std::vector<Hand>(p.hands.begin(), p.hands.begin() + p.players); })
        .def_ro("players", &Position::players)
        .def_ro("turn", &Position::turn)
        .def_ro("last", &Position::last, "The move to beat; a pass when the seat to move leads.")
        .def_ro("last_by", &Position::owner)
        .def_prop_ro("is_over", &Position::is_over)
        .def_prop_ro("has_landlord_won", &Position::has_landlord_won, "Only when over.")
        .def("after", &Position::after, "move"_a, "The position once a legal move has been made.")
        .def(
            "legal_moves",
            [](const Position& self, const Rules& rules) {
                static thread_local MoveList list;
                self.legal_moves(rules, list);
                return std::vector<Move>(list.begin(), list.end());
            },
            "rules"_a)
        .def("find_fault",
             [](const Position& self, const Rules& rules) -> std::optional<std::string_view> {
                 const char* fault = find_fault(self, rules);
                 return fault ? std::optional<std::string_view>(fault) : std::nullopt;
             },
             "rules"_a, nb::sig("def find_fault(self, rules: mingpai._native.doudizhu.Rules) -> str | None"),
             "What a position must be and is not; None if nothing is wrong.");
    m.def("random_position", &random_position, "players"_a, "max_cards"_a, "seed"_a,
          "Hands of one to max_cards cards, often of few ranks; any seat leads.");
}

void bind_solving(nb::module_& m) {
    nb::class_<Pruning>(m, "Pruning", "The pruning rules; each can be switched off.")
        .def(
            "__init__",
            [](Pruning* self, bool finish, bool gap, bool kickers, bool canonical, bool ranges, bool control, bool raised,
               int raised_cards, bool staged) {
                new (self) Pruning{finish, gap, kickers, canonical, ranges, control, raised, raised_cards, staged};
            },
            "finish"_a = true, "gap"_a = true, "kickers"_a = true, "canonical"_a = true, "ranges"_a = true, "control"_a = true,
            "raised"_a = true, "raised_cards"_a = Pruning{}.raised_cards, "staged"_a = false);
    nb::class_<JudgeMaker>(m, "JudgeMaker", "Makes judges that tell a proof where to look first.")
        .def("knows", &JudgeMaker::knows, "players"_a);
    nb::class_<ProofSettings>(m, "ProofSettings", "How a guided proof works; results do not depend on it.")
        .def(
            "__init__",
            [](ProofSettings* self, uint64_t leaf_nodes, float trust, float least, float others, float card) {
                new (self) ProofSettings{leaf_nodes, trust, least, others, card};
            },
            "leaf_nodes"_a = ProofSettings{}.leaf_nodes, "trust"_a = ProofSettings{}.trust, "least"_a = ProofSettings{}.least,
            "others"_a = ProofSettings{}.others, "card"_a = ProofSettings{}.card);
    nb::enum_<Ask>(m, "Ask", "What a solution must tell.")
        .value("FIRST", Ask::kFirst, "The first winning move in root order.")
        .value("ANY", Ask::kAny, "The winning move found first.")
        .value("ALL", Ask::kAll, "The verdict of every move.");
    nb::enum_<Stop>(m, "Stop", "Why something that was asked is not known.")
        .value("NONE", Stop::kNone, "All of it is.")
        .value("MEMORY", Stop::kMemory)
        .value("NODES", Stop::kNodes)
        .value("TIME", Stop::kTime)
        .value("CANCELLED", Stop::kCancelled);
    nb::class_<Result>(m, "Result", "What the solver found out.")
        .def_prop_ro("landlord_wins", [](const Result& r) { return known(r.landlord_wins); }, "None: not proved.")
        .def_prop_ro("moves",
                     [](const Result& r) {
                         nb::list out;
                         for (const RootMove& move : r.moves) out.append(nb::make_tuple(move.move, known(move.answer)));
                         return out;
                     },
                     nb::sig("def moves(self) -> list[tuple[mingpai._native.doudizhu.Move, bool | None]]"),
                     "Every legal move in the order tried, and whether it wins for the side to move (None: not known).")
        .def_prop_ro("lines",
                     [](const Result& r) {
                         nb::list out;
                         for (const RootMove& move : r.moves) out.append(plies_of(move.line));
                         return out;
                     },
                     nb::sig("def lines(self) -> list[list[tuple[int, mingpai._native.doudizhu.Move]]]"),
                     "With values: for every move of `moves` itself and the shortest forced win after it; empty where none was found.")
        .def_prop_ro("line", [](const Result& r) { return plies_of(r.line); },
                     nb::sig("def line(self) -> list[tuple[int, mingpai._native.doudizhu.Move]]"),
                     "Seats and moves of one line: the winners play to win.")
        .def_ro("is_line_shortest", &Result::is_line_shortest, "No forced win is shorter.")
        .def_ro("stopped_by", &Result::stopped_by, "Why the verdict, or with Ask.ALL a move, is not known.")
        .def_ro("nodes", &Result::nodes)
        .def_ro("leaves", &Result::leaves, "Leaves of the guided proof; 0 when it was not needed.")
        .def_ro("seconds", &Result::seconds)
        .def_ro("bytes", &Result::bytes, "Size of the table and the tree at the end.");
    m.def(
        "solve",
        [](const Position& position, const Rules& rules, Budget& budget, Ask ask, int threads, size_t memory, bool line,
           bool shortest, const Pruning& pruning, uint64_t first_round, const JudgeMaker* judges, uint64_t short_run,
           const ProofSettings& proof, bool values) {
            check(position, rules);
            nb::gil_scoped_release release;
            const Options options{ask, threads, memory, line, shortest, values, pruning, first_round, judges, short_run, proof};
            return solve(position, rules, options, budget);
        },
        "position"_a, "rules"_a, "budget"_a, "ask"_a = Ask::kFirst, "threads"_a = 1, "memory"_a = size_t{256} << 20,
        "line"_a = true, "shortest"_a = false, "pruning"_a = Pruning{}, "first_round"_a = Options{}.first_round,
        "judges"_a = nb::none(), "short_run"_a = Options{}.short_run, "proof"_a = ProofSettings{}, "values"_a = false,
        "first_round: without judges, nodes for each root move before any gets more and before other threads join. short_run: with "
        "judges, nodes of the plain search before the guided proof.");

    nb::class_<Engine>(m, "Engine", "Answers many questions about positions that follow from one root.")
        .def(
            "__init__",
            [](Engine* self, size_t memory, const JudgeMaker* judges, const Pruning& pruning) {
                new (self) Engine(memory, pruning, judges);
            },
            "memory"_a = size_t{64} << 20, "judges"_a = nb::none(), "pruning"_a = Pruning{}, nb::keep_alive<1, 3>())
        .def("prove",
             [](Engine& self, const Position& position, Budget& budget) {
                 check_follows(self, position);
                 nb::gil_scoped_release release;
                 return known(self.prove(position, budget));
             },
             "position"_a, "budget"_a, "Does the landlord win? None when the budget did not suffice.")
        .def("set_root",
             [](Engine& self, const Position& root, const Rules& rules) {
                 check(root, rules);
                 self.set_root(root, rules);
             },
             "root"_a, "rules"_a, "Forgets the last root and everything learnt about it.")
        .def("landlord_wins",
             [](Engine& self, const Position& position, uint64_t nodes, Budget& budget) {
                 check_follows(self, position);
                 nb::gil_scoped_release release;
                 return known(self.solve(position, nodes, budget));
             },
             "position"_a, "nodes"_a, "budget"_a, "None when so many nodes did not suffice.")
        .def("only_winning_move",
             [](Engine& self, const Position& position, uint64_t nodes, Budget& budget) {
                 check_follows(self, position);
                 nb::gil_scoped_release release;
                 return self.only_winning_move(position, nodes, budget);
             },
             "position"_a, "nodes"_a, "budget"_a,
             "The move that alone wins; None if none or several do, or so many nodes for a move did not suffice.");
}

void bind_strategy(nb::module_& m) {
    nb::class_<Strategy>(m, "Strategy", "A winning move for every position the winners can be brought to.")
        .def_static("build",
                    [](const Position& root, const Rules& rules, bool landlord_wins, Budget& budget, size_t memory,
                       size_t max_positions) {
                        check(root, rules);
                        nb::gil_scoped_release release;
                        return Strategy::build(root, rules, landlord_wins, memory, max_positions, budget);
                    },
                    "root"_a, "rules"_a, "landlord_wins"_a, "budget"_a, "memory"_a = size_t{256} << 20,
                    "max_positions"_a = size_t{5'000'000}, "None when a limit was reached.")
        .def_static("read",
                    [](const Position& root, const Rules& rules, bool landlord_wins, nb::bytes data) {
                        check(root, rules);
                        const auto* begin = reinterpret_cast<const uint8_t*>(data.c_str());
                        const std::vector<uint8_t> bytes(begin, begin + data.size());
                        nb::gil_scoped_release release;
                        return Strategy::read(root, rules, landlord_wins, bytes);
                    },
                    "root"_a, "rules"_a, "landlord_wins"_a, "data"_a,
                    "None unless the bytes are a winning strategy: reading walks all defences.")
        .def("write",
             [](const Strategy& self) {
                 const std::vector<uint8_t> bytes = self.write();
                 return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
             })
        .def("reply", &Strategy::reply, "position"_a, "The winners' move; None where the strategy never comes.")
        .def("__len__", &Strategy::size, "Positions with a reply.");
}

void bind_checking(nb::module_& m) {
    nb::class_<CheckReport>(m, "CheckReport", "Solver against brute force.")
        .def_ro("positions", &CheckReport::positions, "Roots compared.")
        .def_ro("states", &CheckReport::states, "Inner states compared.")
        .def_ro("skipped", &CheckReport::skipped, "Left out: brute force took too long.")
        .def_ro("mismatches", &CheckReport::mismatches)
        .def_ro("example", &CheckReport::example, "The smallest mismatch.");
    m.def(
        "cross_check",
        [](int players, uint64_t count, int max_cards, uint64_t seed, const Rules& rules, const Pruning& pruning, Budget& budget,
           uint64_t brute_limit) {
            nb::gil_scoped_release release;
            return cross_check({players, count, max_cards, seed, brute_limit}, rules, pruning, budget);
        },
        "players"_a, "count"_a, "max_cards"_a, "seed"_a, "rules"_a, "pruning"_a, "budget"_a,
        "brute_limit"_a = uint64_t{5'000'000}, "Random positions and states inside them, solved by the search and by brute force.");
    m.def(
        "brute_force",
        [](const Position& position, const Rules& rules, uint64_t limit) {
            check(position, rules);
            nb::gil_scoped_release release;
            return known(BruteForce(rules).solve(position, limit));
        },
        "position"_a, "rules"_a, "limit"_a = uint64_t{5'000'000}, "Does the landlord win? No table, no pruning.");
}

}  // namespace

void bind_endgame(nb::module_& m) {
    bind_position(m);
    bind_solving(m);
    bind_strategy(m);
    bind_checking(m);
}

}  // namespace mingpai::bind
