// How strong each of the 1326 combinations is on a board, against one uniformly random hand.
#pragma once
#include <array>
#include <cstdint>

#include "native/core/rng.hpp"
#include "native/holdem/cards.hpp"
#include "native/holdem/evaluator.hpp"

namespace mingpai::handreading {

using holdem::CardSet;
using holdem::kCombos;

// The eleven categories of hand prediction: high cards and pairs are split into small and big ones.
enum class HandClass : uint8_t {
    kSmallHighCard, kBigHighCard, kSmallPair, kBigPair, kTwoPair, kTrips, kStraight, kFlush, kFullHouse, kQuads, kStraightFlush,
};

inline constexpr int kBigHighRank = 11;  // a high card is big from the king on
inline constexpr int kBigPairRank = 8;   // a pair is big from the ten on

// One value for each combination; 0 where a board card blocks it.
struct Strengths {
    std::array<float, kCombos> now;        // share of the pot if the hand were shown down on this board
    std::array<float, kCombos> equity;     // expected share on the full board
    std::array<float, kCombos> spread;     // standard deviation of the share on the full board: large for draws
    std::array<uint8_t, kCombos> classes;  // HandClass on this board
    std::array<uint8_t, kCombos> is_live;  // 0 where blocked
};

// `board` has none or three to five cards. `runouts` is how many completions of the board are tried, all of them when there
// are no more than that; otherwise they are drawn from `seed`. Without a board `now` is the equity.
Strengths strengths(CardSet board, int runouts, uint64_t seed);

// The class of two cards with a board of none or three to five cards.
HandClass hand_class(CardSet hand, CardSet board);

// Equity of one hand against a uniform one: exact on five cards, else from `samples` deals.
float hand_equity(CardSet hand, CardSet board, int samples, core::Rng& rng);

// Unseen cards that win the hand at least `gain` of the equity it is missing on a board of three or four.
int outs(CardSet hand, CardSet board, float gain, int samples, uint64_t seed);

}  // namespace mingpai::handreading
