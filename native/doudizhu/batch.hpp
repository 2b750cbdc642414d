// Many deals stepped together, with built-in policies or with choices made outside: for simulation and training.
#pragma once
#include <cstdint>
#include <vector>

#include "native/core/budget.hpp"
#include "native/doudizhu/features.hpp"
#include "native/doudizhu/policy.hpp"

namespace mingpai::doudizhu {

class Batch {
  public:
    // Game i draws its deals from stream i of the seed. Without bidding seat 0 is the landlord.
    Batch(int games, uint64_t seed, const Rules& rules, bool with_bidding);

    // New deals in all games.
    void reset();
    int games() const { return static_cast<int>(states_.size()); }
    const State& state(int game) const { return states_[game]; }

    // The choices of game g are entries offsets()[g] to offsets()[g + 1]: moves, or in the bidding the legal bids in `rank`.
    const std::vector<int64_t>& offsets() const { return offsets_; }
    const std::vector<Move>& choices() const { return choices_; }
    // What the seat to move sees in each game: kPlanes * kRanks counts and kFacts numbers a game.
    void observe(uint8_t* planes, uint8_t* facts) const;

    // Makes choice `actions[g]` (an index from 0) in every game that is not over; throws std::out_of_range on a bad index and
    // then changes nothing.
    void step(const int32_t* actions);
    // Lets the built-in policy choose in every game that is not over.
    void step_with(Policy policy);
    // Starts a new deal in every game that is over. Returns their number.
    int redeal();

  private:
    void deal(int game);
    void list_choices();

    Rules rules_;
    bool with_bidding_;
    std::vector<core::Rng> rngs_;
    std::vector<State> states_;
    std::vector<int64_t> offsets_;
    std::vector<Move> choices_;
    MoveList scratch_;
};

// The outcome of one simulated deal.
struct Outcome {
    int8_t landlord;  // seat; -1 if all passed
    int8_t winner;    // seat that went out; -1 if all passed
    uint8_t bombs;
    uint8_t spring;   // 1 after a spring or an anti-spring
    int32_t length;   // bids and moves made
    int32_t points[kSeats];
};
// Plays `games` deals with built-in policies by seat; stops early when the budget is spent and returns how many are done.
int simulate(int games, uint64_t seed, const Rules& rules, bool with_bidding, const std::array<Policy, kSeats>& policies,
             core::Budget& budget, Outcome* out);

}  // namespace mingpai::doudizhu
