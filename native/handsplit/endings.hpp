// Exact endings: when few worlds are left, every candidate is proved won or lost in each of them by the endgame solver.
#pragma once
#include <optional>
#include <vector>

#include "native/endgame/solver.hpp"
#include "native/handsplit/inference.hpp"

namespace mingpai::handsplit {

struct EndingSettings {
    int max_worlds = 24;        // possible worlds at most
    int max_cards = 24;         // cards of all three hands at most
    uint64_t nodes = 20000;     // of the solver for one candidate in one world
    uint64_t all_nodes = 400000;  // of the solver for everything
};

// What is proved of a candidate.
struct Proved {
    Move move;
    double won = 0;    // probability of the worlds in which it wins for the side to move
    double plies = 0;  // mean length of a roll-out after it, in the worlds that it wins: the shorter win is preferred
};

struct Ending {
    std::vector<Proved> moves;  // most probable win first, ties by the shorter roll-out
    int worlds = 0;
    uint64_t nodes = 0;
};

// Every hand that the next role can hold; empty when there are more than `limit`.
std::vector<Hand> possible_first_hands(const Situation& situation, int limit);

// Nothing unless all candidates are proved in all worlds within the settings and the budget. `worlds` gives the likelihood of
// each; without it all placements of the hidden cards are equally likely.
std::optional<Ending> prove_ending(const Situation& situation, const Worlds* worlds, const std::vector<Move>& candidates,
                                   const EndingSettings& settings, Policy& policy, endgame::Engine& engine,
                                   core::Budget& budget);

}  // namespace mingpai::handsplit
