#include "native/mcm/planes.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "native/doudizhu/move.hpp"

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

uint8_t* place(uint8_t* plane, int row, int rank) { return plane + row * kRanks + rank; }

void write_counts(Hand cards, uint8_t* plane, int row = kCountRows) {
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(cards, rank); ++copy) *place(plane, row + copy, rank) = 1;
    }
}

int body_row(Type type) {
    constexpr int kGroupRows[] = {kRocketRow, kSingleRow, kPairRow, kTripleRow, kFourWithTwoRow};
    constexpr int kChainRows[] = {kRocketRow, kStraightRow, kPairStraightRow, kAirplaneRow, kFourWithTwoRow};
    if (type == Type::Bomb) return kBombRow;
    const Shape shape = shape_of(type);
    return (shape.is_chain() ? kChainRows : kGroupRows)[shape.copies];
}

void write_move(const Move& move, int role, uint8_t* plane) {
    if (!move.is_pass()) {
        write_counts(move.cards, plane);
        const int row = body_row(move.type);
        const Hand body = move.body(), kickers = move.cards - body;
        for (int rank = 0; rank < kRanks; ++rank) {
            if (count_of(body, rank)) *place(plane, row, rank) = 1;
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
            write_move(move, role_back(back), plane(kToBeatPlane - 1 - back));
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

void write_candidate(int role, Hand hand, const Move& move, uint8_t* out) {
    std::memset(out, 0, kCandidateSize);
    write_move(move, role, out);
    write_counts(hand - move.cards, out, kLeftRow);
}

}  // namespace mingpai::mcm
