// One deal of Dou Dizhu in card play, seen by roles: 0 the landlord, 1 the seat after him, 2 the seat before him.
#pragma once
#include <array>
#include <cassert>
#include <cstdint>

#include "native/core/rng.hpp"
#include "native/doudizhu/cards.hpp"
#include "native/doudizhu/trick.hpp"

namespace mingpai::mcm {

using doudizhu::Hand;
using doudizhu::Move;

using doudizhu::are_enemies;
using doudizhu::kLandlord;
using doudizhu::kRoles;
using doudizhu::next_role;
using doudizhu::previous_role;

// How many of the latest moves a table remembers.
inline constexpr int kRecentMoves = 30;
// Moves that a seat can let go by: singles, pairs, triples with what goes with them, straights.
inline constexpr int kPassedKinds = 4;
// No rank: a seat has not let any such move of an opponent go by.
inline constexpr uint8_t kNeverPassed = doudizhu::kRanks;

// What all three seats know of the card play.
struct Play : doudizhu::Trick {
    std::array<Hand, kRoles> played{};         // cards each role has put down
    std::array<uint8_t, kRoles> dealt{doudizhu::kMaxHandCards, doudizhu::kDealtCards, doudizhu::kDealtCards};
    Hand deck = doudizhu::kFullDeck;           // all cards of the deal: fewer in an endgame
    Hand bottom = 0;                           // bottom cards that the landlord has not put down yet
    std::array<std::array<uint8_t, kPassedKinds>, kRoles> passed;  // lowest of an opponent that a role let go by, or kNeverPassed
    std::array<Hand, kRecentMoves> recent{};   // cards of the latest moves, newest first; empty for a pass
    uint16_t moves = 0;

    explicit Play(Hand bottom_cards = 0) : bottom(bottom_cards) {
        for (auto& kinds : passed) kinds.fill(kNeverPassed);
    }

    void apply(const Move& move);
    int cards_left(int role) const {
        assert(dealt[role] >= doudizhu::card_count(played[role]));
        return dealt[role] - doudizhu::card_count(played[role]);
    }
};

// A play with the hands of all three roles.
struct OpenTable {
    Play play;
    std::array<Hand, kRoles> hands{};

    bool is_over() const { return hands[play.owner] == 0; }
    // What the seats after and before the one to move hold.
    std::array<Hand, kRoles - 1> other_hands() const {
        return {hands[next_role(play.turn)], hands[previous_role(play.turn)]};
    }
    void apply(const Move& move);
};

// A shuffled deal. When `has_bids` the landlord is the one of the three seats whose 17 cards are strongest, up to noise, as
// after a bidding; otherwise any seat.
OpenTable deal(core::Rng& rng, bool has_bids);

}  // namespace mingpai::mcm
