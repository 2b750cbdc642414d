// The control test: a sufficient condition for the leader to win, by counting.
#pragma once
#include <cstdint>

#include "native/endgame/hands.hpp"

namespace mingpai::endgame {

// What the other side can answer with: the ranks of its moves for each class, and the fewest cards one of its players holds.
struct Opposition {
    const uint16_t* ranks;
    int fewest_cards;
};

// True only if the holder of `hand`, on lead, wins against opponents without bombs: some partition of the hand into moves lets
// him regain the lead after each answer, and the answers are too few for an opponent to go out.
//
// A move is low when the opponents can beat it, high when it beats the best they have. A low move of a class is led, answered,
// and the answer is topped by a high move of that class, or by a bomb; the last low move needs neither, for it ends the
// game. Every answer has as many cards as the low move it answers.
class ControlTest {
  public:
    void reset(const Rules& rules);
    bool wins(Hand hand, const Opposition& opposition) const;

  private:
    static constexpr int kMaxChains = 4;  // chains in a partition
    static constexpr int kMaxTries = 1;   // partitions with chains that are tried beside the one without

    struct Chains {
        Class cls[kMaxChains];
        uint8_t rank[kMaxChains];
        int count = 0;
    };
    bool wins_with(Hand hand, const Opposition& opposition, const Chains& chains) const;
    bool wins_without_more_chains(Hand hand, const Opposition& opposition, const Chains& chains) const;

    bool is_usable_ = false, has_triple_single_ = false, has_triple_pair_ = false;
    mutable int tries_ = 0;
};

}  // namespace mingpai::endgame
