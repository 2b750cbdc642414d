// Legal plays of a hand, in two layers: the mask of pseudo-actions, found by bit operations without listing cards, and the
// concrete plays of one pseudo-action (suits, wild substitutions) on demand. The full list is the second over the first.
#pragma once
#include <vector>

#include "native/guandan/plays.hpp"

namespace mingpai::guandan {

// A hand seen at one level: wild cards apart, ranks counted.
class Holding {
  public:
    // `either`: five suited cards, a wild one among them, are also a plain straight (WildStraight::Either).
    Holding(const Cards& hand, int level, bool either = false);

    // All that can be led; never a pass.
    Mask lead_mask() const;
    // All that beats `target` (not a pass), and the pass.
    Mask follow_mask(const Play& target) const;

    // Appends the concrete plays of pseudo-action `index`; with a target only those that beat it.
    void list(int index, const Play* target, std::vector<Play>& out) const;
    // Appends every concrete play of the mask in order of the pseudo-actions; the pass last.
    void list_all(const Mask& mask, const Play* target, std::vector<Play>& out) const {
        mask.each([&](int index) { list(index, target, out); });
    }

    // Whether the whole hand can be played at once.
    bool is_one_play() const;

    int level() const { return level_; }
    int wilds() const { return wilds_; }
    // Cards of a suited rank without the wild ones.
    int naturals(int rank) const { return static_cast<int>(counts_ >> (4 * rank) & 15); }
    // Ranks (13 bits) with at least n natural cards, 0 <= n <= 8.
    uint32_t at_least(int n) const;

  private:
    uint32_t groups(int k) const;       // ranks that can form k of a kind
    uint32_t plates() const;            // first ranks of plates, and so on
    uint32_t tubes() const;
    uint32_t full_houses() const;
    uint32_t straights() const;
    uint32_t straight_flushes() const;
    uint32_t joker_ranks(int copies) const;  // bits 13, 14
    void put_bombs(Mask& mask, const Play* target) const;

    Cards wild_cards(int n) const { return {n > 0 ? wild_bit_ : 0, n > 1 ? wild_bit_ : 0}; }
    void list_group(Type type, int rank, int size, std::vector<Play>& out) const;
    void list_chain(Play& base, int slot, int slots, int copies, std::vector<Play>& out) const;
    void list_full_house(int rank, std::vector<Play>& out) const;
    void list_straight(Play& base, int place, uint32_t suits, std::vector<Play>& out) const;
    void list_straight_flush(int start, std::vector<Play>& out) const;

    Cards natural_;      // suited cards without the wild ones
    uint64_t counts_;    // a nibble a rank
    uint64_t wild_bit_;
    int level_;
    int wilds_;
    bool either_;
    int small_, big_;    // jokers held
    uint32_t suit_ranks_[kSuits];  // ranks held in a suit, wild cards left out
};

// Ranks (15 bits) whose order is above `order` at `level`.
uint32_t ranks_above(int order, int level);

// What each slot of the play stands for, lowest slot first (the triple before the pair): ranks, in the order of `arranged`.
struct Arrangement {
    std::array<uint8_t, kMaxBomb> kinds{};   // physical cards in slot order
    std::array<uint8_t, kMaxBomb> claims{};  // the kind each stands for: itself, or the card a wild one replaces
    int size = 0;
};
Arrangement arrange(const Play& play);

// Whether the play is a straight whose natural cards have one suit: a wild card stands for a card of another suit.
bool is_off_suit(const Play& play);

// The cards in slot order; a wild card that stands for another rank is followed by = and that rank: S6H7H2=8H2=9CT. In a straight
// that is one only because a wild card stands for another suit, that suit is written too: S6S7H2=H8S9ST.
std::string text_of(const Play& play);

// Every reading of exactly these cards as a play, at `level`; empty if there is none. `either`: as Holding has it.
std::vector<Play> readings(const Cards& cards, int level, bool either = false);

}  // namespace mingpai::guandan
