#include "native/selfplay/features.hpp"

#include <algorithm>
#include <cstring>

namespace mingpai::selfplay {

using namespace doudizhu;
using namespace layout;

namespace {

// Sets one place out of `places`; a larger value sets the last.
void set_one(uint8_t* row, int value, int places) { row[std::min(value, places - 1)] = 1; }

struct MainPart {
    int copies;
    bool is_chain;
};

MainPart main_part(Type type) {
    switch (type) {
        case Type::Single: return {1, false};
        case Type::Pair: return {2, false};
        case Type::Triple:
        case Type::TripleSingle:
        case Type::TriplePair: return {3, false};
        case Type::Straight: return {1, true};
        case Type::PairStraight: return {2, true};
        case Type::Airplane:
        case Type::AirplaneSingles:
        case Type::AirplanePairs: return {3, true};
        case Type::FourSingles:
        case Type::FourPairs:
        case Type::Bomb: return {4, false};
        case Type::FourStraight:
        case Type::FourStraightSingles:
        case Type::FourStraightPairs: return {4, true};
        case Type::Pass:
        case Type::Rocket: break;
    }
    return {0, false};
}

RankMask at_least(Hand hand, int copies) {
    switch (copies) {
        case 1: return at_least1(hand);
        case 2: return at_least2(hand);
        case 3: return at_least3(hand);
        default: return at_least4(hand);
    }
}

int bombs_in(Hand cards) { return core::popcount(at_least4(cards)) + (holds(cards, kRocketCards) ? 1 : 0); }

void write_older(const Play& play, uint8_t* row) {
    const int known = std::min<int>(play.moves, kRecentMoves);
    for (int back = kFullMoves; back < known; ++back, row += kOlderMove) {
        for (int rank = 0; rank < kRanks; ++rank) row[rank] = static_cast<uint8_t>(count_of(play.recent[back], rank));
        row[kRanks] = play.recent[back] == 0;
    }
}

void write_last(const Play& play, int next, uint8_t* row) {
    set_one(row + kLastType, static_cast<int>(play.last.type), kTypes);
    if (!play.last.is_pass()) {
        set_one(row + kLastRank, play.last.rank, kRanks);
        set_one(row + kLastLength, play.last.length - 1, kLengths);
    }
    row[kLastOwner + (play.owner == kNobody ? 0 : play.owner == next ? 1 : 2)] = 1;
}

}  // namespace

void write_thermometer(Hand cards, uint8_t* row) {
    for (RankMask ranks = at_least1(cards); ranks; ranks &= ranks - 1) {
        const int rank = core::lowest(ranks);
        if (rank > kTwo) {
            row[4 * (kTwo + 1) + rank - kSmallJoker] = 1;
        } else {
            std::memset(row + 4 * rank, 1, count_of(cards, rank));
        }
    }
}

int higher_unseen(Hand unseen, const Move& move) {
    const MainPart main = main_part(move.type);
    if (main.copies == 0) return 0;
    const RankMask ranks = at_least(unseen, main.copies);
    const int same_kind = core::popcount(above(main.is_chain ? run_starts(ranks, move.length) : ranks, move.rank));
    return same_kind + (move.type == Type::Bomb && holds(unseen, kRocketCards) ? 1 : 0);
}

Hand Situation::unseen() const { return play.deck - play.played[0] - play.played[1] - play.played[2] - hand; }

void Situation::write_state(uint8_t* row, int hand_turns) const {
    const int me = play.turn, next = next_role(me), previous = previous_role(me);
    const int around[kRoles] = {me, next, previous};
    const Hand hidden = unseen();
    std::memset(row, 0, kStateSize);
    write_thermometer(hand, row + kHand);
    write_thermometer(hidden, row + kUnseen);
    for (int i = 0; i < kRoles; ++i) {
        write_thermometer(play.played[around[i]], row + kPlayed + i * kThermometer);
        if (const int left = play.cards_left(around[i]); left > 0) row[kCardsLeft + i * kHandSizes + left - 1] = 1;
    }
    for (int back = 0; back < kFullMoves; ++back) write_thermometer(play.recent[back], row + kRecent + back * kThermometer);
    write_thermometer(play.bottom, row + kBottom);
    write_last(play, next, row);
    set_one(row + kBombs, play.bombs, kBombCounts);
    row[kRole + me] = 1;
    set_one(row + kTurns, hand_turns, kTurnCounts);
    uint8_t* passed = row + kPassed;
    for (const int other : {next, previous}) {
        passed[play.passed_single[other]] = 1;
        passed[kPassedRanks + play.passed_pair[other]] = 1;
        passed += 2 * kPassedRanks;
    }
    write_older(play, row + kOlder);
    set_one(row + kUnseenBombs, bombs_in(hidden), kBombCounts);
    row[kForPoints] = objective == Objective::Points;
}

void Situation::write_move(const Move& move, Hand hidden, int hand_turns, int rest_turns, uint8_t* row) const {
    const Hand rest = hand - move.cards;
    const int left = card_count(rest);
    std::memset(row, 0, kMoveSize);
    write_thermometer(move.cards, row + kCards);
    write_thermometer(rest, row + kRest);
    row[kType + static_cast<int>(move.type)] = 1;
    if (!move.is_pass()) {
        row[kRank + move.rank] = 1;
        set_one(row + kLength, move.length - 1, kLengths);
        set_one(row + kHigher, higher_unseen(hidden, move), kHigherCounts);
    }
    set_one(row + kRestSize, left, kHandSizes);
    set_one(row + kRestTurns, rest_turns, kTurnCounts);
    row[kTurnChange + std::clamp(rest_turns - hand_turns, -1, kTurnChanges - 2) + 1] = 1;
    row[kGoesOut] = left == 0;
    row[kIsBomb] = move.is_bomb();
}

}  // namespace mingpai::selfplay
