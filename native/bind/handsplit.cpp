#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>

#include "native/bind/parts.hpp"
#include "native/handsplit/duel.hpp"
#include "native/handsplit/endings.hpp"
#include "native/handsplit/playouts.hpp"
#include "native/handsplit/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::handsplit;
using mingpai::core::Budget;
using mingpai::core::Rng;

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

nb::dict dict_of(const Weights& weights) {
    nb::dict out;
    for (const WeightName& weight : kWeightNames) out[weight.name] = weights.*weight.field;
    return out;
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

void bind_worth(nb::module_& m) {
    nb::class_<Weights>(m, "Weights", "Weights of the fast rule player. Without arguments those of RHCP.")
        .def("__init__", [](Weights* self, const nb::dict& values) { new (self) Weights(weights_of(values)); },
             "values"_a = nb::dict())
        .def("to_dict", &dict_of, nb::sig("def to_dict(self) -> dict[str, float]"));
    nb::class_<Evaluator>(m, "Evaluator", "The worth of hands.")
        .def("__init__",
             [](Evaluator* self, const Rules& rules, const Weights& weights) { new (self) Evaluator(rules, weights); }, "rules"_a,
             "weights"_a)
        .def("value", [](Evaluator& self, Hand hand) { return self.worth(checked(hand)).value; }, "hand"_a,
             "The best sum of the values of the parts of a partition.")
        .def("is_one_move", [](Evaluator& self, Hand hand) { return self.worth(checked(hand)).is_one_move; }, "hand"_a)
        .def(
            "best_partition",
            [](Evaluator& self, Hand hand) {
                Partition partition;
                self.best_partition(checked(hand), partition);
                return std::vector<Move>(partition.parts.begin(), partition.parts.begin() + partition.size);
            },
            "hand"_a, "The partition of greatest value.");
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

void bind_inference(nb::module_& m) {
    nb::class_<PlayerModel>(m, "PlayerModel", "How the others are taken to play.")
        .def(
            "__init__",
            [](PlayerModel* self, float temperature, float noise, float tempering) {
                new (self) PlayerModel{temperature, noise, tempering};
            },
            "temperature"_a = PlayerModel{}.temperature, "noise"_a = PlayerModel{}.noise,
            "tempering"_a = PlayerModel{}.tempering)
        .def_ro("temperature", &PlayerModel::temperature)
        .def_ro("noise", &PlayerModel::noise)
        .def_ro("tempering", &PlayerModel::tempering);
    nb::class_<Particles>(m, "Particles", "Worlds kept from move to move.")
        .def(nb::init<uint64_t, int, const PlayerModel&, bool>(), "seed"_a, "count"_a, "model"_a, "uniform"_a = false)
        .def(
            "update",
            [](Particles& self, const Situation& situation, Searcher& searcher, Budget& budget) {
                return self.update(situation, searcher.policy(), budget);
            },
            "situation"_a, "searcher"_a, "budget"_a, Release(), "The weighted worlds of a situation.")
        .def_prop_ro("kept", &Particles::kept, "Particles whose likelihood was carried on at the last update.");
    nb::class_<Worlds>(m, "Worlds", "Weighted worlds. Immutable.")
        .def("__len__", &Worlds::size)
        .def("first_hand", &Worlds::first_hand, "index"_a, "The hand of the role that plays next.")
        .def("weight", &Worlds::weight, "index"_a)
        .def(
            "draw",
            [](const Worlds& self, uint64_t seed, int count) {
                Rng rng(seed);
                std::vector<int> out;
                for (int i = 0; i < count; ++i) out.push_back(self.draw(rng));
                return out;
            },
            "seed"_a, "count"_a, "Indices drawn by weight.")
        .def_prop_ro("effective_size", &Worlds::effective_size)
        .def("expected_first", &Worlds::expected_first, "Expected cards of each rank of the role that plays next.")
        .def(
            "log_ratio",
            [](const Worlds& self, const Situation& situation, Hand first_hand, Searcher& searcher) {
                return self.log_ratio(situation, first_hand, searcher.policy());
            },
            "situation"_a, "first_hand"_a, "searcher"_a, "How much likelier than uniform a world is, as a logarithm.");
}

void bind_search(nb::module_& m) {
    nb::class_<SearchSettings>(m, "SearchSettings", "The settings of the tree search; see native/handsplit/search.hpp.")
        .def(nb::init<>())
        .def_rw("iterations", &SearchSettings::iterations)
        .def_rw("threads", &SearchSettings::threads)
        .def_rw("slack", &SearchSettings::slack)
        .def_rw("width", &SearchSettings::width)
        .def_rw("tree_width", &SearchSettings::tree_width)
        .def_rw("depth", &SearchSettings::depth)
        .def_rw("exploration", &SearchSettings::exploration)
        .def_rw("prior_temperature", &SearchSettings::prior_temperature)
        .def_rw("prior_floor", &SearchSettings::prior_floor)
        .def_rw("points", &SearchSettings::points)
        .def_rw("sees_world", &SearchSettings::sees_world)
        .def_rw("early_stop", &SearchSettings::early_stop)
        .def_rw("confidence", &SearchSettings::confidence);
    nb::class_<RootMove>(m, "RootMove", "A candidate of the root.")
        .def_ro("move", &RootMove::move)
        .def_ro("prior", &RootMove::prior)
        .def_ro("visits", &RootMove::visits)
        .def_ro("value", &RootMove::value, "Mean result for the side to move.");
    nb::class_<SearchResult>(m, "SearchResult", "What a search found.")
        .def_ro("moves", &SearchResult::moves, "Candidates, most visited first.")
        .def_ro("iterations", &SearchResult::iterations)
        .def_ro("nodes", &SearchResult::nodes)
        .def_ro("stopped_early", &SearchResult::stopped_early);
    nb::class_<Searcher>(m, "Searcher", "MCTSHS with its caches. Not for several threads at once.")
        .def(nb::init<const Rules&, const Weights&>(), "rules"_a, "weights"_a)
        .def("candidates", &Searcher::candidates, "situation"_a, "settings"_a, "LessSplit candidates, best prior first.")
        .def(
            "search",
            [](Searcher& self, const Situation& situation, const Worlds* worlds, const SearchSettings& settings, uint64_t seed,
               Budget& budget, const std::optional<std::vector<float>>& priors) {
                return self.search(situation, worlds, settings, seed, budget, priors ? &*priors : nullptr);
            },
            "situation"_a, "worlds"_a.none(), "settings"_a, "seed"_a, "budget"_a, "priors"_a = nb::none(), Release(),
            "Without worlds they are drawn fresh and uniform. `priors` replaces those of `candidates`, in their order.")
        .def(
            "roll_outs",
            [](Searcher& self, int deals, int each, int cards_left, uint64_t seed) {
                int64_t won = 0, count = 0;
                for (int deal = 0; deal < deals; ++deal) {
                    Rng rng(core::stream_seed(seed, static_cast<uint64_t>(deal)));
                    World world = shuffled_world(rng);
                    const auto cards = [&] { return world.counts[0] + world.counts[1] + world.counts[2]; };
                    while (!world.is_over() && cards() > cards_left) world.play(self.policy().move(world, false));
                    MoveList legal;
                    doudizhu::legal_moves(world.hands[world.turn], world.last, self.policy().rules(), legal);
                    for (int i = 0; i < each && !world.is_over(); ++i, ++count) {
                        World copy = world;
                        copy.play(legal[static_cast<int>(rng.below(static_cast<uint32_t>(legal.size())))]);
                        self.policy().roll_out(copy, true);
                        won += copy.landlord_won();
                    }
                }
                return std::pair<int64_t, int64_t>(count, won);
            },
            "deals"_a, "each"_a, "cards_left"_a, "seed"_a, Release(),
            "Complete roll-outs, `each` from a random move of a position with at most `cards_left` cards: (made, landlord's wins).");
}

// The solver of an agent with its table, kept from decision to decision.
class EndingProver {
  public:
    explicit EndingProver(size_t memory) : engine_(memory) {}

    std::optional<Ending> prove(const Situation& situation, const Worlds* worlds, const std::vector<Move>& candidates,
                                const EndingSettings& settings, Searcher& searcher, Budget& budget) {
        return prove_ending(situation, worlds, candidates, settings, searcher.policy(), engine_, budget);
    }

  private:
    endgame::Engine engine_;
};

void bind_endings(nb::module_& m) {
    nb::class_<EndingSettings>(m, "EndingSettings", "When endings are proved; see native/handsplit/endings.hpp.")
        .def(nb::init<>())
        .def_rw("max_worlds", &EndingSettings::max_worlds)
        .def_rw("max_cards", &EndingSettings::max_cards)
        .def_rw("nodes", &EndingSettings::nodes)
        .def_rw("all_nodes", &EndingSettings::all_nodes);
    nb::class_<Proved>(m, "Proved", "What is proved of a candidate.")
        .def_ro("move", &Proved::move)
        .def_ro("won", &Proved::won, "Probability of the worlds in which it wins.")
        .def_ro("plies", &Proved::plies, "Mean length of a roll-out after it, where it wins.");
    nb::class_<Ending>(m, "Ending", "Every candidate proved in every world.")
        .def_ro("moves", &Ending::moves, "The most probable win first, ties by the shorter one.")
        .def_ro("worlds", &Ending::worlds)
        .def_ro("nodes", &Ending::nodes);
    nb::class_<EndingProver>(m, "EndingProver", "The endgame solver of an agent.")
        .def(nb::init<size_t>(), "memory"_a)
        .def("prove", &EndingProver::prove, "situation"_a, "worlds"_a.none(), "candidates"_a, "settings"_a, "searcher"_a,
             "budget"_a, Release(), "None unless everything is proved.");
}

void bind_playouts(nb::module_& m) {
    nb::class_<ReadingSettings>(m, "ReadingSettings", "How the network reads the belief again.")
        .def(nb::init<>())
        .def_rw("worlds", &ReadingSettings::worlds, "Worlds that are read again; 0 leaves the belief as it is.")
        .def_rw("temperature", &ReadingSettings::temperature, "Of the softmax over the network's values, in logits.")
        .def_rw("noise", &ReadingSettings::noise, "Share of moves that follow no value.")
        .def_rw("tempering", &ReadingSettings::tempering, "Exponent of the network's likelihood.")
        .def_rw("kept", &ReadingSettings::kept, "Exponent of the weight that the belief had given.");
    nb::class_<Reader>(m, "Reader", "The others' moves as the network would have chosen them. Not for several threads at once.")
        .def(nb::init<std::shared_ptr<const selfplay::Network>>(), "network"_a)
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
        .def_rw("plays_out", &PlayoutSettings::plays_out, "False: the network, the hints and the judge decide.")
        .def_rw("clear", &PlayoutSettings::clear, "Standard errors of the paired difference that drop a candidate.")
        .def_rw("points", &PlayoutSettings::points, "Maximise points instead of the probability to win.")
        .def_rw("threads", &PlayoutSettings::threads)
        .def_rw("reading", &PlayoutSettings::reading, "How the belief is read again before.");
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
    nb::class_<DealtPlayouts>(m, "DealtPlayouts", "What comes of moves at the tables of a batch when the dealt hands are played out.")
        .def(nb::init<std::shared_ptr<const selfplay::Network>, const Rules&, const Weights&>(), "player"_a, "rules"_a, "weights"_a)
        .def("results", [](DealtPlayouts& self, const selfplay::Batch& batch, const std::vector<int>& tables, const std::vector<int>& moves) {
            if (tables.size() != moves.size()) throw nb::value_error("moves: expected one for each of tables");
            std::vector<TableMove> asked;
            for (size_t i = 0; i < tables.size(); ++i) {
                const bool is_known = tables[i] >= 0 && tables[i] < batch.tables() && moves[i] >= 0 &&
                                      moves[i] < static_cast<int>(batch.moves(tables[i]).size());
                if (!is_known) throw nb::value_error("moves: no such move at a table");
                asked.push_back({tables[i], moves[i]});
            }
            core::Budget budget;
            nb::gil_scoped_release release;
            return self.results(batch, asked, budget);
        }, "batch"_a, "tables"_a, "moves"_a,
           "For moves[i], by its place among the legal ones, at tables[i]: the chance to win or the stakes of a farmer now, as the "
           "table is played for, of the side that moves.");
    nb::class_<PlayoutSearcher>(m, "PlayoutSearcher", "Playouts by the network on worlds of a belief. Not for several threads at once.")
        .def(nb::init<std::shared_ptr<const selfplay::Network>, std::shared_ptr<const selfplay::Network>,
                      std::shared_ptr<const selfplay::Network>, const Rules&, const Weights&>(),
             "network"_a, "player"_a, "judge"_a.none(), "rules"_a, "weights"_a,
             "network values the legal moves; player, which may be smaller, plays the worlds out; judge, an open network, values "
             "the candidates in each world.")
        .def("search", &PlayoutSearcher::search, "situation"_a, "worlds"_a, "hints"_a, "settings"_a, "seed"_a, "budget"_a, Release(),
             "hints add to what the network and the worlds say of a move, and may make it a candidate.");
}

}  // namespace

void bind_handsplit(nb::module_& m) {
    bind_split(m);
    bind_worth(m);
    bind_situation(m);
    bind_players(m);
    bind_search(m);
    bind_inference(m);
    bind_endings(m);
    bind_playouts(m);
}

}  // namespace mingpai::bind
