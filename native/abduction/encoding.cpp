#include "native/abduction/encoding.hpp"

#include <algorithm>
#include <cstring>

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

void encode_scene(const Round& round, int seat, uint8_t* to) {
    const RoundStatus& status = round.status();
    if (round.is_leading()) {
        to[static_cast<int>(Type::Pass)] = 1;
    } else {
        to[static_cast<int>(status.best.type)] = 1;
        to[kPlayTypes + strength(status.best.type, status.best.rank, round.level())] = 1;
        to[kPlayTypes + kOrders + status.best.size] = 1;
        to[kPlayTypes + kOrders + kMaxBomb + 1 + (status.best_seat - seat + kSeats) % kSeats] = 1;
    }
    to += kPlayTypes + kOrders + kMaxBomb + 1 + kSeats;
    for (int i = 1; i < kSeats; ++i, to += kFewLeft + 1) {
        const int left = status.hands[(seat + i) % kSeats].size();
        if (left <= kFewLeft) to[left] = 1;
    }
    Cards unseen = round.deck() - status.hands[seat];
    for (const Cards& played : status.played) unseen = unseen - played;
    uint8_t copies[kOrders] = {};
    unseen.each([&](int kind) { ++copies[order_of(rank_of(kind), round.level())]; });
    for (int order = 0; order < kOrders; ++order, to += kMostCopies) std::fill_n(to, copies[order], uint8_t{1});
}

}  // namespace

void encode(const Round& round, int seat, uint8_t* row) {
    std::memset(row, 0, kRowSize);
    const RoundStatus& status = round.status();
    row[kLevelAt + round.level()] = 1;
    row[kSeatAt + seat] = 1;
    row[kWildAt + status.hands[seat].count(wild_kind(round.level()))] = 1;
    add_cards(status.hands[seat], row + kHandAt);
    for (int i = 0; i < kSeats; ++i) {
        const int other = (seat + i) % kSeats;
        row[kLeftAt + i * kKinds + status.hands[other].size()] = 1;
        add_cards(status.played[other], row + kPlayedAt + i * kKinds);
    }
    encode_history(round, seat, row + kFlatSize);
    encode_scene(round, seat, row + kSceneAt);
}

void encode_open(const Round& round, int seat, const OpenPlans& plans, uint8_t* row) {
    std::memset(row, 0, kOpenSize);
    const RoundStatus& status = round.status();
    for (int i = 0; i < kSeats; ++i) {
        const int other = (seat + i) % kSeats;
        const Cards& hand = status.hands[other];
        const Holding holding(hand, round.level());
        for (int copies = 1; copies <= kMostGroup; ++copies, row += kRanks) {
            for (uint32_t ranks = holding.at_least(copies); ranks; ranks &= ranks - 1) row[core::lowest(ranks)] = 1;
        }
        for (int held : {hand.count(kSmallJoker), hand.count(kBigJoker), holding.wilds()}) {
            std::fill_n(row, held, uint8_t{1});
            row += kCopies;
        }
        row[hand.size()] = 1;
        row += kHandSize + 1;
        if (!hand.empty()) {
            const auto steps = static_cast<int>((plans.cost(other) - kLowestCost) / kCostStep);
            std::fill_n(row, std::clamp(steps, 0, kCostSteps), uint8_t{1});
            std::fill_n(row + kCostSteps, std::clamp(plans.turns(other), 0, kMostTurns), uint8_t{1});
            std::fill_n(row + kCostSteps + kMostTurns, std::min(plans.bombs(other), kMostBombs), uint8_t{1});
        }
        row += kCostSteps + kMostTurns + kMostBombs;
        for (int place = 0; place < std::min<int>(status.finished, kSeats - 1); ++place) row[place] = status.order[place] == other;
        row += kSeats - 1;
    }
    row[round.is_leading() ? kPassAction : pseudo_index(status.best)] = 1;
    row += kPseudoActions;
    row[round.is_leading() ? kSeats : (status.best_seat - seat + kSeats) % kSeats] = 1;
    row[kSeats + 1 + round.level()] = 1;
}

void encode_hidden(const Round& round, int seat, uint8_t* row) {
    std::memset(row, 0, kEstimateSize);
    for (int i = 0; i < kOthers; ++i) add_cards(round.status().hands[(seat + 1 + i) % kSeats], row + i * kKinds);
}

}  // namespace mingpai::abduction
