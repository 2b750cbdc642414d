#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "native/bind/parts.hpp"
#include "native/handsplit/endings.hpp"
#include "native/handsplit/search.hpp"
#include "native/handsplit/uct.hpp"
#include "native/ruleplay/duel.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::handsplit;
using mingpai::core::Budget;
using mingpai::core::Rng;

namespace mingpai::bind {
namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;

// A simulation adds at most one node: this many take some 100 MB.
constexpr int64_t kMostSimulations = 2'000'000;

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
        .def_rw("depth", &SearchSettings::depth)
        .def_rw("exploration", &SearchSettings::exploration)
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
    nb::class_<UctSettings>(m, "UctSettings", "The settings of the paper's own search; see native/handsplit/uct.hpp.")
        .def(nb::init<>())
        .def_rw("simulations", &UctSettings::simulations)
        .def_rw("slack", &UctSettings::slack)
        .def_rw("exploration", &UctSettings::exploration)
        .def_rw("score_weight", &UctSettings::score_weight);
    m.def(
        "uct_search",
        [](const Situation& situation, const Splitter& splitter, const std::vector<std::pair<Move, float>>& moves,
           const UctSettings& settings, uint64_t seed, Budget& budget) {
            if (settings.simulations < 1 || settings.simulations > kMostSimulations) {
                throw std::invalid_argument("simulations must be between 1 and 2,000,000");
            }
            std::vector<ScoredMove> scored;
            for (const auto& [move, score] : moves) scored.push_back({move, score});
            return uct_search(situation, splitter, scored, settings, seed, budget);
        },
        "situation"_a, "splitter"_a, "moves"_a, "settings"_a, "seed"_a, "budget"_a, Release(),
        "MCTSHS as the paper prints it, among the moves given with their scores, or among all LessSplit candidates.");
    nb::class_<Searcher>(m, "Searcher", "MCTSHS with its caches. Not for several threads at once.")
        .def(nb::init<const Rules&, const Weights&>(), "rules"_a, "weights"_a)
        .def("candidates", &Searcher::candidates, "situation"_a, "settings"_a, "LessSplit candidates, best prior first.")
        .def("search", &Searcher::search, "situation"_a, "worlds"_a.none(), "settings"_a, "seed"_a, "budget"_a, Release(),
             "Without worlds they are drawn fresh and uniform.")
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

}  // namespace

void bind_handsplit(nb::module_& m) {
    bind_search(m);
    bind_inference(m);
    bind_endings(m);
}

}  // namespace mingpai::bind
