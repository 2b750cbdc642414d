// Many rounds at once, and whole rounds and matches played natively.
#pragma once
#include <vector>

#include "native/core/budget.hpp"
#include "native/guandan/bots.hpp"
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

// Players by number: 0 random, 1..4 the rule bots.
inline constexpr int kRandomPlayer = 0;
Play player_move(int number, const Round& round, core::Rng& rng);

struct MatchScore {
    int8_t result;    // of player `a`: 1 won, -1 lost, 0 drawn
    int16_t rounds;
    int16_t points;   // sum of the round scores of `a`
    int16_t by_score[7];  // rounds by score of `a`, -3 .. 3
};
// Whole matches, two for each seed with the seats swapped; the cards of a round depend on the seed and its number only.
// Fewer if the budget is spent.
std::vector<MatchScore> duel_matches(int a, int b, uint64_t pairs, uint64_t seed, const Profile& profile, core::Budget& budget);

// The concrete play that the rule bots take for a pseudo-action: fewest wild cards, straight flushes kept whole.
Play default_play(const Round& round, int pseudo);

// N rounds in step, for learning. Exchanges before a round are made by rule4; a finished round is dealt anew at the next step.
class Batch {
  public:
    Batch(int size, uint64_t seed, const Profile& profile);

    int size() const { return static_cast<int>(rounds_.size()); }
    const Round& round(int i) const { return rounds_[i]; }
    // Plays one pseudo-action in each round, made concrete by default_play(); `scores` gets for each round that ended the
    // score of seat 0, else 0. False, without any play, if an action is illegal.
    bool step(const int32_t* pseudo, int8_t* scores);
    // The same with concrete plays.
    bool step(const Play* plays, int8_t* scores);
    // The pseudo-action of a player for each round.
    void choose(int player, int32_t* pseudo);

  private:
    void renew(int i);
    void play(int i, const Play& play, int8_t* scores);

    const Profile* profile_;
    std::vector<core::Rng> rngs_;
    std::vector<Round> rounds_;
};

}  // namespace mingpai::guandan
