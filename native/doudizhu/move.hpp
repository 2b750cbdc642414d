// A move of Dou Dizhu: the cards and how they are read.
#pragma once
#include <cstdint>
#include <iterator>

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

// How the moves of a type are made: a body of `copies` equal cards, of one rank or of a chain of ranks, and for each rank of the
// body `kickers` kickers of `width` cards. The pass and the rocket have no body.
struct Shape {
    uint8_t copies = 0;
    uint8_t shortest = 1;  // ranks of the shortest chain; 1: no chain
    uint8_t kickers = 0, width = 0;

    constexpr bool is_chain() const { return shortest > 1; }
    // Cards of a move with a body of `length` ranks.
    constexpr int size(int length) const { return length * (copies + kickers * width); }
};
inline constexpr Shape kShapes[] = {
    {},
    {1},
    {2},
    {3},
    {3, 1, 1, 1},
    {3, 1, 1, 2},
    {1, kMinStraight},
    {2, kMinPairStraight},
    {3, kMinAirplane},
    {3, kMinAirplane, 1, 1},
    {3, kMinAirplane, 1, 2},
    {4, 1, 2, 1},
    {4, 1, 2, 2},
    {4},
    {},
    {4, kMinFourStraight},
    {4, kMinFourStraight, 2, 1},
    {4, kMinFourStraight, 2, 2},
};
static_assert(std::size(kShapes) == kTypes);
constexpr Shape shape_of(Type type) { return kShapes[static_cast<int>(type)]; }

struct Move {
    Hand cards = 0;
    Type type = Type::Pass;
    uint8_t rank = 0;    // lowest rank of the main part (the triple, the chain, the four); 13 for the rocket
    uint8_t length = 0;  // ranks in the main part: 1 unless a chain; 0 for a pass
    uint8_t size = 0;    // number of cards

    bool is_pass() const { return type == Type::Pass; }
    bool is_bomb() const { return type == Type::Bomb || type == Type::Rocket; }
    // The cards without the kickers.
    Hand body() const {
        const Shape shape = shape_of(type);
        return shape.kickers ? chain_of(rank, length, static_cast<uint64_t>(shape.copies)) : cards;
    }
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
