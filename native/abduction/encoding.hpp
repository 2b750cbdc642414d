// Table 1 of the abductive method as rows of bytes: what a seat sees, the last plays, and (for a judge in training only)
// the open hands.
//
// Seats are numbered from the viewer: himself, next, partner, previous. Cards are copies of each of the 54 kinds.
#pragma once
#include "native/abduction/open_plan.hpp"

namespace mingpai::abduction {

inline constexpr int kEncodingVersion = 2;

// --- the flat part ------------------------------------------------------------------------------------------------------
inline constexpr int kLevelAt = 0;                                    // one-hot rank of the level
inline constexpr int kSeatAt = kLevelAt + guandan::kRanks;            // one-hot seat at the table
inline constexpr int kWildAt = kSeatAt + guandan::kSeats;             // one-hot number of wild cards held
inline constexpr int kHandAt = kWildAt + guandan::kCopies + 1;        // own cards
inline constexpr int kLeftAt = kHandAt + guandan::kKinds;             // of each seat: one-hot number of cards left
inline constexpr int kPlayedAt = kLeftAt + guandan::kSeats * guandan::kKinds;  // of each seat: cards played
inline constexpr int kFlatSize = kPlayedAt + guandan::kSeats * guandan::kKinds;
static_assert(kFlatSize == 506);

// --- the sequence part: the last plays, oldest first, zeros before the first -----------------------------------------------
inline constexpr int kHistory = 7;
inline constexpr int kMoveSize = guandan::kKinds + guandan::kSeats;  // cards, one-hot mover
inline constexpr int kSequenceSize = kHistory * kMoveSize;
static_assert(kMoveSize == 58);

// --- the scene: what table 1 says of the trick, once more and in the terms of options --------------------------------------
// The play to beat (type, strength, size, owner; a pass when leading), few cards left at each other seat (one-hot), and the unseen
// copies of each rank in order of strength (a one for each). The counted part comes last, so that a network can do without.
inline constexpr int kFewLeft = 12, kMostCopies = guandan::kSuits * guandan::kCopies;
inline constexpr int kSceneAt = kFlatSize + kSequenceSize;
inline constexpr int kSeenSize = guandan::kPlayTypes + guandan::kOrders + guandan::kMaxBomb + 1 + guandan::kSeats + (guandan::kSeats - 1) * (kFewLeft + 1);
inline constexpr int kSceneSize = kSeenSize + guandan::kOrders * kMostCopies;

inline constexpr int kRowSize = kSceneAt + kSceneSize;

// --- the open row: ones and zeros -----------------------------------------------------------------------------------------
// Of each seat: ranks held (without wild cards) 1, 2 .. kMostGroup times or more, jokers, wild cards, cards left (one-hot), what
// the open plan of the hand costs (a one for every third of a lead above kLowestCost), in how few plays it can be played out,
// bombs, and its place among those who are out. Then the play to beat as a pseudo-action, its owner (the last place: leading),
// and the level. Suits are left out: what they are good for is in the plans, and without them far fewer rounds teach more.
inline constexpr int kOpenVersion = 2;
inline constexpr int kMostGroup = 6, kCostSteps = 36, kMostTurns = 16, kMostBombs = 6;
inline constexpr float kLowestCost = -4.0f, kCostStep = 1 / 3.0f;
inline constexpr int kOpenSeatSize = kMostGroup * guandan::kRanks + 3 * guandan::kCopies + guandan::kHandSize + 1 + kCostSteps +
                                     kMostTurns + kMostBombs + guandan::kSeats - 1;
inline constexpr int kOpenSize = guandan::kSeats * kOpenSeatSize + guandan::kPseudoActions + guandan::kSeats + 1 + guandan::kRanks;

// Writes kRowSize bytes: flat part, sequence, scene.
void encode(const guandan::Round& round, int seat, uint8_t* row);
// Writes kOpenSize bytes; shows hidden cards.
void encode_open(const guandan::Round& round, int seat, const OpenPlans& plans, uint8_t* row);

// What ABLN estimates: the hands of the three other seats, from the next one on.
inline constexpr int kOthers = guandan::kSeats - 1;
inline constexpr int kEstimateSize = kOthers * guandan::kKinds;
// Writes the true hands, kEstimateSize bytes.
void encode_hidden(const guandan::Round& round, int seat, uint8_t* row);

}  // namespace mingpai::abduction
