// The plainest solver: the rules and nothing else, no table, no pruning rule. It exists to check the others.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "native/core/budget.hpp"
#include "native/endgame/position.hpp"
#include "native/endgame/search.hpp"
#include "native/endgame/answer_table.hpp"

namespace mingpai::endgame {

class BruteForce {
  public:
    explicit BruteForce(const Rules& rules) : rules_(rules) {}

    // Does the landlord win? Unknown after `limit` positions.
    Answer solve(const Position& position, uint64_t limit);
    uint64_t nodes() const { return nodes_; }  // of the last call

  private:
    Answer visit(const Position& position, size_t depth);

    Rules rules_;
    uint64_t nodes_ = 0, limit_ = 0;
    std::vector<std::unique_ptr<MoveList>> lists_;  // one for each depth
};

// Random positions solved twice, with inner states reached by random moves.
struct CheckReport {
    uint64_t positions = 0;  // roots compared
    uint64_t states = 0;     // inner states compared, in the same table as their root
    uint64_t skipped = 0;    // left out because brute force took too long
    uint64_t mismatches = 0;
    Position example;        // the smallest mismatch
};
struct CheckPlan {
    int players = 2;
    uint64_t count = 0;
    int max_cards = 7;
    uint64_t seed = 0;
    uint64_t brute_limit = 0;
};
CheckReport cross_check(const CheckPlan& plan, const Rules& rules, const Pruning& pruning, core::Budget& budget);

// Hands of up to `max_cards` cards each, often from a few ranks only, where cards meet their likes and chains.
Position random_position(int players, int max_cards, uint64_t seed);

}  // namespace mingpai::endgame
