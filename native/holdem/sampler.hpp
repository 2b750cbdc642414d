// Draws deals for players with weighted ranges, with the right joint distribution.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "native/core/rng.hpp"
#include "native/holdem/cards.hpp"
#include "native/holdem/evaluator.hpp"

namespace mingpai::holdem {

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
    // True when every hand is known: there is only one deal.
    bool is_fixed() const { return order_.empty(); }

    // Draws all hands one after another, each among the combinations left. Returns the importance weight of the deal: the
    // product of the shares of the ranges that were left; 0 when the draw ran into a dead end.
    double draw(Hands& hands, core::Rng& rng) const;
    // The weight that draw() would have given to these hands.
    double weight_of(const Hands& hands) const;
    // Draws whole deals until one has no card twice, at most `tries` times.
    bool draw_by_rejection(Hands& hands, core::Rng& rng, int tries) const;
    // Draws one player's hand anew, given the others'.
    void redraw(Hands& hands, int player, core::Rng& rng) const;

    // Completes the board from the cards left by `used`; returns the code of the whole board.
    uint64_t draw_board(CardSet used, CardSet& board, core::Rng& rng) const {
        uint64_t code = board_code_;
        board = board_;
        for (int left = board_missing_; left;) {
            const uint64_t bits = rng.next();
            for (const uint32_t half : {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)}) {
                const Card card = live_[(uint64_t{half} * live_count_) >> 32];
                if ((used | board) & bit_of(card)) continue;
                board |= bit_of(card);
                code += kCardCodes[card];
                if (--left == 0) break;
            }
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
    std::array<Card, kCards> live_{};  // cards that a board may take
    uint32_t live_count_ = 0;
};

}  // namespace mingpai::holdem
