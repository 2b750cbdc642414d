#include "native/mcm/planes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "native/doudizhu/move.hpp"

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

uint8_t* place(uint8_t* plane, int row, int rank) { return plane + row * kRanks + rank; }

void write_counts(Hand cards, uint8_t* plane) {
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(cards, rank); ++copy) *place(plane, kCountRows + copy, rank) = 1;
    }
}

struct Main {
    int row;
    int copies;
};

Main main_of(Type type) {
    switch (type) {
        case Type::Single: return {kSingleRow, 1};
        case Type::Pair: return {kPairRow, 2};
        case Type::Triple:
        case Type::TripleSingle:
        case Type::TriplePair: return {kTripleRow, 3};
        case Type::Straight: return {kStraightRow, 1};
        case Type::PairStraight: return {kPairStraightRow, 2};
        case Type::Airplane:
        case Type::AirplaneSingles:
        case Type::AirplanePairs: return {kAirplaneRow, 3};
        case Type::FourSingles:
        case Type::FourPairs:
        case Type::FourStraight:
        case Type::FourStraightSingles:
        case Type::FourStraightPairs: return {kFourWithTwoRow, 4};
        case Type::Bomb: return {kBombRow, 4};
        case Type::Rocket:
        case Type::Pass: break;
    }
    return {kRocketRow, 1};
}

void write_move(const Move& move, int role, uint8_t* plane) {
    if (!move.is_pass()) {
        write_counts(move.cards, plane);
        const Main main = main_of(move.type);
        const Hand core = move.type == Type::Rocket ? kRocketCards : chain_of(move.rank, move.length, main.copies);
        const Hand kickers = move.cards - core;
        for (int rank = 0; rank < kRanks; ++rank) {
            if (count_of(core, rank)) *place(plane, main.row, rank) = 1;
            if (count_of(kickers, rank)) *place(plane, kKickerRow, rank) = 1;
        }
    }
    if (role == kLandlord) std::memset(place(plane, kLandlordRow, 0), 1, kRanks);
}

// Index of the move to beat, counted back from the newest; -1 when leading.
int back_to_beat(std::span<const Move> history) {
    for (int back = 0; back < kRoles - 1 && back < static_cast<int>(history.size()); ++back) {
        if (!history[history.size() - 1 - back].is_pass()) return back;
    }
    return -1;
}

}  // namespace

void write_planes(int role, Hand hand, std::span<const Move> history, uint8_t* out) {
    const auto plane = [out](int index) { return out + index * kPlaneSize; };
    const int moves = static_cast<int>(history.size());
    const auto role_back = [role](int back) { return (role + 2 * (back + 1)) % kRoles; };
    std::memset(out, 0, kTensorSize);
    std::array<Hand, kRoles> earlier{};
    for (int back = 0; back < moves; ++back) {
        const Move& move = history[moves - 1 - back];
        if (back < kPlaneMoves) {
            write_move(move, role_back(back), plane(kMovePlane + back));
        } else {
            earlier[role_back(back)] += move.cards;
        }
    }
    for (int i = 0; i < kRoles; ++i) write_counts(earlier[(role + i) % kRoles], plane(kEarlierPlane + i));
    if (const int back = back_to_beat(history); back >= 0) {
        write_move(history[moves - 1 - back], role_back(back), plane(kToBeatPlane));
    }
    write_counts(hand, plane(kHandPlane));
}

}  // namespace mingpai::mcm
