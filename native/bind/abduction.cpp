#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "native/abduction/consistency.hpp"
#include "native/abduction/tables.hpp"
#include "native/abduction/worlds.hpp"
#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::abduction;
using mingpai::core::Rng;
namespace guandan = mingpai::guandan;

namespace mingpai::bind {
namespace {

template <class T>
using Given = Array<const T, 1>;

template <class T>
nb::ndarray<nb::numpy, T> column(const std::vector<T>& values, size_t rows, size_t width = 0) {
    return width ? copied<T>(values, {rows, width}) : copied<T>(values, {rows});
}

using Weights = std::array<float, kRules>;

void check_turn(const guandan::Round& round) {
    if (round.phase() != guandan::Phase::Play) throw nb::value_error("the seat to move has no pseudo-action: tribute, or the round is over");
}

Estimate estimate_of(const Given<double>& values) {
    if (values.shape(0) != kEstimateSize) throw nb::value_error("an estimate has 162 numbers");
    Estimate out;
    std::copy(values.data(), values.data() + kEstimateSize, out.begin());
    return out;
}
nb::ndarray<nb::numpy, double> estimate_array(const Estimate& estimate) { return copied<double>(estimate, {kEstimateSize}); }

void check_player(int player) {
    const bool native = player >= guandan::kRandomPlayer && player <= guandan::kRuleBots + guandan::kSparringBots;
    if (!native && (player < kNetwork || player > kNetwork + 7)) throw nb::value_error("players are 0 (random), 1..4 (rule bots), 5..7 (rule4 that weighs otherwise) and 8..15 (networks)");
}
TableSettings settings_of(int tables, uint64_t seed, const std::string& profile, const Weights& weights, bool facts, float gamma, float lambda) {
    const guandan::Profile* rules = guandan::find_profile(profile.c_str());
    if (!rules) throw nb::value_error("no such rule profile");
    if (tables < 1) throw nb::value_error("one table or more");
    return {tables, seed, rules, weights, facts, false, gamma, lambda};
}

nb::tuple observe(const Tables& t, bool with_open, bool with_hidden) {
    const auto n = static_cast<size_t>(t.waiting()), m = static_cast<size_t>(t.option_count());
    auto rows = new_array<uint8_t>({n, kRowSize});
    auto open = new_array<uint8_t>({with_open ? n : 0, kOpenSize});
    auto hidden = new_array<uint8_t>({with_hidden ? n : 0, kEstimateSize});
    auto pseudo = new_array<uint8_t>({m});
    auto facts = new_array<float>({m, kFacts});
    auto marks = new_array<uint8_t>({m, kMarks});
    uint8_t* const open_data = with_open ? open.data() : nullptr;
    uint8_t* const hidden_data = with_hidden ? hidden.data() : nullptr;
    {
        nb::gil_scoped_release release;
        t.observe(rows.data(), open_data, hidden_data, pseudo.data(), facts.data(), marks.data());
    }
    return nb::make_tuple(rows, open, hidden, pseudo, facts, marks);
}

nb::tuple look_ahead(const Tables& t, Given<int32_t> options) {
    const size_t m = options.shape(0);
    for (size_t i = 0; i < m; ++i) {
        const int32_t before = i ? options.data()[i - 1] : -1;
        if (options.data()[i] <= before || options.data()[i] >= t.option_count()) throw nb::value_error("places among all options, rising");
    }
    auto open = new_array<uint8_t>({m, kOpenSize});
    auto sign = new_array<float>({m});
    auto score = new_array<float>({m});
    {
        nb::gil_scoped_release release;
        t.look_ahead({options.data(), m}, open.data(), sign.data(), score.data());
    }
    return nb::make_tuple(open, sign, score);
}

void play(Tables& t, Given<int32_t> choices, const std::optional<Given<float>>& log_prob, const std::optional<Given<float>>& values,
          const std::optional<Given<float>>& worth, bool facts) {
    const auto n = static_cast<size_t>(t.waiting());
    if (choices.shape(0) != n) throw nb::value_error("one choice for each waiting table");
    if (log_prob.has_value() != values.has_value()) throw nb::value_error("log-probabilities and values come together");
    if (log_prob && (log_prob->shape(0) != n || values->shape(0) != n)) throw nb::value_error("one number for each waiting table");
    if (worth && static_cast<int>(worth->shape(0)) != t.option_count()) throw nb::value_error("one worth for each option");
    for (size_t i = 0; i < n; ++i) {
        const int count = t.offsets()[i + 1] - t.offsets()[i];
        if (choices.data()[i] < 0 || choices.data()[i] >= count) throw nb::value_error("a choice that is none of the options");
    }
    nb::gil_scoped_release release;
    t.play({choices.data(), n}, log_prob ? log_prob->data() : nullptr, values ? values->data() : nullptr,
           worth ? worth->data() : nullptr, facts);
}

int checked_seat(int seat) {
    if (seat < 0 || seat >= guandan::kSeats) throw nb::value_error("a seat is 0..3");
    return seat;
}

// Hands that a seat may be facing, and the seed that they were drawn with.
struct Worlds {
    std::vector<Hands> hands;
    uint64_t seed;
};

void bind_worlds(nb::module_& m) {
    nb::class_<Worlds>(m, "Worlds", "Hands that agree with what the seat to move knows.")
        .def("__init__", [](Worlds* self, const guandan::Round& round, const std::optional<Given<double>>& estimate, int count, uint64_t seed) {
                 if (round.is_over()) throw nb::value_error("the round is over");
                 if (count < 1) throw nb::value_error("one world or more");
                 const std::optional<Estimate> by = estimate ? std::optional(estimate_of(*estimate)) : std::nullopt;
                 nb::gil_scoped_release release;
                 std::vector<Hands> drawn = draw_worlds(round, by, count, seed);
                 if (drawn.empty()) throw nb::value_error("no deal agrees with the knowledge");
                 new (self) Worlds{std::move(drawn), seed};
             }, "round"_a, "estimate"_a.none(), "count"_a, "seed"_a, "Drawn by an estimate, or uniformly.")
        .def_static("of", [](const guandan::Round& round) {
            return Worlds{{round.status().hands}, 0};
        }, "round"_a, "The hands of a round as they are: one world.")
        .def("__len__", [](const Worlds& worlds) { return worlds.hands.size(); })
        .def("__getitem__", [](const Worlds& worlds, size_t i) {
            if (i >= worlds.hands.size()) throw nb::index_error();
            return worlds.hands[i];
        }, "index"_a)
        .def("redrawn", [](const Worlds& worlds, const guandan::Round& round, const std::optional<Given<double>>& estimate, const std::vector<int>& kept,
                           int each, uint64_t seed) {
            if (round.is_over() || each < 1) throw nb::value_error("a round that goes on, and one world or more");
            unsigned bits = 0;
            for (int seat : kept) bits |= 1U << checked_seat(seat);
            const std::optional<Estimate> by = estimate ? std::optional(estimate_of(*estimate)) : std::nullopt;
            nb::gil_scoped_release release;
            return Worlds{redraw_worlds(round, by, worlds.hands, bits, each, seed), worlds.seed};
        }, "round"_a, "estimate"_a.none(), "kept"_a, "each"_a, "seed"_a,
             "So many for each, itself first, the others with the hands of some seats kept and the rest dealt anew.")
        .def("take", [](const Worlds& worlds, Given<int32_t> which) {
            Worlds out{{}, worlds.seed};
            for (size_t i = 0; i < which.shape(0); ++i) {
                if (which.data()[i] < 0 || static_cast<size_t>(which.data()[i]) >= worlds.hands.size()) throw nb::index_error();
                out.hands.push_back(worlds.hands[static_cast<size_t>(which.data()[i])]);
            }
            return out;
        }, "which"_a, "Some of them, in this order.");
}

void bind_tables(nb::module_& m) {
    nb::class_<Samples>(m, "Samples", "Decisions of finished rounds; options are ragged.")
        .def("__len__", &Samples::size)
        .def("clear", &Samples::clear)
        .def("take", [](Samples& s) {
            const size_t n = s.size(), options = s.pseudo.size();
            nb::tuple out = nb::make_tuple(
                column(s.rows, n, kRowSize), column(s.open, n, kOpenSize), column(s.hidden, n, kEstimateSize),
                column(s.offsets, n + 1), column(s.pseudo, options), column(s.facts, s.facts.size() / kFacts, kFacts),
                column(s.marks, s.marks.size() / kMarks, kMarks), column(s.worth, options),
                column(s.choice, n), column(s.log_prob, n), column(s.value, n), column(s.advantage, n), column(s.score, n), column(s.left, n));
            s.clear();
            return out;
        }, "All columns as arrays (rows, open, hidden, offsets, pseudo, facts, marks, worth, choice, log_prob, value, advantage, score, left); clears.");
    nb::class_<TableCounts>(m, "TableCounts")
        .def_ro("rounds", &TableCounts::rounds, "Finished rounds.")
        .def_ro("decisions", &TableCounts::decisions, "Choices of networks among more than one option.")
        .def_ro("moves", &TableCounts::moves, "All plays.")
        .def_ro("points", &TableCounts::points, "Sum of the scores of team 0.");
    nb::class_<Finished>(m, "Finished", "A finished match from the first player's side.")
        .def_ro("pair", &Finished::pair)
        .def_prop_ro("swapped", [](const Finished& f) { return f.swapped != 0; })
        .def_ro("score", &Finished::score);
    nb::class_<Tables>(m, "Tables", "Many tables side by side; those that wait for a network are asked for together.")
        .def("__init__", [](Tables* self, const std::vector<std::array<int, 2>>& players, uint64_t seed, const Weights& weights,
                            const std::string& profile, bool facts, float gamma, float lambda, uint8_t blind) {
                 for (const auto& pair : players) {
                     for (int player : pair) check_player(player);
                     if (pair[0] < kNetwork && pair[1] < kNetwork) throw nb::value_error("endless tables need a network");
                 }
                 TableSettings settings = settings_of(static_cast<int>(players.size()), seed, profile, weights, facts, gamma, lambda);
                 settings.blind = blind;
                 new (self) Tables(settings, players);
             }, "players"_a, "seed"_a, "weights"_a, "profile"_a = "huaian2017", "facts"_a = true, "gamma"_a = 0.996f, "lam"_a = 0.98f, "blind"_a = 0,
             "`blind`: networks (bits) whose facts are found as if no card had been seen.")
        .def_static("matches", [](const std::array<int, 2>& players, int first, int pairs, uint64_t seed, const Weights& weights,
                                  const std::string& profile, bool facts, uint8_t blind) {
            for (int player : players) check_player(player);
            TableSettings settings = settings_of(pairs, seed, profile, weights, facts, 1, 1);
            settings.blind = blind;
            return Tables(settings, players, first, pairs);
        }, "players"_a, "first"_a, "pairs"_a, "seed"_a, "weights"_a, "profile"_a = "huaian2017", "facts"_a = true, "blind"_a = 0,
                    "Whole matches, two for each pair with the seats swapped and the same cards round by round. In the exchange rule4 gives.")
        .def_static("rounds", [](const std::vector<guandan::Round>& rounds, const std::array<int, 2>& players, uint64_t seed, const Weights& weights,
                                 bool exchange, uint8_t varied) {
            for (int player : players) check_player(player);
            if (rounds.empty()) throw nb::value_error("one round or more");
            TableSettings settings = settings_of(static_cast<int>(rounds.size()), seed, rounds.front().profile().name, weights, true, 1, 1);
            settings.exchange = exchange;
            settings.varied = varied;
            return Tables(settings, rounds, players);
        }, "rounds"_a, "players"_a, "seed"_a, "weights"_a, "exchange"_a = false, "varied"_a = 0,
                    "Each of these rounds on to its end. `exchange`: networks are asked in the exchange too. `varied`: networks (bits) that choose "
                    "among VARIANTS concrete plays of each pseudo-action.")
        .def_static("playouts", [](const guandan::Round& round, const std::vector<guandan::Play>& plays, const Worlds& worlds, const Weights& weights,
                                   bool facts, const std::array<int, 2>& players) {
            for (int player : players) check_player(player);
            if (round.is_over()) throw nb::value_error("the round is over");
            for (const guandan::Play& play : plays) {
                if (const char* why = round.why_illegal(play)) throw nb::value_error(why);
            }
            if (worlds.hands.empty() || plays.empty()) throw nb::value_error("one world and one play or more");
            nb::gil_scoped_release release;
            std::vector<guandan::Round> positions;
            for (const Hands& hands : worlds.hands) {
                const guandan::Round world = round.with_hands(hands);
                for (const guandan::Play& play : plays) {
                    positions.push_back(world);
                    positions.back().apply(play);
                    positions.back().forget();
                }
            }
            return Tables({static_cast<int>(positions.size()), worlds.seed, &round.profile(), weights, facts, false, 1, 1}, positions, players);
        }, "round"_a, "plays"_a, "worlds"_a, "weights"_a, "facts"_a = true, "players"_a = std::array<int, 2>{kNetwork, kNetwork},
                    "One table for each world and play (worlds outermost), after the play, be it in the tricks or in the exchange.")
        .def_static("look_back", [](const guandan::Round& round, const Worlds& worlds, int plays, const Weights& weights, const std::vector<int>& seats) {
            check_turn(round);
            unsigned bits = 0;
            for (int seat : seats) bits |= 1U << checked_seat(seat);
            if (worlds.hands.empty() || plays < 1) throw nb::value_error("one world and one play or more");
            nb::gil_scoped_release release;
            const Hindsight past = look_back(round, worlds.hands, plays, bits);
            Tables tables({static_cast<int>(past.positions.size()), 0, &round.profile(), weights, true, false, 1, 1}, past.positions);
            std::vector<int32_t> chosen;
            for (int i = 0; i < tables.waiting(); ++i) {
                const auto& options = tables.options(i).pseudo;
                chosen.push_back(static_cast<int32_t>(std::find(options.begin(), options.end(), past.played[static_cast<size_t>(i)]) - options.begin()));
            }
            nb::gil_scoped_acquire acquire;
            const size_t n = past.positions.size();
            return nb::make_tuple(std::move(tables), column(past.world, n), column(past.step, n), column(chosen, n));
        }, "round"_a, "worlds"_a, "plays"_a, "weights"_a, "seats"_a,
                    "(tables, world, step, place): a table for each of the last `plays` decisions of some seats in each world, as it was then; the "
                    "world it is of, which of those decisions it is (oldest first), and the place of what was really played among its options. "
                    "Decisions with one option are left out.")
        .def_static("joined", [](const std::vector<const Tables*>& parts) {
            if (parts.empty()) throw nb::value_error("at least one part");
            for (const Tables* part : parts) {
                if (static_cast<int>(part->scores().size()) != part->size()) throw nb::value_error("only tables that play one round can be joined");
            }
            return Tables::joined(parts);
        }, "parts"_a, "All tables of some that play one round each, in order.")
        .def("scores", [](const Tables& t) { return copied<int8_t>(t.scores(), {static_cast<size_t>(t.scores().size())}); },
             "Scores of team 0 at tables that play one round; OPEN while they go on.")
        .def("places", [](const Tables& t) { return copied<int32_t>(t.places(), {static_cast<size_t>(t.waiting())}); },
             "The table that each waiting one is.")
        .def("turns", [](const Tables& t) {
            auto out = new_array<int32_t>({static_cast<size_t>(t.waiting())});
            for (int i = 0; i < t.waiting(); ++i) out.data()[i] = t.round(i).turn();
            return out;
        }, "The seat to move at each waiting table.")
        .def("exchanges", [](const Tables& t) {
            auto out = new_array<bool>({static_cast<size_t>(t.waiting())});
            for (int i = 0; i < t.waiting(); ++i) out.data()[i] = t.in_exchange(i);
            return out;
        }, "Whether each waiting table is in the exchange: its options are cards to give.")
        .def("plays", [](const Tables& t, int i) {
            if (i < 0 || i >= t.waiting()) throw nb::index_error();
            return t.options(i).plays;
        }, "waiting"_a, "The concrete play of each option of a waiting table.")
        .def("__len__", &Tables::size)
        .def_prop_ro("waiting", &Tables::waiting, "Tables that wait for a network; 0 when all matches are over.")
        .def("networks", [](const Tables& t) { return copied<int32_t>(t.networks(), {static_cast<size_t>(t.waiting())}); },
             "The network that each waiting table asks.")
        .def("offsets", [](const Tables& t) { return copied<int32_t>(t.offsets(), {static_cast<size_t>(t.waiting()) + 1}); })
        .def("round", [](const Tables& t, int i) {
            if (i < 0 || i >= t.waiting()) throw nb::index_error();
            return guandan::Round(t.round(i));
        }, "waiting"_a, "A copy of the round of a waiting table.")
        .def("observe", &observe, "open"_a = false, "hidden"_a = false, "(rows, open, hidden, pseudo, facts, marks) of the waiting tables.")
        .def("inform", [](Tables& t, Given<int32_t> waiting, Array<const float, 2> estimates) {
            if (estimates.shape(0) != waiting.shape(0) || estimates.shape(1) != kEstimateSize) throw nb::value_error("an estimate for each table");
            for (size_t i = 0; i < waiting.shape(0); ++i) {
                const int w = waiting.data()[i];
                if (w < 0 || w >= t.waiting() || t.in_exchange(w)) throw nb::value_error("no such table that waits in the tricks");
            }
            nb::gil_scoped_release release;
            t.inform({waiting.data(), waiting.shape(0)}, estimates.data());
        }, "waiting"_a, "estimates"_a, "Finds the facts of some waiting tables anew, by an estimate of the hands for each.")
        .def("advise", [](Tables& t, int player) {
            if (player < 0 || player > guandan::kRuleBots) throw nb::value_error("players are 0 (random) and 1..4 (rule bots)");
            auto out = new_array<int32_t>({static_cast<size_t>(t.waiting())});
            t.advise(player, out.data());
            return out;
        }, "player"_a, "What a native player would choose at each waiting table; -1: none of the options.")
        .def("branches", [](const Tables& t, Given<int32_t> waiting, Given<int32_t> options) {
            const size_t n = waiting.shape(0);
            if (options.shape(0) != n || n == 0) throw nb::value_error("one option for each waiting table, and at least one");
            for (size_t i = 0; i < n; ++i) {
                const int w = waiting.data()[i];
                if (w < 0 || w >= t.waiting()) throw nb::value_error("no such waiting table");
                const int count = t.offsets()[w + 1] - t.offsets()[w];
                if (options.data()[i] < 0 || options.data()[i] >= count) throw nb::value_error("a choice that is none of the options");
            }
            nb::gil_scoped_release release;
            return t.branches({waiting.data(), n}, {options.data(), n});
        }, "waiting"_a, "options"_a, "A table for each of these options, after it and with the same hands; networks play it on.")
        .def("look_ahead", &look_ahead, "options"_a, "(open rows, sign, score) of the positions after some options, places among all of them.")
        .def("play", &play, "choices"_a, "log_prob"_a = nb::none(), "values"_a = nb::none(), "worth"_a = nb::none(), "facts"_a = true)
        .def_prop_ro("samples", [](Tables& t) -> Samples& { return t.samples(); }, nb::rv_policy::reference_internal)
        .def_prop_ro("counts", &Tables::counts, nb::rv_policy::copy)
        .def_prop_ro("finished", &Tables::finished, nb::rv_policy::copy);
}

}  // namespace

void bind_abduction(nb::module_& m) {
    m.attr("ENCODING_VERSION") = kEncodingVersion;
    m.attr("FLAT_SIZE") = kFlatSize;
    m.attr("HISTORY") = kHistory;
    m.attr("MOVE_SIZE") = kMoveSize;
    m.attr("ROW_SIZE") = kRowSize;
    m.attr("OPEN_SIZE") = kOpenSize;
    m.attr("OPEN_VERSION") = kOpenVersion;
    m.attr("ESTIMATE_SIZE") = kEstimateSize;
    m.attr("HAND_AT") = kHandAt;
    m.attr("LEFT_AT") = kLeftAt;
    m.attr("PLAYED_AT") = kPlayedAt;
    m.attr("FACTS") = kFacts;
    m.attr("MARKS") = kMarks;
    m.attr("SCENE_AT") = kSceneAt;
    m.attr("SEEN_SIZE") = kSeenSize;
    m.attr("SCENE_SIZE") = kSceneSize;
    m.attr("RULES") = kRules;
    m.attr("NETWORK") = kNetwork;
    m.attr("VARIANTS") = kVariants;
    m.attr("OPEN") = static_cast<int>(kOpen);
    m.def("fact_names", [] { return std::vector<std::string>(std::begin(kFactNames), std::end(kFactNames)); });
    m.def("rule_names", [] { return std::vector<std::string>(std::begin(kRuleNames), std::end(kRuleNames)); },
          "Names of the soft rules, in the order of weights and measures.");
    m.def("encode", [](const guandan::Round& round, int seat) {
        if (seat < 0 || seat >= guandan::kSeats) throw nb::value_error("a seat is 0..3");
        auto out = new_array<uint8_t>({kRowSize});
        encode(round, seat, out.data());
        return out;
    }, "round"_a, "seat"_a, "Table 1 for a seat: the flat part, then the last plays.");
    m.def("encode_open", [](const guandan::Round& round) {
        check_turn(round);
        auto out = new_array<uint8_t>({kOpenSize});
        encode_open(round, round.turn(), OpenPlans(round), out.data());
        return out;
    }, "round"_a, "The open row of the seat to move: what the judge reads, all hands as they are.");
    m.def("measures", [](const guandan::Cards& hand, int level, const guandan::Play& play) {
        if (!hand.contains(play.cards)) throw nb::value_error("the cards of the play are not all in the hand");
        return Judge(hand, level).measures(play);
    }, "hand"_a, "level"_a, "play"_a, "How much a play breaks each soft rule.");
    m.def("options", [](const guandan::Round& round, const Weights& weights, bool facts, int variants) {
        check_turn(round);
        Options options;
        {
            nb::gil_scoped_release release;
            list_options(round, weights, options, variants);
            if (facts) add_facts(round, options);
        }
        return nb::make_tuple(column(options.pseudo, options.size()), column(options.facts, options.facts.size() / kFacts, kFacts),
                              column(options.marks, options.marks.size() / kMarks, kMarks), options.plays);
    }, "round"_a, "weights"_a, "facts"_a = true, "variants"_a = 1,
          "(pseudo-actions, facts, marks, concrete plays) of the seat to move; `variants`: plays of each pseudo-action at the most.");
    m.def("plan_cost", [](const guandan::Cards& hand, int level) {
        if (level < 0 || level >= guandan::kRanks) throw nb::value_error("a level is 0..12");
        return guandan::plan_cost(hand, level);
    }, "hand"_a, "level"_a, "What the plan of a hand costs, in leads that must be gained elsewhere.");
    m.def("project", [](const guandan::Knowledge& knowledge, Given<double> estimate) {
        const Consistent set(knowledge);
        return estimate_array(project(set, estimate_of(estimate)));
    }, "knowledge"_a, "estimate"_a, "The nearest estimate that agrees with the knowledge.");
    m.def("counted", [](const guandan::Knowledge& knowledge) { return estimate_array(counted(Consistent(knowledge))); }, "knowledge"_a,
          "The estimate of counting alone: unseen copies by room in the hands.");
    m.def("violation", [](const guandan::Knowledge& knowledge, Given<double> estimate) { return Consistent(knowledge).violation(estimate_of(estimate)); },
          "knowledge"_a, "estimate"_a, "Largest amount by which an estimate contradicts the knowledge.");
    nb::class_<EstimateSampler>(m, "EstimateSampler", "Worlds that agree with the knowledge, drawn by an estimate.")
        .def("__init__", [](EstimateSampler* self, const guandan::Knowledge& knowledge, Given<double> estimate) {
                 new (self) EstimateSampler(knowledge, estimate_of(estimate));
             }, "knowledge"_a, "estimate"_a)
        .def("sample", [](const EstimateSampler& s, Rng& rng) {
            if (!s.is_possible()) throw nb::value_error("no deal agrees with the knowledge");
            return s.sample(rng);
        }, "rng"_a);
    bind_worlds(m);
    bind_tables(m);
}

}  // namespace mingpai::bind
