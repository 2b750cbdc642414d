// Guandan cards: two decks, 108 cards of 54 kinds.
//
// A kind is rank * 4 + suit, ranks A 2 3 ... K (A is 0), suits S H D C; 52 is the small joker, 53 the big one. This is the
// order of the 54-vectors of the abductive encoding, so features are copies of these planes.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "native/core/bits.hpp"
#include "native/core/rng.hpp"

namespace mingpai::guandan {

inline constexpr int kRanks = 13;  // A 2 ... K: the ranks that have suits
inline constexpr int kSuits = 4;
inline constexpr int kKinds = kRanks * kSuits + 2;
inline constexpr int kSmallJoker = kRanks * kSuits;
inline constexpr int kBigJoker = kSmallJoker + 1;
inline constexpr int kCopies = 2;
inline constexpr int kDeckSize = kKinds * kCopies;
inline constexpr int kSeats = 4;
inline constexpr int kHandSize = kDeckSize / kSeats;
inline constexpr int kNobody = -1;

// Ranks as plays name them: 0..12 for A 2 ... K, then the jokers.
inline constexpr int kAce = 0, kTwo = 1, kTen = 9, kKing = 12, kRankSmall = kRanks, kRankBig = kRanks + 1;
inline constexpr int kPlayRanks = kRanks + 2;
inline constexpr int kHeart = 1;

inline constexpr uint64_t kSuitedKinds = (1ULL << (kRanks * kSuits)) - 1;
inline constexpr uint64_t kAllKinds = (1ULL << kKinds) - 1;

constexpr int kind_of(int rank, int suit) { return rank * kSuits + suit; }
constexpr int rank_of(int kind) { return kind < kSmallJoker ? kind / kSuits : kRanks + kind - kSmallJoker; }
constexpr int suit_of(int kind) { return kind % kSuits; }
constexpr int wild_kind(int level) { return kind_of(level, kHeart); }
constexpr int partner_of(int seat) { return (seat + 2) % kSeats; }
constexpr int team_of(int seat) { return seat % 2; }
constexpr int next_seat(int seat) { return (seat + 1) % kSeats; }

// Strength of a rank where the level counts (singles, pairs, triples, full houses, bombs): 2 is 0, K 11, A 12, the level 13,
// the jokers 14 and 15.
inline constexpr int kOrders = 16;
constexpr int order_of(int rank, int level) {
    if (rank >= kRanks) return rank + 1;
    if (rank == level) return kRanks;
    return rank == kAce ? kRanks - 1 : rank - 1;
}

// A multiset of cards as two bit planes: `once` has the kinds held at least once, `twice` those held twice.
struct Cards {
    uint64_t once = 0;
    uint64_t twice = 0;

    friend bool operator==(const Cards&, const Cards&) = default;
    bool empty() const { return once == 0; }
    int size() const { return core::popcount(once) + core::popcount(twice); }
    int count(int kind) const { return static_cast<int>((once >> kind & 1) + (twice >> kind & 1)); }
    bool contains(const Cards& other) const { return !(other.once & ~once) && !(other.twice & ~twice); }
    void add(int kind) {
        const uint64_t bit = 1ULL << kind;
        twice |= once & bit;
        once |= bit;
    }
    // The card must be held.
    void remove(int kind) {
        const uint64_t bit = 1ULL << kind;
        once &= ~bit | twice;
        twice &= ~bit;
    }
    // Calls visit(kind) for each card, copies one after the other, in order of kind.
    template <class F>
    void each(F&& visit) const {
        for (uint64_t rest = once; rest; rest &= rest - 1) {
            const int kind = core::lowest(rest);
            visit(kind);
            if (twice >> kind & 1) visit(kind);
        }
    }
};

// Sum; no kind may pass two copies.
inline Cards operator+(const Cards& a, const Cards& b) { return {a.once | b.once, a.twice | b.twice | (a.once & b.once)}; }
// Difference; b must be contained in a.
inline Cards operator-(const Cards& a, const Cards& b) {
    return {(a.once & ~b.once) | (a.twice & ~b.twice), a.twice & ~b.once};
}

inline constexpr Cards kFullDeck{kAllKinds, kAllKinds};

// The four hands of a shuffled double deck.
inline std::array<Cards, kSeats> deal(core::Rng& rng) {
    std::array<uint8_t, kDeckSize> deck;
    for (int i = 0; i < kDeckSize; ++i) deck[i] = static_cast<uint8_t>(i % kKinds);
    rng.shuffle(deck.data(), kDeckSize);
    std::array<Cards, kSeats> hands{};
    for (int i = 0; i < kDeckSize; ++i) hands[i / kHandSize].add(deck[i]);
    return hands;
}

// Two letters each: suit S H D C and rank A23456789TJQK; jokers SB (small) and HR (big).
inline constexpr char kRankLetters[] = "A23456789TJQKBR";
inline constexpr char kSuitLetters[] = "SHDC";
inline std::string kind_text(int kind) {
    if (kind == kSmallJoker) return "SB";
    if (kind == kBigJoker) return "HR";
    return {kSuitLetters[suit_of(kind)], kRankLetters[rank_of(kind)]};
}

}  // namespace mingpai::guandan
