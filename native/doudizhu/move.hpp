// A move of Dou Dizhu: the cards and how they are read.
#pragma once
#include <cstdint>

#include "native/doudizhu/cards.hpp"

namespace mingpai::doudizhu {

enum class Type : uint8_t {
    Pass,
    Single,
    Pair,
    Triple,
    TripleSingle,
    TriplePair,
    Straight,
    PairStraight,
    Airplane,
    AirplaneSingles,
    AirplanePairs,
    FourSingles,
    FourPairs,
    Bomb,
    Rocket,
    FourStraight,         // fours of consecutive ranks; no bomb (profile botzone)
    FourStraightSingles,  // each four carries two singles
    FourStraightPairs,    // each four carries two pairs
};
inline constexpr int kTypes = 18;

inline constexpr int kMinStraight = 5;
inline constexpr int kMinPairStraight = 3;
inline constexpr int kMinAirplane = 2;
inline constexpr int kMinFourStraight = 2;

struct Move {
    Hand cards = 0;
    Type type = Type::Pass;
    uint8_t rank = 0;    // lowest rank of the main part (the triple, the chain, the four); 13 for the rocket
    uint8_t length = 0;  // ranks in the main part: 1 unless a chain; 0 for a pass
    uint8_t size = 0;    // number of cards

    bool is_pass() const { return type == Type::Pass; }
    bool is_bomb() const { return type == Type::Bomb || type == Type::Rocket; }
    friend bool operator==(const Move&, const Move&) = default;
};
static_assert(sizeof(Move) == 16);

// True when `move` may be played on `last`, which is no pass.
constexpr bool beats(const Move& move, const Move& last) {
    if (move.type == Type::Pass || last.type == Type::Rocket) return false;
    if (move.type == Type::Rocket) return true;
    if (move.type == Type::Bomb && last.type != Type::Bomb) return true;
    return move.type == last.type && move.length == last.length && move.rank > last.rank;
}

}  // namespace mingpai::doudizhu
