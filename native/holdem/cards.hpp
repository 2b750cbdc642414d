// Cards, sets of cards and two-card combinations of a 52-card deck.
//
// A card is rank * 4 + suit; ranks 0..12 are 2..A, suits 0..3 are clubs, diamonds, hearts, spades.
#pragma once
#include <array>
#include <cstdint>

#include "native/core/bits.hpp"

namespace mingpai::holdem {

using Card = uint8_t;
// Bit c is card c, so the four suits of a rank share a nibble.
using CardSet = uint64_t;

inline constexpr int kRanks = 13;
inline constexpr int kSuits = 4;
inline constexpr int kCards = kRanks * kSuits;
inline constexpr int kBoardCards = 5;
inline constexpr int kCombos = kCards * (kCards - 1) / 2;
inline constexpr int kMaxPlayers = 10;
inline constexpr CardSet kDeck = (CardSet{1} << kCards) - 1;

constexpr int rank_of(Card card) { return card / kSuits; }
constexpr int suit_of(Card card) { return card % kSuits; }
constexpr CardSet bit_of(Card card) { return CardSet{1} << card; }

// The ranks of one suit of a set, as 13 bits.
inline uint32_t ranks_in_suit(CardSet set, int suit) { return core::gather_nibbles(set >> suit); }

// Combinations are numbered by their higher card, then by their lower one: 2d2c is 0, AsAh is 1325.
constexpr int combo_of(Card a, Card b) {
    const int high = a > b ? a : b, low = a > b ? b : a;
    return high * (high - 1) / 2 + low;
}

struct Combo {
    Card low, high;
    CardSet set() const { return bit_of(low) | bit_of(high); }
};

constexpr std::array<Combo, kCombos> make_combos() {
    std::array<Combo, kCombos> combos{};
    for (int high = 1; high < kCards; ++high) {
        for (int low = 0; low < high; ++low) {
            combos[combo_of(static_cast<Card>(low), static_cast<Card>(high))] = {static_cast<Card>(low), static_cast<Card>(high)};
        }
    }
    return combos;
}

inline constexpr std::array<Combo, kCombos> kComboCards = make_combos();

}  // namespace mingpai::holdem
