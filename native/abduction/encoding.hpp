// Table 1 of the abductive method as rows of bytes: what a seat sees, the last plays, and (for a critic in training only)
// the open hands.
//
// Seats are numbered from the viewer: himself, next, partner, previous. Cards are copies of each of the 54 kinds.
#pragma once
#include "native/guandan/round.hpp"

namespace mingpai::abduction {

inline constexpr int kEncodingVersion = 1;

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

inline constexpr int kRowSize = kFlatSize + kSequenceSize;

// --- the open row: four hands, the play to beat, its owner (the last place: leading), the level, and of each hand what its plan
// costs: a one for every half lead above kLowestCost, and the ranks with a bomb ---------------------------------------------
inline constexpr int kCostSteps = 24;
inline constexpr float kLowestCost = -4.0f, kCostStep = 0.5f;
inline constexpr int kOpenSize = guandan::kSeats * (guandan::kKinds + kCostSteps + guandan::kRanks) + guandan::kKinds +
                                 guandan::kSeats + 1 + guandan::kRanks;

// Writes kRowSize bytes: flat part, then sequence.
void encode(const guandan::Round& round, int seat, uint8_t* row);
// Writes kOpenSize bytes; shows hidden cards.
void encode_open(const guandan::Round& round, int seat, uint8_t* row);

// What ABLN estimates: the hands of the three other seats, from the next one on.
inline constexpr int kOthers = guandan::kSeats - 1;
inline constexpr int kEstimateSize = kOthers * guandan::kKinds;
// Writes the true hands, kEstimateSize bytes.
void encode_hidden(const guandan::Round& round, int seat, uint8_t* row);

}  // namespace mingpai::abduction
