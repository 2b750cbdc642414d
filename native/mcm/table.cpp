#include "native/mcm/table.hpp"

#include <algorithm>
#include <cassert>

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

// `cards` without as many of `gone` as it holds.
Hand without(Hand cards, Hand gone) {
    for (int rank = 0; rank < kRanks; ++rank) {
        cards -= cards_of(rank, std::min(count_of(cards, rank), count_of(gone, rank)));
    }
    return cards;
}

// Worth of a hand in a bidding, in about the strength of an ace. The noise keeps weaker landlords in the sample.
constexpr float kSmallJokerWorth = 3, kBigJokerWorth = 4, kRocketWorth = 1, kTwoWorth = 2, kAceWorth = 0.5f, kFourWorth = 3;
constexpr float kBidNoise = 3;

float bid_strength(Hand hand) {
    float worth = kAceWorth * count_of(hand, kAce) + kTwoWorth * count_of(hand, kTwo);
    worth += kSmallJokerWorth * count_of(hand, kSmallJoker) + kBigJokerWorth * count_of(hand, kBigJoker);
    if (holds(hand, kRocketCards)) worth += kRocketWorth;
    return worth + kFourWorth * core::popcount(at_least4(hand));
}

int strongest(const std::array<Hand, kRoles>& hands, core::Rng& rng) {
    std::array<float, kRoles> worth{};
    for (int role = 0; role < kRoles; ++role) {
        worth[role] = bid_strength(hands[role]) + kBidNoise * (rng.uniformf() + rng.uniformf() - 1);
    }
    return static_cast<int>(std::max_element(worth.begin(), worth.end()) - worth.begin());
}

// The place of a type among what a seat can let go by; kPassedKinds: it is none of them.
int passed_kind(Type type) {
    switch (type) {
        case Type::Single: return 0;
        case Type::Pair: return 1;
        case Type::Triple:
        case Type::TripleSingle:
        case Type::TriplePair: return 2;
        case Type::Straight: return 3;
        default: return kPassedKinds;
    }
}

}  // namespace

void Play::apply(const Move& move) {
    if (move.is_pass()) {
        apply_pass();
    } else {
        apply_cards(move);
    }
    std::move_backward(recent.begin(), recent.end() - 1, recent.end());
    recent[0] = move.cards;
    ++moves;
    turn = static_cast<int8_t>(next_role(turn));
}

void Play::apply_pass() {
    assert(!last.is_pass());
    if (const int kind = passed_kind(last.type); kind < kPassedKinds && !is_same_side(turn, owner)) {
        passed[turn][kind] = std::min(passed[turn][kind], last.rank);
    }
    if (++passes == kRoles - 1) {
        last = Move{};
        owner = kNobody;
        passes = 0;
    }
}

void Play::apply_cards(const Move& move) {
    played[turn] += move.cards;
    last = move;
    owner = turn;
    passes = 0;
    ++plays[turn];
    if (move.is_bomb()) ++bombs;
    if (turn == kLandlord && bottom != 0) bottom = without(bottom, move.cards);
}

void Table::apply(const Move& move) {
    const int role = play.turn;
    assert(holds(hands[role], move.cards));
    hands[role] -= move.cards;
    play.apply(move);
    if (hands[role] == 0) winner = static_cast<int8_t>(role);
}

int Table::doublings() const {
    assert(is_over());
    const bool spring = winner == kLandlord ? play.plays[1] == 0 && play.plays[2] == 0 : play.plays[kLandlord] == 1;
    return play.bombs + (spring ? 1 : 0);
}

Table deal(core::Rng& rng, bool has_bids) {
    std::array<Hand, kDeckCards> deck{};
    int cards = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(kFullDeck, rank); ++copy) deck[cards++] = cards_of(rank);
    }
    rng.shuffle(deck.data(), kDeckCards);
    Table table;
    for (int i = 0; i < kRoles * kDealtCards; ++i) table.hands[i / kDealtCards] += deck[i];
    if (has_bids) std::swap(table.hands[kLandlord], table.hands[strongest(table.hands, rng)]);
    for (int i = kRoles * kDealtCards; i < kDeckCards; ++i) table.play.bottom += deck[i];
    table.hands[kLandlord] += table.play.bottom;
    return table;
}

}  // namespace mingpai::mcm
