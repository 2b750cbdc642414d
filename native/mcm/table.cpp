#include "native/mcm/table.hpp"

#include <algorithm>
#include <cassert>

#include "native/doudizhu/policy.hpp"

namespace mingpai::mcm {

using namespace doudizhu;

namespace {

// How far luck may lift a hand above its strength: keeps weaker landlords in the sample.
constexpr float kBidNoise = 1.5f;

int strongest(const std::array<Hand, kRoles>& hands, core::Rng& rng) {
    std::array<float, kRoles> worth{};
    for (int role = 0; role < kRoles; ++role) {
        worth[role] = static_cast<float>(bid_strength(hands[role])) + kBidNoise * (rng.uniformf() + rng.uniformf() - 1);
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
    assert(holds(deck - played[0] - played[1] - played[2], move.cards));
    if (!move.is_pass()) {
        played[turn] += move.cards;
        if (turn == kLandlord && bottom != 0) bottom = without(bottom, move.cards);
    } else if (const int kind = passed_kind(last.type); kind < kPassedKinds && are_enemies(turn, owner)) {
        passed[turn][kind] = std::min(passed[turn][kind], last.rank);
    }
    std::move_backward(recent.begin(), recent.end() - 1, recent.end());
    recent[0] = move.cards;
    ++moves;
    Trick::apply(move);
}

void OpenTable::apply(const Move& move) {
    assert(!is_over() && holds(hands[play.turn], move.cards));
    hands[play.turn] -= move.cards;
    play.apply(move);
    assert(play.cards_left(play.owner) == card_count(hands[play.owner]));
}

OpenTable deal(core::Rng& rng, bool has_bids) {
    std::array<Hand, kDeckCards> deck{};
    int cards = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(kFullDeck, rank); ++copy) deck[cards++] = cards_of(rank);
    }
    rng.shuffle(deck.data(), kDeckCards);
    OpenTable table;
    for (int i = 0; i < kRoles * kDealtCards; ++i) table.hands[i / kDealtCards] += deck[i];
    if (has_bids) std::swap(table.hands[kLandlord], table.hands[strongest(table.hands, rng)]);
    for (int i = kRoles * kDealtCards; i < kDeckCards; ++i) table.play.bottom += deck[i];
    table.hands[kLandlord] += table.play.bottom;
    assert(table.hands[0] + table.hands[1] + table.hands[2] == kFullDeck);
    return table;
}

}  // namespace mingpai::mcm
