// The order in which moves are tried: few turns left first, then long moves, low ranks, bombs late.
#pragma once
#include <cstdint>

#include "native/endgame/hands.hpp"

namespace mingpai::endgame {

inline constexpr int kTurnWeight = 10, kSizeWeight = 5, kBombPenalty = 30;
// A pass comes after the moves of the class to beat and before the bombs.
inline constexpr int16_t kPassScore = -1000, kBombReplyScore = -2000;
// The farmer after the landlord, who has passed, leaves his mate's move alone at first; the other one, with the landlord still
// to act, does not. A farmer leads what lets a mate with one move left go out.
inline constexpr int16_t kPassToMateScore = 1000, kFeedBonus = 200;

inline int16_t lead_score(int turns_left, const HandMove& move) {
    return static_cast<int16_t>(-kTurnWeight * turns_left + kSizeWeight * move.size - move.rank -
                                (move.cls == kBomb ? kBombPenalty : 0));
}
inline int16_t follow_score(int turns_left, int rank) { return static_cast<int16_t>(-kTurnWeight * turns_left - rank); }

}  // namespace mingpai::endgame
