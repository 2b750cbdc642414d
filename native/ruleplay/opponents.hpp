// Two fixed opponents. RB, the rule player, has an active strategy (leading) and a passive one (following) and works with the
// number of turns alone; RHCP plays the move that leaves the hand of greatest value. Both know who is on their side.
#pragma once
#include "native/ruleplay/policy.hpp"

namespace mingpai::ruleplay {

// What a seat knows when it is to move: of `world` only its own hand is filled in.
struct Seen {
    World world;
    Hand unseen = 0;  // cards that the other two hold together

    Hand hand() const { return world.hands[world.turn]; }
};

// What the role to move sees of a world.
Seen seen_in(const World& world);

// The whole hand as one move on `last`; false when it is none.
bool whole_hand_move(Hand hand, const Move& last, const Rules& rules, Move& out);

class RuleBased {
  public:
    explicit RuleBased(const Rules& rules) : splitter_(rules) {}
    Move move(const Seen& seen) const;

  private:
    Move active(const Seen& seen) const;
    Move passive(const Seen& seen) const;
    Move over_enemy(const Seen& seen, const MoveList& legal) const;
    Move over_mate(const Seen& seen, const MoveList& legal) const;
    float lead_cost(const Seen& seen, const Move& move) const;
    bool wins_next(const Seen& seen, const Move& move) const;

    Splitter splitter_;
};

// The weights are those of Weights{}: parts worth their rank, seven a turn, bombs and rocket more.
class RemainingValue {
  public:
    explicit RemainingValue(const Rules& rules) : evaluator_(rules, Weights{}) {}
    Move move(const Seen& seen);

  private:
    float after(const Seen& seen, const Move& move);

    Evaluator evaluator_;
};

}  // namespace mingpai::ruleplay
