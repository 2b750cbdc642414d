// Shortest forced wins: how many plies, passes included, until the winners go out against the longest defence.
#pragma once
#include <unordered_map>
#include <vector>

#include "native/core/budget.hpp"
#include "native/endgame/position.hpp"
#include "native/endgame/solver.hpp"

namespace mingpai::endgame {

// Iterative deepening over plies with every legal move: the pruning rules keep winners, not distances, so here they only serve
// through the verdicts of `search`, which spare the winners their losing moves.
class ShortestWin {
  public:
    ShortestWin(Search& search, const Rules& rules, core::Budget& budget) : search_(search), rules_(rules), budget_(budget) {}

    // The line of a shortest forced win from a decided position; empty when the budget did not suffice.
    std::vector<Ply> line(const Position& root, bool landlord_wins);

  private:
    struct Bounds {
        uint8_t not_within = 0;     // no forced win in so many plies
        uint8_t within = kNoBound;  // a forced win in so many
    };
    static constexpr uint8_t kNoBound = 255;
    static constexpr size_t kMaxStates = 4'000'000;

    Answer wins_within(const Position& position, int plies);
    Answer decide(const Position& position, int plies);
    bool is_winners_turn(const Position& position) const { return position.is_landlords_turn() == landlord_wins_; }

    Search& search_;
    Rules rules_;
    core::Budget& budget_;
    bool landlord_wins_ = false;
    std::unordered_map<StateKey, Bounds, StateKeyHash> known_;
};

}  // namespace mingpai::endgame
