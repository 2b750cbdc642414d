// Who won how much: counts by player and by the number of players sharing the pot.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "native/holdem/evaluator.hpp"

namespace mingpai::holdem {

// entry [p][k]: how often (or with what weight) player p was one of k winners; k = 0 is not used.
template <class Number>
struct Tally {
    std::array<std::array<Number, kMaxPlayers + 1>, kMaxPlayers> winners{};

    template <class Other>
    void add(const Tally<Other>& other, Number factor) {
        for (int p = 0; p < kMaxPlayers; ++p) {
            for (int k = 1; k <= kMaxPlayers; ++k) winners[p][k] += factor * static_cast<Number>(other.winners[p][k]);
        }
    }
    double share(int player) const {
        double sum = 0;
        for (int k = 1; k <= kMaxPlayers; ++k) sum += static_cast<double>(winners[player][k]) / k;
        return sum;
    }
    double squares(int player) const {
        double sum = 0;
        for (int k = 1; k <= kMaxPlayers; ++k) sum += static_cast<double>(winners[player][k]) / (k * k);
        return sum;
    }
    double tied(int player) const {
        double sum = 0;
        for (int k = 2; k <= kMaxPlayers; ++k) sum += static_cast<double>(winners[player][k]);
        return sum;
    }
};

// The players with the best hand on a full board, as bits. `codes` and `sets` are the players' two cards.
inline uint32_t winners_of(const Evaluator& evaluator, int players, const uint64_t* codes, const CardSet* sets,
                           uint64_t board_code, CardSet board) {
    if (players == 2) {
        const HandRank first = evaluator.rank<kMaxHand>(board_code + codes[0], board | sets[0]);
        const HandRank second = evaluator.rank<kMaxHand>(board_code + codes[1], board | sets[1]);
        return static_cast<uint32_t>(first >= second) | static_cast<uint32_t>(second >= first) << 1;
    }
    std::array<HandRank, kMaxPlayers> ranks;
    // Two thirds of the boards have no three cards of a suit, so no flush: no test for each player then.
    if (has_three_of_suit(board_code)) {
        for (int p = 0; p < players; ++p) ranks[p] = evaluator.rank<kMaxHand>(board_code + codes[p], board | sets[p]);
    } else {
        for (int p = 0; p < players; ++p) ranks[p] = evaluator.plain_rank<kMaxHand>(board_code + codes[p]);
    }
    HandRank best = 0;
    for (int p = 0; p < players; ++p) best = std::max(best, ranks[p]);
    uint32_t winners = 0;
    for (int p = 0; p < players; ++p) winners |= static_cast<uint32_t>(ranks[p] == best) << p;
    return winners;
}

template <class Number>
void record(Tally<Number>& tally, uint32_t winners, Number weight) {
    const int count = core::popcount(winners);
    for (; winners; winners &= winners - 1) tally.winners[core::lowest(winners)][count] += weight;
}

// How often each set of players won: one addition for a deal, told by player at the end.
class WinnerCounts {
  public:
    void add(uint32_t winners) { ++counts_[winners]; }
    Tally<uint64_t> tally() const {
        Tally<uint64_t> tally;
        for (uint32_t winners = 1; winners < counts_.size(); ++winners) {
            if (counts_[winners]) record<uint64_t>(tally, winners, counts_[winners]);
        }
        return tally;
    }

  private:
    std::array<uint64_t, 1 << kMaxPlayers> counts_{};
};

}  // namespace mingpai::holdem
