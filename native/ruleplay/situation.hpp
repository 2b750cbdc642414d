// What one seat knows of the play: its hand, the bottom cards and every move made, with seats by role.
#pragma once
#include <array>
#include <vector>

#include "native/ruleplay/world.hpp"

namespace mingpai::ruleplay {

struct Observed {
    uint8_t role;
    Move move;  // a pass is a move too
};

class Situation {
  public:
    // `hand` is what `role` holds now, `counts` what every role holds now, `bottom` the bottom cards that the landlord took
    // (0 if there were none), `deck` all cards dealt. Throws std::invalid_argument when these contradict each other.
    Situation(const Rules& rules, int role, Hand hand, std::array<uint8_t, kRoles> counts, Hand bottom, Hand deck,
              std::vector<Observed> moves);

    const Rules& rules() const { return rules_; }
    int role() const { return role_; }
    // The two others in order of play.
    int first() const { return next_role(role_); }
    int second() const { return next_role(first()); }
    const std::vector<Observed>& moves() const { return moves_; }
    // The position now: only the hand of `role` is filled in.
    const World& now() const { return before_.back(); }
    // The position before move i, hands empty.
    const World& before(size_t i) const { return before_[i]; }
    // What a role had played before move i.
    Hand played_before(size_t i, int role) const { return played_[i][role]; }
    Hand played(int role) const { return played_.back()[role]; }
    // Cards of the two others, together.
    Hand unseen() const { return unseen_; }
    // Bottom cards that the landlord must still hold; 0 when he is the one who looks.
    Hand known_of_landlord() const { return known_; }
    // Cards of the others whose place was unknown before the first move: those not shown at the bottom.
    Hand hidden_at_start() const { return hidden_; }
    Hand bottom() const { return bottom_; }

    // The position now with the hand of the next role filled in, and the rest of the unseen cards given to the other.
    World world_with(Hand first_hand) const;

  private:
    Rules rules_;
    int role_;
    Hand bottom_, unseen_, known_, hidden_;
    std::vector<Observed> moves_;
    std::vector<World> before_;  // one more than moves
    std::vector<std::array<Hand, kRoles>> played_;
};

}  // namespace mingpai::ruleplay
