// Many rounds at once, and whole rounds and matches played natively.
#pragma once
#include <vector>

#include "native/core/budget.hpp"
#include "native/guandan/match.hpp"

namespace mingpai::guandan {

// Leaves of the tree of legal plays, `depth` steps below.
uint64_t perft(Round& round, int depth);

struct RandomPlayStats {
    uint64_t rounds = 0;
    uint64_t decisions = 0;      // passes that are the only choice included
    uint64_t points[4] = {};     // rounds won by 1, 2 and 3 points
};
// Rounds at level 2 played uniformly over the full concrete list. Stops early when the budget is spent.
RandomPlayStats play_random_rounds(uint64_t rounds, uint64_t seed, core::Budget& budget);

struct LeadStats {
    uint64_t hands[kCopies + 1] = {};  // by number of wild cards
    double plays[kCopies + 1] = {};    // sum of the number of concrete leads
    uint64_t most = 0;
};
// Sizes of the full list of opening leads from random hands, levels 2 to A in turn.
LeadStats count_opening_leads(uint64_t hands, uint64_t seed);

}  // namespace mingpai::guandan
