// Built-in policies for simulation: no memory, no allocation, chance from the caller.
#pragma once
#include "native/doudizhu/state.hpp"

namespace mingpai::doudizhu {

enum class Policy : uint8_t {
    Random,  // every legal move, every legal bid equally likely
    Greedy,  // gets rid of cards: see greedy_move
};

// The index of a move in `moves`, the legal moves of `state`.
int random_move(const MoveList& moves, core::Rng& rng);
// Goes out if it can. Leading: the most cards, then the lowest rank, bombs last. Following: the lowest move that is no bomb;
// a farmer lets his mate's move stand; otherwise it passes. Ties by the order of the list.
int greedy_move(const State& state, const MoveList& moves);
int random_bid(const State& state, core::Rng& rng);
// Bids by strength: a joker or a 2 counts one, a bomb or the rocket two more; 3 from 6, 2 from 5, 1 from 4, and nothing below;
// calls and robs from 4.
int greedy_bid(const State& state);

// Plays a deal to its end. Returns the number of bids and moves made.
int play_out(State& state, const std::array<Policy, kSeats>& policies, core::Rng& rng, MoveList& scratch);

}  // namespace mingpai::doudizhu
