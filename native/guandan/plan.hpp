// The plan of a hand: how cheaply its cards can be grouped into plays. The ground of the rule bots.
//
// Each group costs about one lead that must be gained elsewhere; a group that wins its trick gives a lead back and costs
// less, a bomb less than nothing. The cost of a hand is the least sum over groupings.
#pragma once
#include "native/guandan/moves.hpp"

namespace mingpai::guandan {

// Cost of every group, filled in by the bot from what it knows.
struct Costs {
    float single[kPlayRanks];
    float pair[kPlayRanks];
    float triple[kRanks];
    float full_house[kRanks];  // the pair rides along
    float plate[kPlateStarts];
    float tube[kTubeStarts];
    float straight[kRunStarts];
    float bomb[kMaxBomb + 1];  // by size
    float straight_flush;
    float joker_bomb;
};

class Planner {
  public:
    // `nodes`: how many ways of taking sequences out are tried for each choice of straight flushes.
    Planner(const Costs& costs, int level, int nodes) : costs_(costs), level_(level), nodes_(nodes) {}

    // The least cost found for a hand.
    float cost(const Cards& hand);

  private:
    struct Ranks {
        uint64_t counts;  // a nibble a rank, wild cards left out
        int wilds;
    };
    void search(const Ranks& ranks, float spent, int from);
    float rest_cost(const Ranks& ranks) const;
    float groups_cost(uint64_t counts) const;
    float place_wilds(uint64_t counts, int wilds) const;
    float jokers_cost(const Cards& hand) const;
    void try_flushes(const Cards& natural, int wilds, float spent);

    const Costs& costs_;
    int level_;
    int nodes_;
    int left_ = 0;
    float best_ = 0;
};

}  // namespace mingpai::guandan
