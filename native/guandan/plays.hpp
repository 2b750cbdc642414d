// Plays: what one seat puts on the table, and which play beats which.
#pragma once
#include "native/guandan/cards.hpp"

namespace mingpai::guandan {

// In the order of the 168 pseudo-actions. Tribute and Return are the exchange before a round, never pseudo-actions.
enum class Type : uint8_t {
    Single, Pair, Triple, Plate, Tube, FullHouse, Straight, Bomb, StraightFlush, JokerBomb, Pass, Tribute, Return
};
inline constexpr int kPlayTypes = static_cast<int>(Type::Pass) + 1;
inline constexpr const char* kTypeNames[] = {
    "single", "pair", "triple", "plate", "tube", "full-house", "straight", "bomb", "straight-flush", "joker-bomb", "pass",
    "tribute", "return"};

inline constexpr int kPlateSlots = 2, kTubeSlots = 3, kRunLength = 5;
inline constexpr int kMinBomb = 4, kMaxBomb = 10, kMaxListedBomb = 8;
inline constexpr int kPlateStarts = 13, kTubeStarts = 12, kRunStarts = 10;  // first ranks from A (low) on; the last window ends in A

// A play. `rank` is the rank that compares: of the group, of the triple of a full house, the lowest of a sequence (A for
// A2345, T for TJQKA); 13 and 14 are the jokers; 0 for a pass and four jokers. `cards` are the physical cards; what the wild
// cards among them stand for follows from type, rank and cards (RULES.md, clause 4), see arrange().
struct Play {
    Type type = Type::Pass;
    uint8_t rank = 0;
    uint8_t size = 0;   // number of cards
    uint8_t wilds = 0;  // how many of them are wild cards
    uint8_t level = 0;  // of the round, so that a play can be read on its own; 0 for a pass and four jokers
    Cards cards;

    friend bool operator==(const Play&, const Play&) = default;
    bool is_pass() const { return type == Type::Pass; }
    bool is_bomb() const { return type == Type::Bomb || type == Type::StraightFlush || type == Type::JokerBomb; }
};

// Class among bombs: 4 < 5 < straight flush < 6 < ... < 10 < four jokers; 0 for plays that are no bombs.
constexpr int bomb_class(Type type, int size) {
    constexpr int kStep = 2;
    if (type == Type::Bomb) return size * kStep;
    if (type == Type::StraightFlush) return kRunLength * kStep + 1;
    if (type == Type::JokerBomb) return (kMaxBomb + 1) * kStep;
    return 0;
}
constexpr bool is_sequence(Type type) {
    return type == Type::Plate || type == Type::Tube || type == Type::Straight || type == Type::StraightFlush;
}
// Strength within a type (and size): by level where ranks count, by place from A low in sequences.
constexpr int strength(Type type, int rank, int level) { return is_sequence(type) ? rank : order_of(rank, level); }

inline bool beats(const Play& play, const Play& target, int level) {
    const int mine = bomb_class(play.type, play.size), theirs = bomb_class(target.type, target.size);
    if (mine != theirs) return mine > theirs;
    return play.type == target.type && strength(play.type, play.rank, level) > strength(target.type, target.rank, level);
}

// --- the 168 pseudo-actions -------------------------------------------------------------------------------------------
// A block for each type, ranks from A up (singles and pairs end with the jokers), sequences by first rank, bombs by size 4..8
// then rank; bombs of 9 and 10 share the place of 8.
inline constexpr int kBombSizes = kMaxListedBomb - kMinBomb + 1;
inline constexpr int kBlockSizes[kPlayTypes] = {
    kPlayRanks, kPlayRanks, kRanks, kPlateStarts, kTubeStarts, kRanks, kRunStarts, kBombSizes * kRanks, kRunStarts, 1, 1};
constexpr std::array<int, kPlayTypes + 1> block_offsets() {
    std::array<int, kPlayTypes + 1> out{};
    for (int i = 0; i < kPlayTypes; ++i) out[i + 1] = out[i] + kBlockSizes[i];
    return out;
}
inline constexpr auto kBlocks = block_offsets();
inline constexpr int kPseudoActions = kBlocks[kPlayTypes];
static_assert(kPseudoActions == 168);
constexpr int block_of(Type type) { return kBlocks[static_cast<int>(type)]; }
inline constexpr int kPassAction = kPseudoActions - 1;

struct Shape {
    Type type;
    uint8_t rank;
    uint8_t size;  // of a bomb: 4..8, where 8 means 8 or more; 0 otherwise
};
constexpr int pseudo_index(Type type, int rank, int size) {
    if (type == Type::Bomb) return block_of(type) + (std::min(size, kMaxListedBomb) - kMinBomb) * kRanks + rank;
    if (type == Type::JokerBomb || type == Type::Pass) return block_of(type);
    return block_of(type) + rank;
}
inline int pseudo_index(const Play& play) { return pseudo_index(play.type, play.rank, play.size); }
constexpr Shape shape_of(int index) {
    int type = 0;
    while (index >= kBlocks[type + 1]) ++type;
    const int inside = index - kBlocks[type];
    if (static_cast<Type>(type) == Type::Bomb) {
        return {Type::Bomb, static_cast<uint8_t>(inside % kRanks), static_cast<uint8_t>(kMinBomb + inside / kRanks)};
    }
    return {static_cast<Type>(type), static_cast<uint8_t>(inside), 0};
}

// A set of pseudo-actions.
struct Mask {
    std::array<uint64_t, 3> words{};

    friend bool operator==(const Mask&, const Mask&) = default;
    bool test(int i) const { return words[i >> 6] >> (i & 63) & 1; }
    void set(int i) { words[i >> 6] |= 1ULL << (i & 63); }
    int count() const { return core::popcount(words[0]) + core::popcount(words[1]) + core::popcount(words[2]); }
    // Sets the bits of `bits` from place `at` on.
    void put(int at, uint32_t bits) {
        const int shift = at & 63;
        words[at >> 6] |= static_cast<uint64_t>(bits) << shift;
        if (shift > 32 && (at >> 6) < 2) words[(at >> 6) + 1] |= static_cast<uint64_t>(bits) >> (64 - shift);
    }
    template <class F>
    void each(F&& visit) const {
        for (int w = 0; w < 3; ++w) {
            for (uint64_t rest = words[w]; rest; rest &= rest - 1) visit(w * 64 + core::lowest(rest));
        }
    }
};

}  // namespace mingpai::guandan
