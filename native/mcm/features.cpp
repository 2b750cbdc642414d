#include "native/mcm/features.hpp"

#include <algorithm>
#include <cstring>

namespace mingpai::mcm {

using namespace doudizhu;
using namespace layout;

namespace {

// One place out of `places`; a larger value is the last.
void add_one(Places& places, int first, int value, int count) { places.add(first + std::min(value, count - 1)); }

// No rank of `ranks` is above.
bool is_top(RankMask ranks, int rank) { return (ranks >> (rank + 1)) == 0; }

int count_tops(RankMask own, RankMask unseen) {
    int tops = 0;
    for (; own; own &= own - 1) tops += is_top(unseen, core::lowest(own));
    return tops;
}

// Lower ends of the bands of a chance, from the highest down; the last band is the rest.
constexpr double kBands[kChances - 1] = {0.999, 0.9, 0.7, 0.4, 0.15};

int band_of(double chance) {
    int band = 0;
    while (band < kChances - 1 && chance < kBands[band]) ++band;
    return band;
}

int losing_turns(Hand hand, Hand unseen, int turns) { return std::max(0, turns - winners_in(hand, unseen)); }

void list_older(const Play& play, Places& places) {
    const int known = std::min<int>(play.moves, kRecentMoves);
    int first = kOlder;
    for (int back = kFullMoves; back < known; ++back, first += kOlderMove) {
        for (RankMask ranks = at_least1(play.recent[back]); ranks; ranks &= ranks - 1) {
            const int rank = core::lowest(ranks);
            for (int copy = 0; copy < count_of(play.recent[back], rank); ++copy) places.add(first + rank);
        }
        if (play.recent[back] == 0) places.add(first + kRanks);
    }
}

void list_last(const Play& play, int next, Places& places) {
    add_one(places, kLastType, static_cast<int>(play.last.type), kTypes);
    if (!play.last.is_pass()) {
        add_one(places, kLastRank, play.last.rank, kRanks);
        add_one(places, kLastLength, play.last.length - 1, kLengths);
    }
    places.add(kLastOwner + (play.is_lead() ? 0 : play.owner == next ? 1 : 2));
}

}  // namespace

void Places::write(uint8_t* row, int columns) const {
    std::memset(row, 0, static_cast<size_t>(columns));
    for (const uint16_t place : *this) ++row[place];
}

void list_thermometer(Hand cards, int first, Places& places) {
    for (RankMask ranks = at_least1(cards); ranks; ranks &= ranks - 1) {
        const int rank = core::lowest(ranks);
        if (rank > kTwo) {
            places.add(first + 4 * (kTwo + 1) + rank - kSmallJoker);
        } else {
            for (int copy = 0; copy < count_of(cards, rank); ++copy) places.add(first + 4 * rank + copy);
        }
    }
}

int higher_unseen(Hand unseen, const Move& move) {
    const Shape shape = shape_of(move.type);
    if (shape.copies == 0) return 0;
    const RankMask ranks = at_least(shape.copies, unseen);
    const int same_kind = core::popcount(above(shape.is_chain() ? run_starts(ranks, move.length) : ranks, move.rank));
    return same_kind + (move.type == Type::Bomb && holds(unseen, kRocketCards) ? 1 : 0);
}

int winners_in(Hand hand, Hand unseen) {
    const bool rocket = holds(hand, kRocketCards);
    const RankMask ones = at_least1(hand), twos = at_least2(hand), threes = at_least3(hand), fours = at_least4(hand);
    const RankMask singles = rocket ? ones & ~twos & ~at_least1(kRocketCards) : ones & ~twos;
    return count_tops(singles, at_least1(unseen)) + count_tops(twos & ~threes, at_least2(unseen)) +
           count_tops(threes & ~fours, at_least3(unseen)) + core::popcount(fours) + (rocket ? 1 : 0);
}

Odds::Odds(Hand unseen, const std::array<int, kOthers>& sizes) : unseen_(unseen), sizes_(sizes) {
    const int all = sizes[0] + sizes[1];
    for (int other = 0; other < kOthers; ++other) {
        const double own = share_[other] = all ? static_cast<double>(sizes[other]) / all : 0;
        for (int of = 0; of <= kCopies; ++of) {
            // Chances of exactly so many of `of` copies, each here by its own draw.
            double exactly[kCopies + 1] = {1};
            for (int drawn = 0; drawn < of; ++drawn) {
                for (int k = drawn + 1; k > 0; --k) exactly[k] = exactly[k] * (1 - own) + exactly[k - 1] * own;
                exactly[0] *= 1 - own;
            }
            double at_least = 0;
            for (int copies = kCopies; copies >= 0; --copies) chance_[other][copies][of] = at_least += copies <= of ? exactly[copies] : 0;
        }
        for (int copies = 1; copies <= kCopies; ++copies) {
            double none = 1;
            for (int rank = kRanks - 1; rank >= 0; --rank) {
                none_above_[other][copies][rank] = none;
                none *= 1 - chance_[other][copies][count_of(unseen, rank)];
            }
        }
    }
}

double Odds::stands(int other, const Move& move) const {
    const Shape shape = shape_of(move.type);
    if (shape.copies == 0 || sizes_[other] < card_count(move.cards)) return 1;
    double none = none_above_[other][shape.copies][move.rank];
    if (shape.is_chain()) {
        none = 1;
        const RankMask starts = above(run_starts(at_least(shape.copies, unseen_), move.length), move.rank);
        for (RankMask left = starts; left; left &= left - 1) {
            double all = 1;
            const int start = core::lowest(left);
            for (int i = 0; i < move.length; ++i) all *= chance_[other][shape.copies][count_of(unseen_, start + i)];
            none *= 1 - all;
        }
    }
    if (move.type == Type::Bomb && holds(unseen_, kRocketCards)) none *= 1 - share_[other] * share_[other];
    return none;
}

void list_others(const OtherHands& others, TurnCache& turns, Places& places) {
    for (int i = 0; i < kOthers; ++i) {
        list_thermometer(others[i], kOpenHands + i * kThermometer, places);
        add_one(places, kOpenTurns + i * kTurnCounts, turns(others[i]), kTurnCounts);
        add_one(places, kOpenBombs + i * kBombCounts, bombs_in(others[i]), kBombCounts);
    }
}

void list_higher(const OtherHands& others, const Move& move, Places& places) {
    if (move.is_pass()) return;
    for (int i = 0; i < kOthers; ++i) {
        add_one(places, kOpenHigher + i * kHigherCounts, higher_unseen(others[i], move), kHigherCounts);
    }
}

Hand SeatView::unseen() const { return play.deck - play.played[0] - play.played[1] - play.played[2] - hand; }

void SeatView::list_state(Places& places, int hand_turns) const {
    const int me = play.turn, next = next_role(me), previous = previous_role(me);
    const int around[kRoles] = {me, next, previous};
    const Hand hidden = unseen();
    places.clear();
    list_thermometer(hand, kHand, places);
    list_thermometer(hidden, kUnseen, places);
    for (int i = 0; i < kRoles; ++i) {
        list_thermometer(play.played[around[i]], kPlayed + i * kThermometer, places);
        if (const int left = play.cards_left(around[i]); left > 0) places.add(kCardsLeft + i * kHandSizes + left - 1);
    }
    for (int back = 0; back < kFullMoves; ++back) list_thermometer(play.recent[back], kRecent + back * kThermometer, places);
    list_thermometer(play.bottom, kBottom, places);
    list_last(play, next, places);
    add_one(places, kBombs, play.bombs, kBombCounts);
    places.add(kRole + me);
    add_one(places, kTurns, hand_turns, kTurnCounts);
    int passed = kPassed;
    for (const int other : {next, previous}) {
        for (const uint8_t rank : play.passed[other]) {
            places.add(passed + rank);
            passed += kPassedRanks;
        }
    }
    list_older(play, places);
    add_one(places, kUnseenBombs, bombs_in(hidden), kBombCounts);
    if (objective == Objective::Points) places.add(kForPoints);
    add_one(places, kLosing, losing_turns(hand, hidden, hand_turns), kLosingCounts);
    if (!rules.counts_springs()) places.add(kNoSpring);
    if (!rules.counts_bombs()) places.add(kNoBombs);
}

Odds SeatView::odds(Hand hidden) const {
    return {hidden, {play.cards_left(next_role(play.turn)), play.cards_left(previous_role(play.turn))}};
}

void SeatView::list_move(const Move& move, Hand hidden, const Odds& odds, int hand_turns, int rest_turns, Places& places) const {
    const Hand rest = hand - move.cards;
    const int left = card_count(rest);
    places.clear();
    list_thermometer(move.cards, kCards, places);
    list_thermometer(rest, kRest, places);
    places.add(kType + static_cast<int>(move.type));
    if (!move.is_pass()) {
        places.add(kRank + move.rank);
        add_one(places, kLength, move.length - 1, kLengths);
        add_one(places, kHigher, higher_unseen(hidden, move), kHigherCounts);
    }
    add_one(places, kRestSize, left, kHandSizes);
    add_one(places, kRestTurns, rest_turns, kTurnCounts);
    places.add(kTurnChange + std::clamp(rest_turns - hand_turns, -1, kTurnChanges - 2) + 1);
    if (left == 0) places.add(kGoesOut);
    if (move.is_bomb()) places.add(kIsBomb);
    add_one(places, kRestLosing, losing_turns(rest, hidden, rest_turns), kLosingCounts);
    add_one(places, kRestWinners, winners_in(rest, hidden), kWinnerCounts);
    const Move& lying = move.is_pass() ? play.last : move;
    const int around[kOthers] = {next_role(play.turn), previous_role(play.turn)};
    for (int i = 0; i < kOthers; ++i) {
        const bool is_own = move.is_pass() && play.owner == around[i];
        places.add(kStands + i * kChances + band_of(is_own ? 1 : odds.stands(i, lying)));
    }
}

void SeatView::write_state(uint8_t* row, int hand_turns) const {
    Places places;
    list_state(places, hand_turns);
    places.write(row, kStateSize);
}

void SeatView::write_move(const Move& move, Hand hidden, const Odds& odds, int hand_turns, int rest_turns, uint8_t* row) const {
    Places places;
    list_move(move, hidden, odds, hand_turns, rest_turns, places);
    places.write(row, kMoveSize);
}

}  // namespace mingpai::mcm
