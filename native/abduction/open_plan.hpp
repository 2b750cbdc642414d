// What hands cost when all cards lie open: the plan of a hand, where a group costs less the fewer groups of the opponents beat it.
#pragma once
#include <array>

#include "native/guandan/plan.hpp"
#include "native/guandan/round.hpp"

namespace mingpai::abduction {

class OpenPlans {
  public:
    explicit OpenPlans(const guandan::Round& round);

    // Leads that cards of a seat's team cost: its hand, or what is left of it.
    float cost(int seat, const guandan::Cards& cards) const;

    // The fewest plays found that get rid of some cards.
    int turns(const guandan::Cards& cards) const;
    // Bombs of different pseudo-actions that a seat could play.
    int bombs(int seat) const { return bombs_[static_cast<size_t>(seat)]; }

  private:
    int level_;
    std::array<int, guandan::kSeats> bombs_{};
    std::array<guandan::Costs, 2> costs_;  // by team
};

}  // namespace mingpai::abduction
