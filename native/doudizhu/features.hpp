// What one seat sees, as arrays of small numbers. A change of the layout needs a new version.
#pragma once
#include <cstdint>

#include "native/doudizhu/state.hpp"

namespace mingpai::doudizhu {

inline constexpr int kFeatureVersion = 1;

// Cards of an observation, each as counts of 15 ranks.
enum Plane : int {
    kMyHand,
    kUnseenCards,     // cards whose place the seat does not know
    kMyPlayed,        // what the seat has played
    kNextPlayed,      // the seat after it
    kPreviousPlayed,  // the seat before it
    kBottom,          // bottom cards, once face up
    kKnownOfLandlord,  // bottom cards the landlord must still hold
    kToBeat,          // the move to beat
    kPlanes,
};

// Further numbers of an observation.
enum Fact : int {
    kPhase,           // 0 bidding, 1 play, 2 over
    kRole,            // 0 landlord, 1 down, 2 up; 255 while bidding
    kMyCards,         // cards left
    kNextCards,
    kPreviousCards,
    kToBeatType,      // Type of the move to beat
    kToBeatRank,
    kToBeatLength,
    kToBeatOwner,     // whose it is: 0 mine, 1 of the next seat, 2 of the previous one; 255 when leading
    kBombs,           // bombs and rockets played
    kBid,             // highest bid
    kFacts,
};

inline constexpr const char* kPlaneNames[] = {"hand",   "unseen",           "played", "next_played", "previous_played",
                                              "bottom", "known_of_landlord", "to_beat"};
inline constexpr const char* kFactNames[] = {"phase",        "role",         "cards",          "next_cards",
                                             "previous_cards", "to_beat_type", "to_beat_rank", "to_beat_length",
                                             "to_beat_owner",  "bombs",        "bid"};
static_assert(std::size(kPlaneNames) == kPlanes && std::size(kFactNames) == kFacts);

// Writes kPlanes * kRanks counts and kFacts numbers.
void write_observation(const View& view, uint8_t* planes, uint8_t* facts);

}  // namespace mingpai::doudizhu
