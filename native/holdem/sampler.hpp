// Draws deals for players with weighted ranges, with the right joint distribution.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "native/core/rng.hpp"
#include "native/holdem/cards.hpp"
#include "native/holdem/evaluator.hpp"

namespace mingpai::holdem {

// The n-th card of a set, counted from 0 and alone in its set; the set has more than n cards.
inline CardSet nth_card(CardSet set, unsigned n) {
#if defined(__BMI2__)
    return _pdep_u64(uint64_t{1} << n, set);
#else
    // Cards up to each byte of the set, then the byte whose sum first exceeds n (S. Vigna: broadword selection).
    constexpr uint64_t kOnes = 0x0101010101010101ULL, kTops = 0x8080808080808080ULL;
    uint64_t sums = set - ((set >> 1) & 0x5555555555555555ULL);
    sums = (sums & 0x3333333333333333ULL) + ((sums >> 2) & 0x3333333333333333ULL);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * kOnes;
    const uint64_t not_above = (((n * kOnes) | kTops) - sums) & kTops;
    const unsigned place = static_cast<unsigned>(((not_above >> 7) * kOnes >> 56) * 8);
    uint64_t byte = set >> place & 0xFF;
    for (n -= static_cast<unsigned>((sums << 8) >> place & 0xFF); n; --n) byte &= byte - 1;
    return (byte & (~byte + 1)) << place;
#endif
}

// One player's possible combinations: those of positive weight that no known card blocks.
class RangeTable {
  public:
    // Keeps the combinations of `weights` (one for each of kCombos) that avoid `blocked`.
    void fill(const float* weights, CardSet blocked);

    bool is_empty() const { return combos_.empty(); }
    // Only one combination is possible.
    bool is_known() const { return combos_.size() == 1; }
    int size() const { return static_cast<int>(combos_.size()); }
    int combo(int i) const { return combos_[i]; }
    // Probability of the i-th combination; they sum to 1.
    float probability(int i) const { return probabilities_[i]; }

    // Makes draw() and share_left() ready.
    void prepare();
    // A combination by its probability.
    int draw(core::Rng& rng) const {
        const uint64_t bits = rng.next();
        const Slot& slot = slots_[((bits >> 32) * slots_.size()) >> 32];
        return slot.combos[static_cast<uint32_t>(bits) >= slot.threshold];
    }
    // The probability that a draw avoids `count` cards (an even number), by inclusion and exclusion: subject to rounding.
    double share_left(const Card* cards, int count) const;
    // The same without rounding to zero, slower; and a draw given that it avoids `blocked`. -1 when nothing is left.
    double exact_share_left(CardSet blocked) const;
    int draw_avoiding(CardSet blocked, core::Rng& rng) const;

  private:
    // Walker's alias method: half of a uniform number chooses the slot, the other half one of its two combinations.
    struct Slot {
        uint32_t threshold;
        std::array<uint16_t, 2> combos;  // the slot's own and the one that tops it up: an index, as a branch would be a guess
    };

    std::vector<uint16_t> combos_;
    std::vector<float> probabilities_;
    std::vector<Slot> slots_;
    std::array<float, kCards * kCards> pairs_;  // probability of each pair of different cards
    std::array<float, kCards> singles_;         // probability that a card is held
};

// A deal of the players' hands.
struct Hands {
    std::array<uint16_t, kMaxPlayers> combos;
    std::array<uint64_t, kMaxPlayers> codes;
    std::array<CardSet, kMaxPlayers> sets;
    CardSet used;  // all of them

    void put(int player, int combo);
};

class DealSampler {
  public:
    // Throws std::invalid_argument when a player has no possible combination.
    DealSampler(int players, const float* weights, CardSet board, CardSet dead);

    int players() const { return players_; }
    const RangeTable& range(int player) const { return ranges_[player]; }
    // The order in which players are drawn: the narrowest ranges first. Players with known hands are not in it.
    const std::vector<int>& order() const { return order_; }

    // Draws all hands one after another, each among the combinations left. Returns the importance weight of the deal: the
    // product of the shares of the ranges that were left; 0 when the draw ran into a dead end.
    double draw(Hands& hands, core::Rng& rng) const;
    // The weight that draw() would have given to these hands.
    double weight_of(const Hands& hands) const;
    // Draws whole deals until one has no card twice, at most `tries` times.
    bool draw_by_rejection(Hands& hands, core::Rng& rng, int tries) const;
    // Draws one player's hand anew, given the others'.
    void redraw(Hands& hands, int player, core::Rng& rng) const;

    // Completes the board from the cards left by `used`; returns the code of the whole board. One random number names all
    // cards: its product with the number of cards left has the index of the next one above 64 bits and what remains of it below.
    uint64_t draw_board(CardSet used, CardSet& board, core::Rng& rng) const {
        uint64_t code = board_code_;
        CardSet left = live_ & ~used;
        uint64_t bits = rng.next();
        uint64_t count = static_cast<uint64_t>(core::popcount(left));
        board = board_;
        for (int i = 0; i < board_missing_; ++i, --count) {
            const auto product = static_cast<unsigned __int128>(bits) * count;
            const CardSet card = nth_card(left, static_cast<unsigned>(product >> 64));
            bits = static_cast<uint64_t>(product);
            left ^= card;
            board |= card;
            code += kCardCodes[core::lowest(card)];
        }
        return code;
    }

  private:
    // The combination, or others drawn until one avoids `used`; -1 when none does.
    static int fit(const RangeTable& range, int combo, CardSet used, core::Rng& rng);

    int players_;
    CardSet board_;
    int board_missing_;
    uint64_t board_code_;
    CardSet known_ = 0;      // the cards of the players with known hands
    Hands known_hands_{};    // only those players filled in
    std::array<RangeTable, kMaxPlayers> ranges_;
    std::vector<int> order_;
    CardSet live_ = 0;  // cards that a board may take
};

}  // namespace mingpai::holdem
