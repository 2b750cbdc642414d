// The tensor of the paper's policy network: 29 planes of 15 x 15 bytes for a decision, all 0 or 1. A plane has a row for
// each y and a column for each rank; its address is out[(plane * 15 + y) * 15 + rank].
//
//   y 0-3    thermometer of the count of the rank
//   y 4-13   in which part of the move the rank stands (enum PlaneRow)
//   y 14     the whole row is set when the move was the landlord's
//
//   plane 0-2    what the seat to move, the next, the previous played before the last 8 rounds: counts only
//   plane 3-26   the last 8 rounds, the oldest first, three planes each: own move, the next's, the previous'; so in order of play
//   plane 27     the move to beat; empty when leading
//   plane 28     the hand of the seat to move: counts only
//
// Planes, rows 0-3 and row 14 are the paper's. Ours: which types rows 4-13 stand for (the paper says only that a card takes part
// in one), that row 14 is set across all ranks, that a pass is an empty plane but for row 14, and that plane 27, printed as the
// play of this round, is the one to beat.
//
// A candidate is shown to the network as a plane of the same rows, with four more below: a thermometer of the hand it leaves.
#pragma once
#include <cstdint>
#include <span>

#include "native/mcm/table.hpp"

namespace mingpai::mcm {

inline constexpr int kPlaneRounds = 8;
inline constexpr int kPlaneMoves = kPlaneRounds * kRoles;
inline constexpr int kEarlierPlane = 0;
inline constexpr int kMovePlane = kEarlierPlane + kRoles;
inline constexpr int kToBeatPlane = kMovePlane + kPlaneMoves;
inline constexpr int kHandPlane = kToBeatPlane + 1;
inline constexpr int kPlanes = kHandPlane + 1;

enum PlaneRow {
    kCountRows = 0,
    kSingleRow = 4,
    kPairRow,
    kTripleRow,
    kStraightRow,
    kPairStraightRow,
    kAirplaneRow,
    kBombRow,
    kRocketRow,
    kFourWithTwoRow,
    kKickerRow,
    kLandlordRow,
    kPlaneRows,
};
static_assert(kPlanes == 29 && kPlaneRows == doudizhu::kRanks, "the paper's 15 x 15 x 29");

inline constexpr int kPlaneSize = kPlaneRows * doudizhu::kRanks;
inline constexpr int kTensorSize = kPlanes * kPlaneSize;

inline constexpr int kLeftRow = kPlaneRows;  // of a candidate: what is left of the hand, by count
inline constexpr int kCandidateRows = kLeftRow + 4;
inline constexpr int kCandidateSize = kCandidateRows * doudizhu::kRanks;

// Writes kTensorSize bytes for the decision of `role`, holding `hand`, after `history` (all moves of the deal).
void write_planes(int role, Hand hand, std::span<const Move> history, uint8_t* out);

// Writes kCandidateSize bytes for a move that `role` might make from `hand`.
void write_candidate(int role, Hand hand, const Move& move, uint8_t* out);

}  // namespace mingpai::mcm
