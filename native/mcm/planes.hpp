// The tensor of the paper's policy network: 29 planes of 15 x 15 bytes for a decision, all 0 or 1. A plane has a row for
// each y and a column for each rank; its address is out[(plane * 15 + y) * 15 + rank].
//
//   y 0-3    thermometer of the count of the rank
//   y 4-13   in which part of the move the rank stands (enum PlaneRow)
//   y 14     the whole row is set when the move was the landlord's
//
//   plane 0-2    what the seat to move, the next, the previous played before the last 8 rounds: counts only
//   plane 3-26   the last 24 moves, newest first, so three planes for each round: previous, next, own
//   plane 27     the move to beat; empty when leading
//   plane 28     the hand of the seat to move: counts only
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

// Writes kTensorSize bytes for the decision of `role`, holding `hand`, after `history` (all moves of the deal).
void write_planes(int role, Hand hand, std::span<const Move> history, uint8_t* out);

}  // namespace mingpai::mcm
