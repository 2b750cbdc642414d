// Duplicate deals between two fast players, card play only: each deal is played twice, with sides changed. For tuning weights
// and for checking that a baseline is what it should be.
#pragma once
#include <memory>
#include <vector>

#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/doudizhu/state.hpp"
#include "native/ruleplay/opponents.hpp"

namespace mingpai::ruleplay {

class Player {
  public:
    virtual ~Player() = default;
    virtual Move move(const Seen& seen) = 0;
};

// The fast rule player with given weights, looking at its own hand only.
std::unique_ptr<Player> heuristic_player(const Rules& rules, const Weights& weights);
std::unique_ptr<Player> rule_based_player(const Rules& rules);
std::unique_ptr<Player> remaining_value_player(const Rules& rules);

// The start of play: the landlord, a seat of the deal, has taken the bottom cards.
World world_of(const doudizhu::Deal& deal, int landlord);
World shuffled_world(core::Rng& rng);

struct DuelScore {
    int landlord_wins = 0;  // of the first player as landlord: 0 or 1
    int farmer_wins = 0;    // of the first player as both farmers
};

// Scores of `first` on `deals` deals; fewer when the budget ends.
std::vector<DuelScore> duel(Player& first, Player& second, int deals, uint64_t seed, core::Budget& budget);

}  // namespace mingpai::ruleplay
