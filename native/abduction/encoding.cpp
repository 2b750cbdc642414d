#include "native/abduction/encoding.hpp"

#include <algorithm>
#include <cstring>

#include "native/guandan/bots.hpp"

namespace mingpai::abduction {
namespace {

using namespace guandan;

void add_cards(const Cards& cards, uint8_t* to) {
    cards.each([&](int kind) { ++to[kind]; });
}

void encode_history(const Round& round, int seat, uint8_t* to) {
    const std::vector<Step>& steps = round.steps();
    int place = kHistory - 1;
    for (size_t i = steps.size(); i-- > 0 && place >= 0; --place) {
        const Step& step = steps[i];
        if (step.play.type > Type::Pass) return;
        uint8_t* move = to + place * kMoveSize;
        add_cards(step.play.cards, move);
        move[kKinds + (step.seat - seat + kSeats) % kSeats] = 1;
    }
}

}  // namespace

void encode(const Round& round, int seat, uint8_t* row) {
    std::memset(row, 0, kRowSize);
    const Table& table = round.table();
    row[kLevelAt + round.level()] = 1;
    row[kSeatAt + seat] = 1;
    row[kWildAt + table.hands[seat].count(wild_kind(round.level()))] = 1;
    add_cards(table.hands[seat], row + kHandAt);
    for (int i = 0; i < kSeats; ++i) {
        const int other = (seat + i) % kSeats;
        row[kLeftAt + i * kKinds + table.hands[other].size()] = 1;
        add_cards(table.played[other], row + kPlayedAt + i * kKinds);
    }
    encode_history(round, seat, row + kFlatSize);
}

void encode_open(const Round& round, int seat, uint8_t* row) {
    std::memset(row, 0, kOpenSize);
    const Table& table = round.table();
    for (int i = 0; i < kSeats; ++i) add_cards(table.hands[(seat + i) % kSeats], row + i * kKinds);
    uint8_t* facts = row + kSeats * kKinds;
    add_cards(table.best.cards, facts);
    facts += kKinds;
    facts[round.is_leading() ? kSeats : (table.best_seat - seat + kSeats) % kSeats] = 1;
    facts[kSeats + 1 + round.level()] = 1;
    facts += kSeats + 1 + kRanks;
    for (int i = 0; i < kSeats; ++i, facts += kCostSteps + kRanks) {
        const Cards& hand = table.hands[(seat + i) % kSeats];
        if (hand.empty()) continue;
        const int steps = static_cast<int>((plan_cost(hand, round.level()) - kLowestCost) / kCostStep);
        for (int step = 0; step < std::clamp(steps, 0, kCostSteps); ++step) facts[step] = 1;
        const uint32_t bombs = Holding(hand, round.level()).at_least(kMinBomb);
        for (int rank = 0; rank < kRanks; ++rank) facts[kCostSteps + rank] = bombs >> rank & 1;
    }
}

void encode_hidden(const Round& round, int seat, uint8_t* row) {
    std::memset(row, 0, kEstimateSize);
    for (int i = 0; i < kOthers; ++i) add_cards(round.table().hands[(seat + 1 + i) % kSeats], row + i * kKinds);
}

}  // namespace mingpai::abduction
