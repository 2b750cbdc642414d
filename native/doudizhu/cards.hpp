// Cards of Dou Dizhu: suits do not matter, so a hand is a count for each of 15 ranks, packed four bits each.
#pragma once
#include <cstdint>

#include "native/core/bits.hpp"

namespace mingpai::doudizhu {

// Nibble r is the count of rank r: 0 is '3', ... 11 'A', 12 '2', 13 'X' (small joker), 14 'D' (big joker).
using Hand = uint64_t;
// Bit r belongs to rank r.
using RankMask = uint32_t;

inline constexpr int kRanks = 15;
inline constexpr int kAce = 11;
inline constexpr int kTwo = 12;
inline constexpr int kSmallJoker = 13;
inline constexpr int kBigJoker = 14;
// Ranks that may stand in a chain: 3 to A.
inline constexpr int kChainRanks = kAce + 1;

inline constexpr int kSeats = 3;
inline constexpr int kDeckCards = 54;
inline constexpr int kDealtCards = 17;
inline constexpr int kBottomCards = 3;
inline constexpr int kMaxHandCards = kDealtCards + kBottomCards;

inline constexpr Hand kNibbleOnes = 0x0111111111111111ULL;
inline constexpr Hand kRankFull = 15;
inline constexpr RankMask kChainMask = (1u << kChainRanks) - 1;
inline constexpr RankMask kAllRanksMask = (1u << kRanks) - 1;

// `count` cards of one rank.
constexpr Hand cards_of(int rank, uint64_t count = 1) { return count << (4 * rank); }
// `count` cards of each of `length` ranks from `start` up.
constexpr Hand chain_of(int start, int length, uint64_t count) {
    return ((kNibbleOnes & ((1ULL << (4 * length)) - 1)) * count) << (4 * start);
}
inline constexpr Hand kRocketCards = cards_of(kSmallJoker) | cards_of(kBigJoker);
inline constexpr Hand kFullDeck = chain_of(0, kTwo + 1, 4) | kRocketCards;

constexpr int count_of(Hand hand, int rank) { return static_cast<int>((hand >> (4 * rank)) & kRankFull); }
// True when every count is one that a deck can give: at most four of a rank, one of each joker.
constexpr bool is_hand(Hand hand) {
    for (int rank = 0; rank < kRanks; ++rank) {
        if (count_of(hand, rank) > count_of(kFullDeck, rank)) return false;
    }
    return (hand >> (4 * kRanks)) == 0;
}
// True when `hand` holds all of `cards`.
constexpr bool holds(Hand hand, Hand cards) {
    // A nibble of hand + 8 - cards keeps its high bit exactly when its count suffices: counts are at most 4.
    constexpr Hand kHighBits = kNibbleOnes << 3;
    return (((hand | kHighBits) - cards) & kHighBits) == kHighBits;
}
// What is left of `cards` when as many of each rank as `gone` has are taken away, or all there are.
constexpr Hand without(Hand cards, Hand gone) {
    for (int rank = 0; rank < kRanks; ++rank) {
        const int taken = count_of(gone, rank) < count_of(cards, rank) ? count_of(gone, rank) : count_of(cards, rank);
        cards -= cards_of(rank, static_cast<uint64_t>(taken));
    }
    return cards;
}
constexpr int card_count(Hand hand) {
    constexpr uint64_t kLowNibbles = 0x0F0F0F0F0F0F0F0FULL;
    const uint64_t bytes = (hand & kLowNibbles) + ((hand >> 4) & kLowNibbles);
    return static_cast<int>((bytes * 0x0101010101010101ULL) >> 56);
}

// Ranks held at least once, twice, three, four times.
inline RankMask at_least1(Hand h) { return core::gather_nibbles(h | (h >> 1) | (h >> 2)); }
inline RankMask at_least2(Hand h) { return core::gather_nibbles((h >> 1) | (h >> 2)); }
inline RankMask at_least3(Hand h) { return core::gather_nibbles(((h >> 1) & h) | (h >> 2)); }
inline RankMask at_least4(Hand h) { return core::gather_nibbles(h >> 2); }

// Four of a rank, and the two jokers.
inline int bombs_in(Hand h) { return core::popcount(at_least4(h)) + (holds(h, kRocketCards) ? 1 : 0); }

inline RankMask at_least(int copies, Hand h) {
    switch (copies) {
        case 1: return at_least1(h);
        case 2: return at_least2(h);
        case 3: return at_least3(h);
        default: return at_least4(h);
    }
}

// Every rank of a hand with its count cut to `limit` (1 to 4).
inline Hand capped(Hand h, int limit) {
    const Hand one = (h | (h >> 1) | (h >> 2)) & kNibbleOnes;
    if (limit == 1) return one;
    const Hand two = ((h >> 1) | (h >> 2)) & kNibbleOnes;
    if (limit == 2) return one + two;
    const Hand three = (((h >> 1) & h) | (h >> 2)) & kNibbleOnes;
    return limit == 3 ? one + two + three : h;
}

// Starts of runs of `length` ranks inside `mask`, chains only (3 to A).
inline RankMask run_starts(RankMask mask, int length) {
    mask &= kChainMask;
    RankMask starts = mask;
    for (int i = 1; i < length; ++i) starts &= mask >> i;
    return starts;
}
// The part of a mask strictly above / strictly below a rank.
constexpr RankMask above(RankMask mask, int rank) { return mask & ~((2u << rank) - 1); }
constexpr RankMask below(RankMask mask, int rank) { return mask & ((1u << rank) - 1); }

}  // namespace mingpai::doudizhu
