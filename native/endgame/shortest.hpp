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
    ShortestWin(Search& search, const Rules& rules, bool landlord_wins, size_t max_bytes, core::Budget& budget)
        : search_(search), rules_(rules), budget_(budget), landlord_wins_(landlord_wins), max_states_(max_bytes / kStateBytes) {}

    // The line of a shortest forced win from a position that the winners win; empty when the budget or the memory did not suffice.
    // What was learnt on the way serves the next line.
    std::vector<Ply> line(const Position& root);

  private:
    struct Bounds {
        uint8_t not_within = 0;     // no forced win in so many plies
        uint8_t within = kNoBound;  // a forced win in so many
    };
    static constexpr uint8_t kNoBound = 255;
    static constexpr size_t kStateBytes = 80;  // of an entry, about

    Answer wins_within(const Position& position, int plies);
    Answer decide(const Position& position, int plies);
    bool is_winners_turn(const Position& position) const { return position.is_landlords_turn() == landlord_wins_; }

    Search& search_;
    Rules rules_;
    core::Budget& budget_;
    bool landlord_wins_;
    size_t max_states_;
    std::unordered_map<StateKey, Bounds, StateKeyHash> known_;
};

}  // namespace mingpai::endgame
