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
// High cards of a hand: one for each joker and 2, two more for each bomb and for the rocket.
int bid_strength(Hand hand);
// The bid that the strength is worth: 3 from 6, 2 from 5, 1 from 4 (also a call, a rob), and nothing below.
int wanted_bid(Hand hand);
// Bids what the hand is worth, if nobody has bid as much.
int greedy_bid(const State& state);

// Plays a deal to its end. Returns the number of bids and moves made.
int play_out(State& state, const std::array<Policy, kSeats>& policies, core::Rng& rng, MoveList& scratch);

}  // namespace mingpai::doudizhu
