// What hands cost when all cards lie open: the plan of a hand, where a group costs less the fewer groups of the opponents beat it.
#pragma once
#include <array>

#include "native/guandan/plan.hpp"
#include "native/guandan/round.hpp"

namespace mingpai::abduction {

// Of one hand: how many groups of each pseudo-action below the bombs it can play, and how many bombs.
struct OpenGroups {
    std::array<uint8_t, guandan::block_of(guandan::Type::Bomb)> count{};
    int bombs = 0;

    OpenGroups() = default;
    OpenGroups(const guandan::Cards& hand, int level);
};

class OpenPlans {
  public:
    explicit OpenPlans(const guandan::Round& round);
    // After a play of `mover`, from the plans before it: only what it changes is found anew.
    OpenPlans(const OpenPlans& before, const guandan::Round& after, int mover);

    // Leads that the hand of a seat costs its team.
    float cost(int seat) const { return cost_[static_cast<size_t>(seat)]; }
    // The fewest plays found that get rid of the hand.
    int turns(int seat) const { return turns_[static_cast<size_t>(seat)]; }
    // Bombs of different pseudo-actions that a seat could play.
    int bombs(int seat) const { return groups_[static_cast<size_t>(seat)].bombs; }

  private:
    void find_costs(int team, const guandan::Round& round);

    std::array<OpenGroups, guandan::kSeats> groups_;
    std::array<guandan::Costs, 2> costs_;  // by team
    std::array<float, guandan::kSeats> cost_{};
    std::array<int, guandan::kSeats> turns_{};
};

}  // namespace mingpai::abduction
